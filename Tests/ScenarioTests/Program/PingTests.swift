// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

/// A fault server is the monitor, and another one has the media.
@Suite("a monitor is told how a run ended")
struct PingTests {
  private let home: LibraryFixture
  private let monitor: FaultServer
  private let media: FaultServer
  private let path = "/2f3c-check"

  init() throws {
    home = try LibraryFixture()
    (monitor, media) = (try FaultServer(), try FaultServer())
    media.serveAudio("a")
    for name in ["", "/start", "/fail"] { monitor.serve(path + name, Resource(bytes: Array("OK".utf8))) }
  }

  private func declare(_ ping: String? = nil, more: String = "downloads: { retries: 0 }") throws {
    let ping = ping ?? "{ url: \"\(monitor.url(path))\" }"
    try home.declare(
      """
      \(more)
      report: { ping: \(ping) }
      playlists: { mix: { items: [ { id: a, title: A, url: "\(media.url("/a.mp3"))" } ] } }
      """)
  }

  private var pings: [String] { monitor.requests.map { String($0.path.dropFirst(path.count)) } }

  private func body(_ index: Int = 0) throws -> String {
    String(decoding: try #require(monitor.requests.dropFirst(index).first).body, as: UTF8.self)
  }

  @Test("with the report of a run that went well, and of one that had nothing to do")
  func success() throws {
    try declare()
    for _ in 1...3 { #expect(try home.run().result.ending == .exited(0)) }
    #expect(pings == ["", "", ""])
    let request = try #require(monitor.requests.first)
    #expect(request.method == "POST")
    #expect(request.headers.contains { $0.name == "Content-Type" && $0.value == "text/plain; charset=utf-8" })
    #expect(try body().contains("1 downloaded"))
    let last = try body(2)
    #expect(last.contains("nothing to do; 1 already in place"), "\(last)")
  }

  @Test("the beginning, if it is asked for")
  func start() throws {
    try declare("{ url: \"\(monitor.url(path))\", start: true }")
    #expect(try home.run().result.ending == .exited(0))
    #expect(pings == ["/start", ""])
    #expect(monitor.requests.first?.body == [])
  }

  @Test("the query of its URL stays behind the path")
  func query() throws {
    try declare("{ url: \"\(monitor.url(path))?create=1\" }")
    media.script("/a.mp3", [.status(404)])
    #expect(try home.run().result.ending == .exited(3))
    #expect(monitor.requests.map(\.target) == ["\(path)/fail?create=1"])
  }

  @Test("a run that left something for the next one did not fail, any other did", arguments: [503, 404])
  func failure(_ status: Int) throws {
    try declare()
    media.script("/a.mp3", [.status(status)])
    #expect(try home.run().result.ending == .exited(status == 503 ? 5 : 3))
    #expect(pings == [status == 503 ? "" : "/fail"])
    #expect(try body().contains("failed"))
  }

  @Test("a run that could not begin, with the reason")
  func error() throws {
    try declare()
    let gate = try Gate()
    media.script("/a.mp3", [.hold(after: 100, gate)])
    let first = try home.command("run").start()
    #expect(gate.waitForArrival())
    #expect(try home.command("run").run().ending == .exited(11))
    #expect(pings == ["/fail"])
    let words = try body()
    #expect(words.hasPrefix("another run holds"), "\(words)")
    gate.open()
    #expect(first.wait().ending == .exited(0))
    #expect(pings == ["/fail", ""])
  }

  @Test("nobody is told of a plan, or of a rehearsal")
  func plans() throws {
    try declare("{ url: \"\(monitor.url(path))\", start: true }")
    #expect(try home.command("plan").run().ending == .exited(0))
    #expect(try home.command("run", "--dry-run").run().ending == .exited(0))
    #expect(try home.command("status").run().ending == .exited(0))
    #expect(pings == [])
  }

  @Test("the URL can be in a file, which alone has the secret")
  func file() throws {
    let file = home.folder.file("ping-url")
    try FileBytes.write(monitor.url(path) + "\n", to: file)
    try declare("{ url_file: \"\(file)\" }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0))
    #expect(pings == [""])
    let shown = result.standardOutput + result.standardError + report.description
    #expect(!shown.contains("2f3c"))
    try FileBytes.write("no url", to: file)
    let warned = try home.command("run").run()
    #expect(warned.ending == .exited(0))
    #expect(warned.standardOutput.contains("does not contain a URL, so nobody was told that the run ended"))
    unlink(file)
    #expect(try home.command("run").run().standardOutput.contains("cannot read"))
  }

  @Test("three tries, and then a warning in the report that is printed and in the events")
  func retries() throws {
    try declare()
    monitor.script(path, [.status(503), .status(503), .status(503), .status(200)])
    let events = home.folder.file("events.jsonl")
    let result = try home.command("run", "--json", "--events", events).run()
    #expect(result.ending == .exited(0))
    #expect(pings == ["", "", ""])
    let words = "report.ping: 127.0.0.1 was not told that the run ended: the server answered 503 (service unavailable)"
    #expect(try JSONValue(result.stdout)[path: "warnings.0"]?.description.contains(words) == true)
    let lines = try FileBytes.text(events).split(separator: "\n")
    #expect(lines.suffix(2).first?.contains("\"event\":\"warning\"") == true)
    #expect(lines.last?.contains("run_finished") == true)
    // The next run reports nothing about it.
    #expect(try !home.command("run").run().standardOutput.contains("warning"))
  }

  @Test("an answer that no retry changes is not asked for again")
  func unknown() throws {
    try declare()
    monitor.script(path, [.status(404)])
    let result = try home.command("run").run()
    #expect(result.ending == .exited(0))
    #expect(pings == [""])
    #expect(result.standardOutput.contains("does not know this URL (it answered 404)"))
  }

  @Test("a monitor that never answers does not hold up a run that was stopped by a signal")
  func signal() throws {
    try declare(more: "downloads: { retries: 0 }")
    let gate = try Gate()
    defer { gate.open() }
    media.script("/a.mp3", [Behaviour().with { $0.gate = gate }])
    monitor.script(path + "/fail", [Behaviour().with { $0.gate = gate }])
    let run = try home.command("run").start()
    #expect(try eventually { media.requestCount > 0 })
    run.signal(SIGTERM)
    let result = run.wait(timeout: 20)
    #expect(result.ending == .exited(143), "\(result.standardError)")
    #expect(pings == ["/fail"])
    #expect(result.standardOutput.contains("did not answer within 0.7 s"))
    #expect(!result.standardError.contains("cut off"))
  }

  @Test("of a run that fails, a warning comes before its error")
  func warningWithoutReport() throws {
    try declare(more: "downloads: { tls: { ca_file: /nonexistent.pem } }")
    monitor.script(path + "/fail", [.status(404)])
    let result = try home.command("run").run()
    #expect(result.ending == .exited(1))
    let lines = result.standardError.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("warning: report.ping:") && lines[1].contains("error:"), "\(lines)")
  }

  @Test("a real server gets POST requests that it can log", .requires(.nginx))
  func nginx() throws {
    let nginx = try Nginx(locations: "location /ping/ { return 200 ok; }")
    try declare("{ url: \"\(nginx.url("/ping/check"))\", start: true }")
    #expect(try home.run().result.ending == .exited(0))
    media.script("/a.mp3", [.status(404)])
    try home.declare(
      """
      report: { ping: { url: "\(nginx.url("/ping/check"))" } }
      playlists: { mix: { items: [ { id: b, title: B, url: "\(media.url("/b.mp3"))" } ] } }
      """)
    #expect(try home.run().result.ending == .exited(3))
    let log = try nginx.accessLog().filter { $0.contains("/ping/") }.map { $0.split(separator: " ").prefix(3) }
    let expected = ["POST /ping/check/start 200", "POST /ping/check 200", "POST /ping/check/fail 200"]
    #expect(log.map { $0.joined(separator: " ") } == expected)
  }
}
