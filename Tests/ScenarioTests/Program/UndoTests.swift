// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("undo, and what stands in its way")
struct UndoTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for (seed, name) in ["a", "b", "c", "x"].enumerated() {
      let audio = GeneratedAudio(title: name, seconds: 1, seed: UInt64(seed + 40))
      server.serve("/\(name).mp3", Resource(bytes: audio.bytes))
    }
    try declare(["a", "b", "c"])
    #expect(try home.run().result.ending == .exited(0))
  }

  private func declare(
    _ names: [String], titled titles: [String: String] = [:], _ sections: String = "storage: { orphans: remove }"
  ) throws {
    let items = names.map {
      "{ id: \($0), title: \(titles[$0] ?? $0), url: \"\(server.url("/\($0).mp3"))\" }"
    }
    try home.declare("\(sections)\nplaylists: { all: { items: [\(items.joined(separator: ", "))] } }")
  }

  private func run(at now: String? = nil) throws {
    let result = try home.command("run", options: ["--quiet"] + (now.map { ["--now", $0] } ?? [])).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  /// The restored files, and the others with the reasons.
  private func undo() throws -> (restored: [String], kept: [String]) {
    let result = try home.command("undo", "--json").run()
    let report = try JSONValue(result.stdout)
    func texts(_ list: String, _ fields: String...) -> [String] {
      guard case .number(let count)? = report[path: "\(list).count"] else { return [] }
      return (0..<Int(count)).map { index in
        fields.compactMap { report[path: "\(list).\(index).\($0)"]?.description }.joined(separator: " ")
      }
    }
    let kept = texts("kept", "path", "reason", "id")
    #expect(result.ending == .exited(kept.isEmpty ? 0 : 3))
    return (texts("restored", "id"), kept)
  }

  @Test("one undo brings back what one run removed, though the next removed something in the same second")
  func oneSecond() throws {
    // The clock goes on from `--now`, and a busy machine may need more than a second.
    for _ in 1...10 where try UndoTests().undoesOneSecond() { return }
    Issue.record("three runs were never within one second")
  }

  /// - Returns: False if the runs were not within one second.
  private func undoesOneSecond() throws -> Bool {
    let moment = "2090-01-01T00:00:00Z"
    for names in [["a", "b"], ["a"], []] {
      try declare(names)
      try run(at: moment)
    }
    let queue = String(decoding: try home.queueFile(), as: UTF8.self)
    guard queue.ranges(of: "\"removed\":{\"cause\":\"orphan\",\"at\":\"\(moment)\"").count == 3 else { return false }
    #expect(queue.contains("\"removed\":{\"cause\":\"orphan\",\"at\":\"\(moment)\",\"turn\":3}"))
    #expect(try undo().restored == ["a"])
    #expect(try undo().restored == ["b"])
    #expect(try undo().restored == ["c"])
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3", "all/c.mp3"])
    return true
  }

  @Test("a file that a person has copied back from the trash is brought back once")
  func copiedBack() throws {
    try declare(["b", "c"])
    try run()
    let trash = "\(home.state)/trash"
    let copy = try #require(try FileTree.files(trash).first { $0.hasSuffix("all/a.mp3") })
    try FileBytes.write(try FileBytes.read("\(trash)/\(copy)"), to: "\(home.library)/all/a.mp3")
    let undone = try undo()
    #expect(undone.restored == ["a"] && undone.kept.isEmpty, "\(undone)")
    #expect(try home.ownedPaths().contains("all/a.mp3"))
  }

  @Test("its item has its file there again")
  func fetchedAgain() throws {
    try home.edit("remove", "a")
    try home.edit("retry", "a")
    try run()
    #expect(try undo().kept == ["all/a.mp3 taken_by_item a"])
  }

  @Test("another item has been given its path and the same contents, whether that file is there or not")
  func takenByTwin() throws {
    try declare(["b", "c"])
    try run()
    server.serve("/again.mp3", Resource(bytes: GeneratedAudio(title: "a", seconds: 1, seed: 40).bytes))
    try declare(["again", "b", "c"], titled: ["again": "a"])
    try run()
    #expect(try home.ownedPaths().contains("all/a.mp3"))
    for isThere in [true, false] {
      if !isThere { try FileTree.remove("\(home.library)/all/a.mp3") }
      let (restored, kept) = try undo()
      #expect(restored == [] && kept == ["all/a.mp3 taken_by_item again"], "\(restored) \(kept)")
      let status = try home.command("status").run()
      #expect(status.ending == .exited(0) && status.standardError == "", "\(status.standardError)")
    }
  }

  @Test("its item has the same file elsewhere")
  func elsewhere() throws {
    try home.edit("remove", "a")
    try home.edit("retry", "a")
    try declare(["a", "b", "c"], titled: ["a": "Another name"])
    try run()
    #expect(try undo().kept == ["all/a.mp3 has_it_again a"])
    let words = try home.command("undo").run().standardOutput
    #expect(words.contains("stays in the trash: \"a\" has the same file already: all/Another name.mp3"), "\(words)")
  }

  @Test("another item's file is in its place, a stranger's, or something that is no folder")
  func taken() throws {
    try home.edit("remove", "a", "b")
    try declare(["x", "c"], titled: ["x": "a"])
    try run()
    try FileBytes.write([1, 2], to: "\(home.library)/all/b.mp3")
    #expect(try undo().kept == ["all/a.mp3 taken_by_item x", "all/b.mp3 taken"])
    try home.edit("remove", "x", "c")
    try FileTree.remove("\(home.library)/all")
    try FileBytes.write([1, 2], to: "\(home.library)/all")
    #expect(
      try Set(undo().kept) == ["all/a.mp3 obstructed", "all/b.mp3 obstructed", "all/c.mp3 obstructed"])
  }

  @Test("it was changed in the trash, and what was taken from there stayed too long, or not")
  func changed() throws {
    try home.edit("remove", "a", "b", "c")
    let trash = "\(home.state)/trash"
    for path in try FileTree.files(trash, hidden: true) {
      if path.hasSuffix("a.mp3") { try FileBytes.write([1, 2], to: "\(trash)/\(path)") }
      if path.hasSuffix("b.mp3") { try FileTree.remove("\(trash)/\(path)") }
    }
    try declare(["a", "b", "c"], "storage: { trash: { keep: 0s } }")
    let (restored, kept) = try undo()
    #expect(restored == ["c"])
    #expect(kept == ["all/a.mp3 changed a", "all/b.mp3 expired"])
  }
}
