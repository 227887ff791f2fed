// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// The queue file proves itself: changes by damage or by a person are found and reported, and cost no file.
@Suite("a queue file that is not as it was written")
struct QueueProofTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private var file: String { "\(home.state)/download_queue.json" }
  private let names = ["e1", "e2", "e3"]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in names { server.serve("/\(name).mp3", Resource(bytes: Self.bytes(name))) }
    let items = names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare("playlists: { all: { items: [\(items.joined(separator: ", "))] } }")
    #expect(try home.run().result.ending == .exited(0))
  }

  private static func bytes(_ name: String) -> [UInt8] {
    GeneratedAudio(title: name, seconds: 1, seed: name.utf8.reduce(7) { $0 * 31 + UInt64($1) }).bytes
  }

  private func lines() throws -> [String] {
    try FileBytes.text(file).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func write(_ lines: [String]) throws { try FileBytes.write(lines.joined(separator: "\n"), to: file) }

  private func position(_ id: String) throws -> Int {
    try #require(try lines().firstIndex { $0.hasPrefix("{\"id\":\"\(id)\"") })
  }

  /// Replaces the line of the item `e2`, runs, and expects a run that recovers everything.
  /// - Returns: The report of that run.
  private func runAfterEdit(_ edit: (String) -> [String]) throws -> JSONValue {
    var all = try lines()
    let place = try position("e2")
    all.replaceSubrange(place...place, with: edit(all[place]))
    try write(all)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3))
    try expectAllWell("an edited line")
    return report
  }

  /// Checks that every item is there with its own bytes, nothing was fetched again, and there are no other files.
  private func expectAllWell(_ moment: String) throws {
    for name in names {
      #expect(try FileBytes.read("\(home.library)/all/\(name).mp3") == Self.bytes(name), "\(moment)")
    }
    #expect(try home.ownedPaths() == Set(names.map { "all/\($0).mp3" }), "\(moment)")
    #expect(try home.strays().isEmpty, "\(moment)")
    #expect(server.requests.count == names.count, "\(moment): fetched again")
    let (next, report) = try home.run()
    #expect(next.ending == .exited(0) && report[path: "recovery"] == nil, "\(moment)")
    #expect(try home.command("verify", "--deep").run().ending == .exited(0), "\(moment)")
  }

  @Test("a flipped bit is told and harms nothing", arguments: 0..<12)
  func flippedBit(_ seed: Int) throws {
    var bytes = try home.queueFile()
    let place = (seed * 7919 + 1013) % (bytes.count - 1)
    bytes[place] ^= 1 << UInt8(seed % 8)
    try FileBytes.write(bytes, to: file)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3) || result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "recovery"] != nil, "byte \(place) is taken in silence")
    try expectAllWell("byte \(place)")
  }

  @Test("an older copy in its place takes away neither pins nor removals nor plays")
  func outdated() throws {
    let old = try home.queueFile()
    try home.edit("pin", "e1")
    try home.edit("remove", "e2")
    try home.edit("played", "e3")
    let before = try FileBytes.read("\(home.state)/decisions.json")
    try FileBytes.write(old, to: "\(home.state)/download_queue.json")
    let result = try home.command("run", "--json", "--no-download").run()
    let report = try JSONValue(result.stdout)
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(
      report[path: "recovery.problem"] == .string("it is an older copy: the files beside it were written later"),
      "\(report)")
    let items = try home.list()
    #expect(items["e1"]?[path: "pinned"] == .bool(true))
    #expect(items["e2"]?[path: "state"] == .string("removed"))
    #expect(items["e3"]?[path: "play_count"] == .number(1), "\(String(describing: items["e3"]))")
    #expect(try FileBytes.read("\(home.state)/decisions.json") == before)
  }

  @Test("two items that became one line are told apart again")
  func joined() throws {
    let all = try lines()
    let (first, second) = (try position("e1"), try position("e2"))
    for (head, tail) in [(40, 60), (120, 200), (200, 120), (all[first].count - 3, all[second].count - 1)] {
      let joined = String(all[first].prefix(head)) + String(all[second].suffix(tail))
      try write(Array(all[..<first]) + [joined] + Array(all[(second + 1)...]))
      let (result, report) = try home.run()
      #expect(result.ending == .exited(3), "\(head), \(tail)")
      #expect(report[path: "recovery"] != nil)
      try expectAllWell("\(head), \(tail)")
      #expect(try lines().count == all.count)
    }
  }

  @Test("an id that was edited is restored, and no item is named that never was")
  func editedID() throws {
    let report = try runAfterEdit { ["{\"id\":\"nobody\"" + $0.dropFirst("{\"id\":\"e2\"".count)] }
    #expect(report[path: "recovery.lines_restored.count"] == .number(1), "\(report)")
    #expect(report[path: "recovery.lines_restored.0"] == .string("e2"))
  }

  @Test("a line that was invented is told and left out")
  func inventedLine() throws {
    let report = try runAfterEdit { ["{\"id\":\"nobody\"" + $0.dropFirst("{\"id\":\"e2\"".count), $0] }
    #expect(report[path: "recovery"] != nil)
  }

  @Test("a field that an item has twice is named")
  func repeatedField() throws {
    let report = try runAfterEdit { ["{\"id\":\"e2\",\"title\":\"x\"" + $0.dropFirst("{\"id\":\"e2\"".count)] }
    #expect(report[path: "recovery.problem"] == .string("the item \"e2\" has the field \"title\" twice"))
  }

  @Test("files that two items exchanged are never called well, and go back to their items")
  func exchanged() throws {
    var all = try lines()
    let (first, second) = (try position("e1"), try position("e2"))
    func facts(_ line: String) throws -> Range<String.Index> {
      let start = try #require(line.firstRange(of: "\"path\":")).lowerBound
      return start..<(try #require(line.firstRange(of: "\"completed_at\"")).lowerBound)
    }
    let (own, other) = (String(all[first][try facts(all[first])]), String(all[second][try facts(all[second])]))
    all[first].replaceSubrange(try facts(all[first]), with: other)
    all[second].replaceSubrange(try facts(all[second]), with: own)
    try write(all)
    for deep in [[], ["--deep"]] {
      let verify = try home.command("verify", options: deep).run()
      #expect(verify.ending == .exited(3))
      #expect(!verify.standardOutput.contains("all OK"), "\(verify.standardOutput)")
      #expect(verify.standardError.contains("2 lines of the queue file were damaged"), "\(verify.standardError)")
    }
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3))
    #expect(report[path: "recovery.lines_restored"] == .array([.string("e1"), .string("e2")]))
    try expectAllWell("exchanged")
  }

  @Test("an edit by hand that no file contradicts is taken and told, and ends with 0")
  func edited() throws {
    var all = try lines()
    let place = try position("e2")
    all[place] = "{\"id\":\"e2\",\"pinned\":true" + all[place].dropFirst("{\"id\":\"e2\"".count)
    try write(all)
    let list = try home.command("list").run()
    #expect(list.standardError.contains("1 line of the queue file was changed by something other than syncjob"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "recovery.lines_edited"] == .array([.string("e2")]))
    #expect(try home.list()["e2"]?[path: "pinned"] == .bool(true))
    try expectAllWell("edited")
  }

  @Test("a hash that somebody changed is not believed against the file")
  func wrongHash() throws {
    var all = try lines()
    let place = try position("e3")
    let hash = try #require(all[place].firstRange(of: "\"sha256\":\"")).upperBound
    let digit = all[place][hash]
    all[place].replaceSubrange(hash...hash, with: digit == "0" ? "1" : "0")
    try write(all)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3))
    #expect(report[path: "recovery.lines_restored"] == .array([.string("e3")]))
    try expectAllWell("hash")
  }

  @Test("with no earlier copy the library tells whose the file of a damaged line is")
  func alone() throws {
    for name in ["download_queue.prev.json", "download_queue.prev.journal"] {
      try FileTree.remove("\(home.state)/\(name)")
    }
    var all = try lines()
    let place = try position("e3")
    all[place] = all[place].replacing("all/e3.mp3", with: "all/e4.mp3")
    try write(all)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "recovery.lines_lost"] == .array([.string("e3")]))
    #expect(report[path: "totals.adopted"] == .number(1))
    try expectAllWell("alone")
  }
}
