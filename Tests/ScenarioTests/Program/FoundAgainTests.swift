// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Files in the library that the queue does not list, or lists at another path.
@Suite("files that are found again")
struct FoundAgainTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in ["a", "b", "c", "d"] { server.serve("/\(name).mp3", Resource(bytes: Self.bytes(name))) }
  }

  /// All files have one size, so that a size alone proves nothing.
  private static func bytes(_ name: String) -> [UInt8] {
    GeneratedAudio(title: name, seconds: 1, seed: name.utf8.reduce(7) { $0 * 31 + UInt64($1) }).bytes
  }

  private func declare(_ names: [String], storage: String = "{}") throws {
    let items = names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      "storage: \(storage)\nreport: { m3u8: false }\nplaylists: { all: { items: [\(items.joined(separator: ", "))] } }")
  }

  private func run(expecting status: Int32 = 0) throws -> JSONValue {
    let (result, report) = try home.run()
    #expect(result.ending == .exited(status), "\(result.standardError)")
    return report
  }

  private func move(_ path: String, to other: String) throws {
    try FileBytes.write(try FileBytes.read("\(home.library)/\(path)"), to: "\(home.library)/\(other)")
    try FileTree.remove("\(home.library)/\(path)")
  }

  private func expectInPlace(_ names: [String], _ moment: String = "") throws {
    #expect(try Set(FileTree.files(home.library)) == Set(names.map { "all/\($0).mp3" }), "\(moment)")
    #expect(try home.ownedPaths() == Set(names.map { "all/\($0).mp3" }), "\(moment)")
    for name in names {
      let isWhole = try FileBytes.read("\(home.library)/all/\(name).mp3") == Self.bytes(name)
      #expect(isWhole, "\(moment): \(name)")
    }
  }

  // MARK: A foreign file

  @Test("a foreign file with the very bytes that were fetched becomes the item's, and no copy appears beside it")
  func twin() throws {
    try declare(["a", "b"])
    try FileBytes.write(Self.bytes("a"), to: "\(home.library)/all/a.mp3")
    let report = try run()
    #expect(report[path: "totals.adopted"] == .number(1) && report[path: "totals.downloaded"] == .number(1))
    #expect(report[path: "items[id=a].action"] == .string("adopt"))
    try expectInPlace(["a", "b"])
    #expect(try home.strays().isEmpty)
    server.clearLog()
    _ = try run()
    #expect(server.requests.isEmpty)
  }

  @Test("a foreign file of the same size and other bytes stays whose it is")
  func noTwin() throws {
    try declare(["a"])
    try FileBytes.write(Self.bytes("b"), to: "\(home.library)/all/a.mp3")
    #expect(try run()[path: "totals.downloaded"] == .number(1))
    #expect(try FileBytes.read("\(home.library)/all/a.mp3") == Self.bytes("b"))
    #expect(try home.ownedPaths().count == 1 && !home.ownedPaths().contains("all/a.mp3"))
  }

  // MARK: Renamed by hand

  @Test("finished files that a person renamed or moved go back to their places, and nothing is fetched")
  func renamed() throws {
    try declare(["a", "b", "c", "d"])
    _ = try run()
    try move("all/a.mp3", to: "all/My favourite.mp3")
    try move("all/b.mp3", to: "elsewhere/deep/b.mp3")
    server.clearLog()
    let plan = try JSONValue(try home.command("plan", "--json").run().stdout)
    #expect(plan[path: "totals.move"] == .number(2) && plan[path: "totals.download"] == .number(0))
    let shown = try home.command("plan").run().standardOutput
    #expect(shown.contains("found at all/My favourite.mp3"), "\(shown)")
    let report = try run()
    #expect(report[path: "totals.moved"] == .number(2))
    #expect(report[path: "items[id=b].from"] == .string("elsewhere/deep/b.mp3"))
    #expect(server.requests.isEmpty)
    try expectInPlace(["a", "b", "c", "d"])
  }

  @Test("a file that is really gone is fetched again, whatever other files have its size")
  func gone() throws {
    try declare(["a", "b"])
    _ = try run()
    try FileBytes.write(Self.bytes("c"), to: "\(home.library)/mine/c.mp3")
    try FileTree.remove("\(home.library)/all/a.mp3")
    #expect(try run()[path: "totals.downloaded"] == .number(1))
    #expect(try FileBytes.read("\(home.library)/mine/c.mp3") == Self.bytes("c"))
  }

  @Test("a file that a person moved is one that was not deleted, also where deleted files are not fetched again")
  func skipped() throws {
    try declare(["a", "b"], storage: "{ on_missing: skip }")
    _ = try run()
    try move("all/a.mp3", to: "all/other.mp3")
    #expect(try run()[path: "totals.moved"] == .number(1))
    try expectInPlace(["a", "b"])
  }

  @Test("verify names the new place of a moved file, and --repair brings it back without a request")
  func verified() throws {
    try declare(["a", "b", "c"])
    _ = try run()
    try move("all/a.mp3", to: "all/My favourite.mp3")
    try FileTree.remove("\(home.library)/all/c.mp3")
    server.clearLog()
    let shown = try home.command("verify").run()
    #expect(shown.ending == .exited(3))
    #expect(
      shown.standardOutput.contains(
        "moved by hand: it is at \"all/My favourite.mp3\"; the next run moves it to its place"), "\(shown)")
    #expect(shown.standardOutput.contains("1 OK, 1 missing, 1 moved by hand; have"), "\(shown)")
    let report = try JSONValue(try home.command("verify", "--json", "--deep").run().stdout)
    #expect(report[path: "missing"] == .number(1) && report[path: "moved_by_hand"] == .number(1))
    #expect(report[path: "findings[id=a].finding"] == .string("moved_by_hand"))
    #expect(report[path: "findings[id=a].found_at"] == .string("all/My favourite.mp3"))
    let repaired = try home.command("verify", "--repair").run()
    #expect(repaired.ending == .exited(0))
    #expect(repaired.standardOutput.contains("recorded there; the next run moves it to its place"), "\(repaired)")
    #expect(try home.ownedPaths() == ["all/My favourite.mp3", "all/b.mp3"])
    #expect(try run()[path: "totals.moved"] == .number(1))
    try expectInPlace(["a", "b", "c"])
    #expect(server.requests.map(\.path) == ["/c.mp3"])
  }

  @Test("remove takes a moved file where it is, undo puts it back there, and a rehearsal tells the same")
  func removed() throws {
    try declare(["a", "b"])
    _ = try run()
    try move("all/a.mp3", to: "elsewhere/deep/favourite.mp3")
    let note = "; its file was found at \"elsewhere/deep/favourite.mp3\", where it was moved by hand\n"
    #expect(try home.editing("remove", "-n", "a").run().standardOutput == "would remove \"a\"" + note)
    #expect(try FileTree.files(home.library).contains("elsewhere/deep/favourite.mp3"))
    #expect(try home.editing("remove", "a").run().standardOutput == "removed \"a\"" + note)
    #expect(try FileTree.files(home.library) == ["all/b.mp3"])
    #expect(try home.command("undo").run().ending == .exited(0))
    #expect(try FileBytes.read("\(home.library)/elsewhere/deep/favourite.mp3") == Self.bytes("a"))
    server.clearLog()
    _ = try run()
    try expectInPlace(["a", "b"])
    #expect(server.requests.isEmpty)
  }

  @Test("remove says so if the file of an item is not in the library")
  func removedAbsent() throws {
    try declare(["a", "b"])
    _ = try run()
    try FileTree.remove("\(home.library)/all/a.mp3")
    try FileBytes.write(Self.bytes("c"), to: "\(home.library)/all/mine.mp3")
    let result = try home.editing("remove", "a").run()
    #expect(result.ending == .exited(0))
    #expect(result.standardOutput == "removed \"a\"; its file was not in the library\n")
    #expect(try FileBytes.read("\(home.library)/all/mine.mp3") == Self.bytes("c"))
  }

  @Test("of the file of an item that nobody names any more, the queue learns the new place")
  func orphan() throws {
    try declare(["a", "b"])
    _ = try run()
    try declare(["b"])
    try move("all/a.mp3", to: "all/other.mp3")
    _ = try run()
    #expect(try home.ownedPaths() == ["all/b.mp3", "all/other.mp3"])
  }

  @Test(
    "a run that is killed while a file goes back leaves it at one of the two places", .requires(.strace),
    arguments: ["renameat2", "fsync", "pwrite64"])
  func killed(call: String) throws {
    try declare(["a", "b"])
    _ = try run()
    try move("all/a.mp3", to: "elsewhere/renamed.mp3")
    server.clearLog()
    try KillSweep(home: home, call: call).run { try expectInPlace(["a", "b"], $0) }
    #expect(server.requests.isEmpty)
  }

  @Test(
    "a run that is killed while it takes a twin over leaves one file", .requires(.strace),
    arguments: ["unlinkat", "fsync", "pwrite64"])
  func killedTwin(call: String) throws {
    try declare(["a"])
    #expect(try home.command("init").run().ending == .exited(0))
    try FileBytes.write(Self.bytes("a"), to: "\(home.library)/all/a.mp3")
    try KillSweep(home: home, call: call).run { try expectInPlace(["a"], $0) }
  }

  // MARK: Lost lines of the journal

  /// Kills a run of four files while the last one comes in.
  private func kill() throws {
    let gate = try Gate()
    server.script("/d.mp3", [.hold(after: 1000, gate)])
    let run = try home.command("run", "--quiet", "--concurrency", "1").start()
    #expect(gate.waitForArrival())
    #expect(try eventually { try home.list()["c"]?[path: "state"] == .string("completed") })
    run.signal(SIGKILL)
    #expect(run.wait().ending == .killed(signal: 9))
    gate.open()
    server.script("/d.mp3", [.honest])
  }

  private var journal: String { "\(home.state)/download_queue.journal" }

  @Test("whatever lines the journal loses, no file appears twice and none becomes a stranger")
  func lostLines() throws {
    try declare(["a", "b", "c", "d"])
    try kill()
    let whole = try FileBytes.read(journal)
    let before = home.folder.file("before")
    #expect(try Command("/bin/cp", ["-a", home.library, before]).run().ending == .exited(0))
    let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    func joined(_ lines: some Sequence<ArraySlice<UInt8>>) -> [UInt8] { lines.flatMap { $0 + [UInt8(ascii: "\n")] } }
    for index in lines.indices.dropFirst() {
      let flipped = whole.enumerated().map { offset, byte in
        offset == lines[index].startIndex + 3 ? byte ^ 0x04 : byte
      }
      for (moment, bytes) in [
        ("cut inside line \(index)", Array(whole[..<(lines[index].startIndex + 5)])),
        ("cut before line \(index)", joined(lines[..<index])),
        ("without line \(index)", joined(lines[..<index]) + joined(lines[(index + 1)...])),
        ("a flipped bit in line \(index)", flipped),
      ] {
        try FileTree.remove(home.library)
        #expect(try Command("/bin/cp", ["-a", before, home.library]).run().ending == .exited(0))
        try FileBytes.write(bytes, to: journal)
        _ = try home.command("run").run()
        let next = try home.command("run").run()
        #expect(next.ending == .exited(0), "\(moment): \(next.standardError)")
        try expectInPlace(["a", "b", "c", "d"], moment)
      }
    }
  }

  @Test("files whose lines are lost are taken over by their places, and not fetched again")
  func adoptedByPlace() throws {
    try declare(["a", "b", "c", "d"])
    try kill()
    let whole = try FileBytes.read(journal)
    let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    // The header and the beginning of the first record.
    try FileBytes.write(Array(whole[..<(lines[1].startIndex + 20)]), to: journal)
    server.clearLog()
    _ = try home.command("run").run()
    let last = try home.command("run").run()
    #expect(last.ending == .exited(0))
    #expect(server.requests.allSatisfy { $0.path == "/d.mp3" }, "\(server.requests.map(\.path))")
    try expectInPlace(["a", "b", "c", "d"])
  }
}
