// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A person's decisions outlive the queue file.
@Suite("decisions")
struct DecisionTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let names = ["a", "b", "c"]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for (seed, name) in names.enumerated() {
      let bytes = GeneratedAudio(title: name, seconds: 1, seed: UInt64(seed)).bytes
      server.serve("/\(name).mp3", Resource(bytes: bytes))
    }
    let items = names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      "playlists: { all: { retain: { drop_played_after: 0s }, items: [\(items.joined(separator: ", "))] } }")
    #expect(try home.run().result.ending == .exited(0))
  }

  private func loseQueue() throws {
    for name in try FileTree.files(home.state, hidden: true) where name.hasPrefix("download_queue") {
      try FileTree.remove("\(home.state)/\(name)")
    }
  }

  @Test("a lost queue file ends with 3, and with a word also under -q; pins and removals by hand are known")
  func queueLost() throws {
    try home.edit("pin", "a")
    try home.edit("remove", "b")
    try loseQueue()
    let result = try home.command("run", "--quiet").run()
    #expect(result.ending == .exited(3))
    #expect(result.standardOutput.isEmpty)
    #expect(result.standardError.contains("warning: the queue file is gone"), "\(result.standardError)")
    #expect(try home.command("run").run().ending == .exited(0))
    let items = try home.list()
    #expect(items["a"]?[path: "pinned"] == .bool(true) && items["a"]?[path: "state"] == .string("completed"))
    #expect(items["b"]?[path: "state"] == .string("removed"))
    #expect(server.requests.count == names.count)
    // A file that was removed before the loss can still be restored.
    #expect(try home.command("undo").run().ending == .exited(0))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3", "all/c.mp3"])
  }

  @Test(
    "a pause and a cancellation outlive the queue file",
    arguments: [("pause", "paused", "resume"), ("cancel", "cancelled", "retry")])
  func heldBack(command: String, state: String, back: String) throws {
    server.serve("/d.mp3", Resource(bytes: GeneratedAudio(title: "d", seconds: 1, seed: 9).bytes))
    try home.declare("playlists: { all: { items: [{ id: d, title: d, url: \"\(server.url("/d.mp3"))\" }] } }")
    #expect(try home.command("run", "--no-download").run().ending == .exited(0))
    try home.edit(command, "d")
    try loseQueue()
    #expect(try home.run().result.ending == .exited(3))
    _ = try home.run()
    #expect(try home.list()["d"]?[path: "state"] == .string(state))
    #expect(server.requests.count == names.count)
    try home.edit(back, "d")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.list()["d"]?[path: "state"] == .string("completed"))
  }

  @Test("what was played and dropped does not return when the queue file is lost")
  func played() throws {
    try home.edit("played", "c")
    #expect(try home.run().report[path: "totals.removed"] == .number(1))
    try loseQueue()
    #expect(try home.run().result.ending == .exited(3))
    #expect(try home.run().result.ending == .exited(0))
    #expect(server.requests.count == names.count)
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"])
  }

  @Test("a damaged file of decisions is kept aside, told, and made anew from the queue file")
  func damaged() throws {
    try home.edit("pin", "a", "b")
    let file = "\(home.state)/decisions.json"
    let good = try FileBytes.read(file)
    for damage in [[], [UInt8](repeating: 0, count: good.count), Array(good.prefix(good.count / 2))] {
      try FileBytes.write(damage, to: file)
      let (result, report) = try home.run()
      #expect(result.ending == .exited(3))
      #expect(report[path: "recovery.decisions_damaged"] != nil)
      #expect(try FileBytes.read(file) == good)
      #expect(try home.run().result.ending == .exited(0))
    }
  }

  @Test("a flipped bit in the decisions is told, also when the queue file is gone, and costs no other decision")
  func damagedAndLost() throws {
    try home.edit("pin", "a", "c")
    try home.edit("remove", "b")
    let file = "\(home.state)/decisions.json"
    let good = try FileBytes.text(file)
    let lineBreak = try #require(good.firstRange(of: "\n{\"id\":\"c\"")).lowerBound
    let place = good.utf8.distance(from: good.startIndex, to: lineBreak)
    for (offset, kept) in [(0, ["a", "c"]), (3, ["a"])] {
      var bytes = Array(good.utf8)
      bytes[place + offset] ^= 4
      try FileBytes.write(bytes, to: file)
      try loseQueue()
      let result = try home.command("run", "--quiet").run()
      #expect(result.ending == .exited(3))
      #expect(
        result.standardError.contains("the file of decisions (decisions.json) is damaged"), "\(result.standardError)")
      #expect(result.standardError.contains("kept as \"decisions.json.corrupt-"), "\(result.standardError)")
      #expect(try home.run().result.ending == .exited(0))
      let items = try home.list()
      #expect(items.filter { $0.value[path: "pinned"] == .bool(true) }.keys.sorted() == kept)
      #expect(items["b"]?[path: "state"] == .string("removed"))
      #expect(server.requests.count == names.count)
    }
  }

  @Test("a decision that is taken back is forgotten")
  func takenBack() throws {
    try home.edit("pin", "a")
    try home.edit("unpin", "a")
    try home.edit("pin", "b")
    let decisions = try JSONValue(FileBytes.read("\(home.state)/decisions.json"))
    #expect(decisions[path: "count"] == .number(1) && decisions[path: "decisions.0.id"] == .string("b"))
  }
}
