// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("how fast, how much, how long, in which order")
struct ShapingTests {
  private let home: LibraryFixture
  private let server: FaultServer
  /// About 128 KB.
  private let audio = Resource(bytes: GeneratedAudio(title: "A", seconds: 8, seed: 1).bytes, etag: "\"a\"")

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serve("/a.mp3", audio)
  }

  private var size: Int { GeneratedAudio(title: "A", seconds: 8, seed: 1).bytes.count }

  private func declare(_ downloads: String, count: Int) throws {
    let items = (0..<count).map { "{ id: i\($0), title: I\($0), url: \"\(server.url("/a.mp3?\($0)"))\" }" }
    try home.declare(
      "downloads: { \(downloads) }\nplaylists: { all: { items: [\(items.joined(separator: ", "))] } }")
  }

  private func run(_ options: String..., environment: [String: String] = [:]) throws -> CommandResult {
    var command = home.command("run", "--json")
    command.arguments += options
    command.environment.merge(environment) { $1 }
    return try command.run(timeout: 60)
  }

  @Test("the bandwidth is that of all transfers together")
  func bandwidth() throws {
    try declare("per_host: 3, bandwidth: 128K", count: 3)
    let result = try run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    // The last bytes of each file are not delayed.
    #expect(result.seconds >= Double(3 * (size - (16 << 10))) / Double(128 << 10) - 0.2)
  }

  @Test("the flag, or its variable, counts more than the manifest")
  func override() throws {
    // At that rate each file would take two minutes.
    try declare("bandwidth: 1K", count: 2)
    #expect(try run("--bwlimit", "off").ending == .exited(0))
    try declare("bandwidth: 1K", count: 3)
    #expect(try run(environment: ["SYNCJOB_BWLIMIT": "100M"]).ending == .exited(0))
  }

  @Test("a timetable's next entry frees a transfer that is under way")
  func timetable() throws {
    try declare("bandwidth: \"00:00,1K 08:00,off\"", count: 1)
    let result = try run("--now", "2090-01-01T07:59:57Z", environment: ["TZ": "UTC"])
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(result.seconds > 1.5, "until eight it was held up")
  }

  @Test("a timetable is that of the local time, by the day of the week")
  func localTime() throws {
    // 2090-01-02 is a Monday; at 23:30 on Sunday in Greenwich it has begun in the east.
    try declare("bandwidth: \"Sun-00:00,1K Mon-00:00,off\"", count: 1)
    #expect(try run("--now", "2090-01-01T23:30:00Z", environment: ["TZ": "XST-1"]).ending == .exited(0))
  }

  @Test("a run fetches no more than max_transfer, keeps what it has begun, and the next one goes on with it")
  func maxTransfer() throws {
    try declare("concurrency: 1, max_transfer: \(size * 5 / 2)", count: 5)
    let result = try run()
    #expect(result.ending == .exited(8), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "outcome"] == .string("limit"))
    #expect(report[path: "totals.downloaded"] == .number(2))
    #expect(report[path: "totals.deferred"] == .number(3))
    #expect(server.requests.count == 3)
    let partials = try FileTree.files("\(home.state)/partial", hidden: true)
    #expect(partials.count == 1)
    let kept = try FileBytes.read("\(home.state)/partial/\(try #require(partials.first))").count
    #expect(kept > 0 && kept <= size / 2 + (16 << 10), "what had come when the limit was reached is kept")
    let rest = try run("--max-transfer", "none")
    #expect(rest.ending == .exited(0), "\(rest.standardOutput) \(rest.standardError)")
    #expect(server.requests.filter { $0.range != nil }.count == 1)
    #expect(try home.strays() == [])
  }

  @Test("a limit that a flag or a variable set is named so, and a resumed request with its first byte")
  func namedLimit() throws {
    try declare("concurrency: 1, max_transfer: 1GB", count: 2)
    let text = try home.command("run", "--max-transfer", "30KB").run().standardOutput
    #expect(text.contains("the run has received --max-transfer ("), "\(text)")
    let rest = try home.command("run", "-vv").run()
    let range = try #require(server.requests.compactMap(\.range).first, "\(text) \(rest.standardError)")
    let first = range.dropFirst("bytes=".count).prefix { $0 != "-" }
    #expect(rest.standardError.contains(" from byte \(first)\n"), "\(range): \(rest.standardError)")
  }

  @Test("however little a run may fetch, each one gets on, and reports what it kept")
  func smallTransfers() throws {
    try declare("concurrency: 1, max_transfer: 10KB", count: 1)
    var before = 0.0
    for _ in 0..<40 {
      let result = try run()
      if result.ending == .exited(0) { break }
      #expect(result.ending == .exited(8), "\(result.standardError)")
      guard case .number(let kept)? = try home.list()["i0"]?[path: "bytes_received"] else {
        Issue.record("nothing was kept")
        return
      }
      #expect(kept > before)
      let report = try JSONValue(result.stdout)
      #expect(report[path: "items.0.bytes"] == .number(kept - before))
      #expect(report[path: "items.0.attempts"] == .number(1))
      before = kept
    }
    #expect(try FileBytes.read("\(home.library)/all/I0.mp3").count == size)
  }

  @Test("a limit that is reached with the last byte is none that was missed")
  func exactLimit() throws {
    try declare("concurrency: 1, max_transfer: \(size * 2)", count: 2)
    #expect(try run().ending == .exited(0))
    try declare("concurrency: 1, max_transfer: \(size)", count: 4)
    let result = try run()
    #expect(result.ending == .exited(8))
    #expect(try JSONValue(result.stdout)[path: "totals.downloaded"] == .number(1))
    #expect(server.requests.count == 3, "nothing is asked for that could not be taken")
  }

  @Test("a run fetches no longer than max_duration")
  func maxDuration() throws {
    let gate = try Gate()
    server.script("/a.mp3", [.hold(after: 30_000, gate)])
    try declare("concurrency: 1", count: 3)
    let result = try run("--max-duration", "2s")
    gate.open()
    #expect(result.ending == .exited(10), "\(result.standardError)")
    #expect(result.seconds >= 2)
    let report = try JSONValue(result.stdout)
    #expect(report[path: "totals.deferred"] == .number(3))
    #expect(server.requests.count == 1)
    #expect(try FileTree.files("\(home.state)/partial", hidden: true).count == 1)
    #expect(try home.list()["i0"]?[path: "bytes_received"] == .number(30_000))
  }

  @Test(
    "items are asked for in the order that is declared",
    arguments: [
      ("priority", "bdac"), ("manifest", "abcd"), ("newest", "cabd"), ("oldest", "bacd"), ("smallest", "cbad"),
    ])
  func order(order: String, expected: String) throws {
    for name in ["a", "b", "c", "d"] { server.serve("/\(name).mp3", audio) }
    try home.declare(
      """
      downloads: { concurrency: 1, order: \(order) }
      playlists:
        all:
          items:
            - { id: a, title: A, url: "\(server.url("/a.mp3"))", published: 2026-02-01, size: 300KB }
            - { id: b, title: B, url: "\(server.url("/b.mp3"))", published: 2026-01-01, size: 200KB, priority: high }
            - { id: c, title: C, url: "\(server.url("/c.mp3"))", published: 2026-03-01, size: 100KB, priority: low }
            - { id: d, title: D, url: "\(server.url("/d.mp3"))", priority: high }
      """)
    #expect(try run().ending == .exited(0))
    let asked = server.requests.map { String($0.path.dropFirst().prefix(1)) }.joined()
    #expect(asked == expected)
  }

  @Test(
    "a limit that is none is a mistake of usage",
    arguments: [["--bwlimit", "fast"], ["--bwlimit", "512"], ["--max-transfer", "10G"], ["--max-duration", "0s"]])
  func usage(options: [String]) throws {
    try declare("retries: 0", count: 1)
    var command = home.command("run")
    command.arguments += options
    #expect(try command.run().ending == .exited(64))
    #expect(server.requests.isEmpty)
  }
}
