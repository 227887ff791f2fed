// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// The queue file is lost, and the log of plays is damaged.
@Suite("plays after a loss of the queue file")
struct HistoryLossTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private static let days = ["18", "19", "20"]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serve("/a.mp3", Resource(bytes: GeneratedAudio(title: "a", seconds: 1, seed: 3).bytes))
    let plays = Self.days.map { "{\"id\":\"a\",\"at\":\"2026-10-\($0)T10:00:00Z\"}\n" }
    try FileBytes.write(plays.joined(), to: home.folder.file("h.jsonl"))
    try home.declare(
      "history: [{ listens: h.jsonl }]\nplaylists: { mix: { items: [{ id: a, title: a, url: \"\(server.url("/a.mp3"))\" }] } }"
    )
  }

  private func run(expecting status: Int32 = 0) throws {
    let result = try home.command("run", "--now", "2026-12-01T12:00:00Z").run()
    #expect(result.ending == .exited(status), "\(result)")
  }

  private func expectThreePlays(_ moment: String) throws {
    let item = try #require(try home.list()["a"])
    #expect(item[path: "play_count"] == .number(3), "\(moment)")
    #expect(item[path: "last_played_at"] == .string("2026-10-20T10:00:00Z"), "\(moment)")
  }

  @Test("no play is counted twice because its line is damaged", arguments: Self.days)
  func damagedLine(day: String) throws {
    for _ in 1...2 { try run() }
    try expectThreePlays("at first")
    let log = "\(home.state)/plays.jsonl"
    try FileBytes.write(try FileBytes.text(log).replacing("10-\(day)", with: "10-2x"), to: log)
    for name in try FileTree.files(home.state, hidden: true) where name.hasPrefix("download_queue") {
      try FileTree.remove("\(home.state)/\(name)")
    }
    try run(expecting: 3)
    for number in 1...2 {
      try run()
      try expectThreePlays("run \(number) after the rebuild")
    }
  }
}
