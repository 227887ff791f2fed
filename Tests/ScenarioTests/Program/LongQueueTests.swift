// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A queue file so long that a command leaves its changes in the journal.
@Suite("a long queue file", .serialized)
struct LongQueueTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let names = ["a", "b", "c"]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b", "c")
    let items = names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare("playlists: { all: { items: [\(items.joined(separator: ", "))] } }")
    #expect(try home.run().result.ending == .exited(0))
    // Without checks, which an earlier version did not write, and with a field of a later one.
    let text = String(decoding: try home.queueFile(), as: UTF8.self)
      .replacing(/,?\n?"count":3/, with: "").replacing(/,"crc":"[0-9a-f]+"/, with: "")
      .replacing("\"sources\":", with: "\"padding\":\"\(String(repeating: "x", count: 1 << 20))\",\n\"sources\":")
    try FileBytes.write(Array(text.utf8), to: "\(home.state)/download_queue.json")
    #expect(try home.run().result.ending == .exited(0))
  }

  private func hasJournal() throws -> Bool {
    try FileTree.files(home.state, hidden: true).contains("download_queue.journal")
  }

  private func isPinned(_ name: String) throws -> Bool { try home.list()[name]?[path: "pinned"] == .bool(true) }

  @Test("stays as it is when a command changes an item; every command sees the change, and the next run writes it")
  func journaled() throws {
    let before = try home.queueFile()
    try home.edit("pin", "a")
    try home.edit("pin", "b")
    try home.edit("remove", "c")
    try home.edit("unpin", "b")
    #expect(try home.queueFile() == before && hasJournal())
    let items = try home.list()
    #expect(items["a"]?[path: "pinned"] == .bool(true) && items["b"]?[path: "pinned"] != .bool(true))
    #expect(items["c"]?[path: "state"] == .string("removed"))
    // A file that a person has put back from the trash is not that of an interrupted removal.
    #expect(try home.command("undo").run().ending == .exited(0))
    #expect(try hasJournal())
    let report = try home.run().report
    #expect(report[path: "exit_status"] == .number(0), "\(report)")
    #expect(try !hasJournal() && isPinned("a"))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3", "all/c.mp3"])
    #expect(server.requests.count == names.count)
  }

  @Test(
    "is as safe when a command is killed at any change of the disk", .requires(.strace),
    arguments: ["pwrite64", "fsync", "renameat2", "unlinkat"])
  func killed(call: String) throws {
    try home.edit("pin", "a")
    try home.edit("remove", "c")
    try copy(home.library, to: home.folder.file("before"))
    var point = 0
    var isKilled = true
    while isKilled {
      point += 1
      try FileTree.remove(home.library)
      try copy(home.folder.file("before"), to: home.library)
      let pin = home.editing("pin", "b")
      let strace = try #require(
        Tool.strace.command(
          ["-qq", "-f", "-o", home.folder.file("trace"), "-e", "trace=\(call)"]
            + ["-e", "inject=\(call):signal=KILL:when=\(point)", pin.executable] + pin.arguments))
      isKilled = try strace.run().ending == .killed(signal: 9)
      let moment = "\(call) \(point)"
      let isDone = try isPinned("b")
      #expect(try isPinned("a") && (isDone || isKilled), "\(moment)")
      let next = try home.command("run").run()
      #expect(next.ending == .exited(0), "\(moment): \(next.standardError)")
      #expect(try isPinned("a") && isPinned("b") == isDone, "\(moment)")
      #expect(try !hasJournal(), "\(moment)")
      #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"], "\(moment)")
    }
    #expect(server.requests.count == names.count)
  }

  private func copy(_ folder: String, to other: String) throws {
    #expect(try Command("/bin/cp", ["-a", folder, other]).run().ending == .exited(0))
  }
}
