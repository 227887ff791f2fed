// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("what is remembered of an item that comes and goes")
struct SourceChangesTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in ["a", "b"] {
      let audio = GeneratedAudio(title: name, seconds: 1, seed: 6)
      // Without an ETag it cannot be resumed.
      server.serve("/\(name).mp3", Resource(body: audio.body(count: 50_000), etag: nil))
    }
  }

  private func declare(_ names: [String], _ sections: String) throws {
    let items = names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare("\(sections)\nplaylists: { mix: { items: [\(items.joined(separator: ", "))] } }")
  }

  private func run(at now: String) throws -> JSONValue {
    let result = try home.command("run", "--json", "--now", now).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    return try JSONValue(result.stdout)
  }

  /// The line of an item in the queue file.
  private func remembered(_ id: String) throws -> String {
    let lines = String(decoding: try home.queueFile(), as: UTF8.self).split(separator: "\n")
    return String(try #require(lines.first { $0.hasPrefix("{\"id\":\"\(id)\"") }))
  }

  private func asked(_ name: String) -> Int { server.requests.count { $0.path == "/\(name).mp3" } }

  @Test("what went and came back counts with the plays that it had before")
  func plays() throws {
    let sections = "storage: { orphans: remove, budget: 1GB }\nhistory: [{ listens: heard.jsonl }]"
    try FileBytes.write("{\"id\":\"a\",\"at\":\"2026-12-10T19:00:00Z\"}\n", to: home.folder.file("heard.jsonl"))
    try declare(["a", "b"], sections)
    _ = try run(at: "2026-12-01T06:00:00Z")
    try declare(["b"], sections)
    _ = try run(at: "2026-12-20T06:00:00Z")
    try declare(["a", "b"], sections)
    #expect(try run(at: "2027-01-05T06:00:00Z")[path: "totals.downloaded"] == .number(1))
    let result = try home.command("simulate", "--json", "--now", "2027-01-10T06:00:00Z").run()
    let simulated = try JSONValue(result.stdout)
    #expect(simulated[path: "plays"] == .number(1))
    #expect(simulated[path: "left_out_early_plays"] == .number(0))
    #expect(
      try remembered("a").contains("\"queued_at\":\"2027-01-05T06:00:00Z\",\"known_since\":\"2026-12-01T06:00:00Z\""))
    #expect(try !remembered("b").contains("known_since"))
  }

  @Test("a server that said how large a file is, and that there is no room for it, is not asked again and again")
  func deferred() throws {
    try declare(["a"], "storage: { budget: 40KB }")
    for day in 1...3 {
      let report = try run(at: "2026-12-0\(day)T06:00:00Z")
      #expect(report[path: "totals.deferred"] == .number(1))
    }
    #expect(asked("a") == 1)
    #expect(try remembered("a").contains("\"approximate_size\":50000,"))
    try declare(["a"], "storage: { budget: 80KB }")
    #expect(try run(at: "2026-12-04T06:00:00Z")[path: "totals.downloaded"] == .number(1))
    #expect(try !remembered("a").contains("approximate_size"))
    let queue = try home.queueFile()
    _ = try run(at: "2026-12-05T06:00:00Z")
    #expect(try home.queueFile() == queue)
  }

  @Test("whoever asks for what waits with a size has the server asked for it anew")
  func toldAnew() throws {
    try declare(["a"], "storage: { budget: 40KB }")
    _ = try run(at: "2026-12-01T06:00:00Z")
    server.serve(
      "/a.mp3", Resource(body: GeneratedAudio(title: "a", seconds: 1, seed: 6).body(count: 30_000), etag: nil))
    #expect(try run(at: "2026-12-02T06:00:00Z")[path: "totals.deferred"] == .number(1))
    try home.edit("retry", "a")
    #expect(try run(at: "2026-12-03T06:00:00Z")[path: "totals.downloaded"] == .number(1))
    #expect(asked("a") == 2)
  }

  @Test("a lost file that is to be had elsewhere by now comes from there, and the queue says so")
  func elsewhere() throws {
    try declare(["a"], "")
    _ = try run(at: "2026-12-01T06:00:00Z")
    try home.declare("playlists: { mix: { items: [{ id: a, title: a, url: \"\(server.url("/b.mp3"))\" }] } }")
    _ = try run(at: "2026-12-02T06:00:00Z")
    #expect(try remembered("a").contains(server.url("/a.mp3")))
    #expect(unlink("\(home.library)/mix/a.mp3") == 0)
    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    #expect(plan[path: "changes[id=a].url"] == .string(server.url("/b.mp3")))
    _ = try run(at: "2026-12-03T06:00:00Z")
    #expect(asked("b") == 1)
    #expect(try remembered("a").contains(server.url("/b.mp3")))
    #expect(try !remembered("a").contains(server.url("/a.mp3")))
  }

  @Test("what is asked for again after its removal waits with the size that it had")
  func retried() throws {
    try declare(["a", "b"], "")
    _ = try run(at: "2026-12-01T06:00:00Z")
    try home.edit("remove", "a")
    try home.edit("retry", "a")
    try home.edit("pin", "b")
    try declare(["a", "b"], "storage: { budget: 80KB }")
    let report = try run(at: "2026-12-02T06:00:00Z")
    #expect(report[path: "totals.deferred"] == .number(1) && report[path: "items[id=a].bytes"] == .number(50_000))
    #expect(asked("a") == 1)
  }
}
