// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// A token may be in a query, before an `@` or in a header; only the server may see it.
@Suite("a token in URLs and headers")
struct SecretTests {
  private static let token = "s3cr3t-T0k3n"
  private let home: LibraryFixture
  private let server: FaultServer
  /// A server that asks for a pause.
  private let busy: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    busy = try FaultServer()
    let audio = GeneratedAudio(title: "A", seconds: 1, seed: 1)
    for path in ["/good.mp3", "/slow.mp3", "/cut.mp3"] {
      server.serve(path, Resource(bytes: audio.bytes, etag: "\"1\""))
    }
    let (token, other) = (Self.token, "http://x:\(Self.token)@nowhere.invalid/?k=\(Self.token)")
    server.script("/lead.mp3", [.redirect(to: "ftp://u:\(token)@h.example/x?key=\(token)")])
    server.script("/away.mp3", [.redirect(to: other)])
    server.script("/circle.mp3", [.redirect(to: "/circle.mp3?key=\(token)")])
    server.script("/page.mp3", [.htmlPage])
    server.script("/cut.mp3", [.breakOff(after: 5000)])
    busy.script("/late.mp3", [.status(503, ["Retry-After": "99999"])])
    server.script("/feed.xml", [.status(404)])
    let names = ["good", "gone", "lead", "away", "circle", "page", "cut", "slow"]
    let items = names.map { name in
      "{ id: \(name), title: \(name), url: \"http://u:${TOKEN}@127.0.0.1:\(server.port)/\(name).mp3?key=${TOKEN}\" }"
    }
    try home.declare(
      """
      downloads: { retries: 1, backoff: { initial: 1ms }, headers: { Authorization: "Bearer ${TOKEN}", X-Key: "${TOKEN}" } }
      report: { json: ./report.json }
      playlists:
        brief: { feed: "http://u:${TOKEN}@127.0.0.1:\(server.port)/feed.xml?key=${TOKEN}" }
        dead: { items: [{ id: dead, title: dead, url: "http://u:${TOKEN}@127.0.0.1:9/x?key=${TOKEN}" }] }
        late: { items: [{ id: late, title: late, url: "http://u:${TOKEN}@127.0.0.1:\(busy.port)/late.mp3?key=${TOKEN}" }] }
        lost: { items: [{ id: lost, title: lost, url: "http://u:${TOKEN}@nowhere.invalid/x?key=${TOKEN}" }] }
        all: { items: [\(items.joined(separator: ", "))] }
      """)
  }

  private func command(_ name: String, _ options: String...) -> Command {
    var command = home.command(name)
    command.arguments += options
    command.environment["TOKEN"] = Self.token
    return command
  }

  @Test("reaches the server and stands in nothing that a run prints, writes for readers or shows of its processes")
  func run() throws {
    let gate = try Gate()
    server.script("/slow.mp3", [.hold(after: 1000, gate)])
    let run = try command("run", "-vv", "--events", home.folder.file("events.jsonl")).start()
    #expect(gate.waitForArrival())
    #expect(!(try processList(run.pid)).contains(Self.token))
    gate.open()
    let result = run.wait(timeout: 60)
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let good = try #require(server.requests(to: "/good.mp3").first)
    #expect(good.target == "/good.mp3?key=\(Self.token)" && good.headers["X-Key"] == Self.token)
    check(result, "run -vv")
    for name in ["events.jsonl", "report.json"] {
      let text = try FileBytes.text(home.folder.file(name))
      #expect(text.count > 100 && !text.contains(Self.token), "\(name): \(line(of: text))")
    }
    for playlist in try FileTree.files(home.library).filter({ $0.hasSuffix(".m3u8") }) {
      #expect(!(try FileBytes.text("\(home.library)/\(playlist)")).contains(Self.token), "\(playlist)")
    }
  }

  @Test(
    "stands in nothing that another command prints",
    arguments: [
      ["validate", "--effective"], ["plan"], ["plan", "--json"], ["run", "--dry-run"], ["run", "--json"], ["status"],
      ["status", "--json"], ["list"], ["list", "--json"],
    ])
  func commands(words: [String]) throws {
    #expect(try command("run", "--quiet").run().ending == .exited(3))
    var command = command(words[0])
    command.arguments += words.dropFirst()
    let result = try command.run()
    #expect(!result.stdout.isEmpty)
    check(result, words.joined(separator: " "))
  }

  @Test("stands in no complaint about a manifest that holds it")
  func invalid() throws {
    try home.declare("playlists: { all: { items: [{ id: a, url: \"http://u:${TOKEN}@h:99999/?key=${TOKEN}\" }] } }")
    let result = try command("run").run()
    #expect(result.ending == .exited(78))
    check(result, "validate")
  }

  private func check(_ result: CommandResult, _ name: String) {
    for (stream, text) in [("stdout", result.standardOutput), ("stderr", result.standardError)] {
      #expect(!text.contains(Self.token), "\(name), \(stream): \(line(of: text))")
    }
  }

  private func line(of text: String) -> Substring {
    text.split(separator: "\n").first { $0.contains(Self.token) } ?? ""
  }

  /// The command lines of the process and of all its children.
  private func processList(_ pid: Int32) throws -> String {
    let children = try FileBytes.text("/proc/\(pid)/task/\(pid)/children").split(separator: " ").compactMap {
      Int32($0)
    }
    return try ([pid] + children).map { try FileBytes.text("/proc/\($0)/cmdline") }.joined(separator: "\n")
  }
}
