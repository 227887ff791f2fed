// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("clean, undo and verify")
struct KeepingTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in ["a", "b", "c"] { server.serve("/\(name).mp3", Resource(bytes: Self.bytes(name))) }
    try declare(["a", "b", "c"])
    #expect(try home.run().result.ending == .exited(0))
  }

  private static func bytes(_ name: String) -> [UInt8] {
    GeneratedAudio(title: name, seconds: 1, seed: name.utf8.reduce(7) { $0 * 31 + UInt64($1) }).bytes
  }

  private func declare(_ names: [String], _ sections: String = "storage: { orphans: remove }") throws {
    let items = names.map { "      - { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      "\(sections)\nplaylists:\n  all:\n    items: [\(items.isEmpty ? "]" : "")\n"
        + (items.isEmpty ? "" : items.map { String($0.dropFirst(8)) }.joined(separator: ",\n") + "]"))
  }

  private func path(_ name: String) -> String { "\(home.library)/all/\(name).mp3" }

  private func json(_ result: CommandResult) throws -> JSONValue {
    try #require(!result.stdout.isEmpty, "\(result.ending) \(result.standardError)")
    return try JSONValue(result.stdout)
  }

  // MARK: clean

  @Test("clean takes what nobody needs and leaves the rest, and a dry run tells the same and changes nothing")
  func clean() throws {
    let state = home.state
    try FileBytes.write([1, 2, 3], to: "\(state)/partial/0000.part")
    try FileBytes.write([1, 2], to: "\(state)/cache/.world.xml.tmp")
    try FileBytes.write([1], to: "\(state)/cache/gone.xml")
    try FileBytes.write([1, 2, 3, 4], to: "\(state)/download_queue.json.corrupt-2026-01-01T000000Z")
    try FileBytes.write([1], to: "\(state)/download_queue.json.corrupt-2999-01-01T000000Z")
    try FileBytes.write([7], to: "\(state)/trash/2026-01-01T000000Z/all/Old.mp3")
    try FileBytes.write([7], to: "\(state)/trash/2999-01-01T000000Z/all/New.mp3")
    let before = try FileTree.files(home.library, hidden: true).sorted()
    let dry = try json(home.command("clean", "--dry-run", "--json").run())
    #expect(try FileTree.files(home.library, hidden: true).sorted() == before)
    let done = try json(home.command("clean", "--json").run())
    #expect(done[path: "dry_run"] == .bool(false))
    #expect(done[path: "files"] == .number(5) && dry[path: "files"] == .number(5))
    #expect(done[path: "bytes_freed"] == .number(11) && dry[path: "bytes_freed"] == .number(11))
    for kind in ["trash", "orphan_partial", "temporary", "aside", "cache"] {
      #expect(done[path: "removed[kind=\(kind)].path"] == dry[path: "removed[kind=\(kind)].path"], "\(kind)")
      #expect(done[path: "removed[kind=\(kind)].path"] != nil, "\(kind)")
    }
    let after = Set(try FileTree.files(home.library, hidden: true))
    #expect(Set(before).subtracting(after).count == 5)
    #expect(after.contains(".syncjob/download_queue.json.corrupt-2999-01-01T000000Z"))
    #expect(after.contains(".syncjob/trash/2999-01-01T000000Z/all/New.mp3"))
    let again = try home.command("clean").run()
    #expect(again.ending == .exited(0) && again.standardOutput == "nothing to clean\n")
  }

  @Test("clean takes a partial that is too old from its item, and keeps one that is young")
  func oldPartial() throws {
    let gate = try Gate()
    let size = 400_000
    server.serve(
      "/d.mp3", Resource(body: GeneratedAudio(title: "d", seconds: 1, seed: 9).body(count: size), etag: "\"d\""))
    server.script("/d.mp3", [.hold(after: 300_000, gate)])
    try declare(["a", "b", "c", "d"])
    let run = try home.command("run", "--quiet").start()
    #expect(gate.waitForArrival())
    #expect(try eventually { try self.partials().contains { $0.size > 250_000 } })
    run.signal(SIGTERM)
    #expect(run.wait().ending == .exited(143))
    gate.open()
    let partial = try #require(try partials().first)
    #expect(try home.command("clean").run().standardOutput == "nothing to clean\n")
    var times = [timeval(tv_sec: 1_700_000_000, tv_usec: 0), timeval(tv_sec: 1_700_000_000, tv_usec: 0)]
    #expect(utimes("\(home.state)/partial/\(partial.path)", &times) == 0)
    let done = try json(home.command("clean", "--json").run())
    #expect(done[path: "removed.0.kind"] == .string("old_partial"))
    #expect(try partials().isEmpty)
    #expect(try home.list()["d"]?[path: "bytes_received"] == nil)
  }

  private func partials() throws -> [FileTree.Entry] { try FileTree.list("\(home.state)/partial") }

  // MARK: undo

  @Test("undo brings back what the last run removed, also by command, and the run before at the second call")
  func undo() throws {
    try declare(["a", "b"])
    let moments = ["2090-01-01T00:00:00Z", "2090-01-02T00:00:00Z"]
    #expect(try home.command("run", "--quiet", "--now", moments[0]).run().ending == .exited(0))
    try declare(["a"])
    #expect(try home.command("run", "--quiet", "--now", moments[1]).run().ending == .exited(0))
    #expect(try Set(FileTree.files(home.library)) == ["all.m3u8", "all/a.mp3"])
    let first = try home.command("undo").run()
    #expect(first.ending == .exited(0))
    #expect(
      first.standardOutput.contains("all/b.mp3") && first.standardOutput.contains("brought back; no playlist named it"))
    #expect(
      first.standardOutput.contains(#/of what was removed at 2090-01-02T00:00:..Z: 1 brought back \([0-9.]+ KiB\)\n$/#))
    let second = try json(home.command("undo", "--json").run())
    // The clock goes on from `--now`.
    #expect(second[path: "removed_at"]?.description.contains("2090-01-01T00:00:") == true)
    #expect(second[path: "restored.0.id"] == .string("c"))
    #expect(second[path: "restored.0.cause"] == .string("orphan"))
    #expect(try FileBytes.read(path("b")) == Self.bytes("b") && FileBytes.read(path("c")) == Self.bytes("c"))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3", "all/c.mp3"])
    #expect(try home.command("undo").run().standardOutput == "nothing to undo: the trash is empty\n")
    try declare(["a", "b", "c"])
    #expect(try home.command("run", "--json", "--now", "2090-01-03T00:00:00Z").run().ending == .exited(0))
    #expect(server.requests.count == 3)
  }

  @Test("undo overwrites nothing and says what it could not bring back")
  func undoWithObstacles() throws {
    #expect(try home.editing("remove", "a", "b").run().ending == .exited(0))
    try FileBytes.write([1, 2, 3], to: path("a"))
    let result = try home.command("undo", "--json").run()
    #expect(result.ending == .exited(3))
    let report = try json(result)
    #expect(report[path: "restored.count"] == .number(1) && report[path: "restored.0.id"] == .string("b"))
    #expect(report[path: "kept.0.path"] == .string("all/a.mp3") && report[path: "kept.0.reason"] == .string("taken"))
    #expect(try FileBytes.read(path("a")) == [1, 2, 3])
    try FileTree.remove(path("a"))
    #expect(try home.command("undo").run().ending == .exited(0))
    #expect(try FileBytes.read(path("a")) == Self.bytes("a"))
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"))
  }

  @Test("undo passes over what a repair moved into the trash since")
  func undoAfterRepair() throws {
    #expect(try home.editing("remove", "a").run().ending == .exited(0))
    try FileBytes.write([1, 2, 3], to: path("b"))
    #expect(try home.command("verify", "--repair").run().ending == .exited(0))
    #expect(try json(home.command("undo", "--json").run())[path: "restored.0.id"] == .string("a"))
    #expect(try home.command("undo").run().ending == .exited(3))
  }

  @Test("what cannot be brought back is named, and hides no earlier removal")
  func undoBehindObstacles() throws {
    for (names, moment) in [(["a", "b"], "2090-01-01T00:00:00Z"), (["a"], "2090-01-02T00:00:00Z")] {
      try declare(names)
      #expect(try home.command("run", "--quiet", "--now", moment).run().ending == .exited(0))
    }
    try FileBytes.write([1, 2, 3], to: path("b"))
    for restored in [1.0, 0] {
      let result = try home.command("undo", "--json").run()
      #expect(result.ending == .exited(3))
      let report = try json(result)
      #expect(report[path: "restored.count"] == .number(restored))
      #expect(report[path: "kept.count"] == .number(1) && report[path: "kept.0.path"] == .string("all/b.mp3"))
    }
    #expect(try FileBytes.read(path("c")) == Self.bytes("c"))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/c.mp3"])
  }

  @Test("undo names what is not in the trash any more")
  func undoOfMissing() throws {
    #expect(try home.editing("remove", "a", "b").run().ending == .exited(0))
    let trashed = try FileTree.files("\(home.state)/trash", hidden: true).filter { $0.hasSuffix("a.mp3") }
    for path in trashed { try FileTree.remove("\(home.state)/trash/\(path)") }
    let result = try home.command("undo").run()
    #expect(result.ending == .exited(3) && trashed.count == 1)
    #expect(result.standardOutput.contains("all/a.mp3") && result.standardOutput.contains("not in the trash any more"))
    #expect(
      result.standardOutput.contains(#/: 1 brought back \([0-9.]+ KiB\), 1 missing\n$/#), "\(result.standardOutput)")
  }

  @Test("undo leaves in the trash what is not what was removed")
  func undoOfStrangers() throws {
    try FileBytes.write([7], to: "\(home.state)/trash/2026-01-01T000000Z/all/Old.mp3")
    let result = try home.command("undo").run()
    #expect(result.ending == .exited(3))
    #expect(
      result.standardOutput
        == "  ! all/Old.mp3  1 B  stays in the trash: no item that is marked as removed has this path and these contents (after retry an item is not); move"
        + " it back yourself from \"\(home.state)/trash/2026-01-01T000000Z/all/Old.mp3\"\n"
        + "of what was removed at 2026-01-01T00:00:00Z: 1 left in the trash\n")
  }

  // MARK: verify

  @Test("verify finds what is missing and what has another size, reads nothing, and changes nothing")
  func verify() throws {
    let well = try home.command("verify").run()
    #expect(well.ending == .exited(0) && well.standardOutput.hasSuffix("checked: all OK\n"))
    try FileTree.remove(path("a"))
    try FileBytes.write([1, 2, 3], to: path("b"))
    let result = try home.command("verify", "--json").run()
    #expect(result.ending == .exited(3))
    let report = try json(result)
    #expect(report[path: "missing"] == .number(1) && report[path: "damaged"] == .number(1))
    #expect(report[path: "well"] == .number(1) && report[path: "exit_status"] == .number(3))
    #expect(report[path: "findings[id=a].finding"] == .string("missing"))
    #expect(report[path: "findings[id=b].finding"] == .string("wrong_size"))
    #expect(report[path: "findings[id=b].found_bytes"] == .number(3))
    #expect(try FileBytes.read(path("b")) == [1, 2, 3])
    let quiet = try home.command("verify", "--quiet").run()
    #expect(quiet.ending == .exited(3) && quiet.standardOutput.isEmpty)
    #expect(quiet.standardError.contains("all/a.mp3") && quiet.standardError.contains("missing"))
  }

  @Test("verify --deep reads every byte; --repair moves what is damaged to the trash and has it fetched again")
  func deepRepair() throws {
    var bytes = Self.bytes("c")
    bytes[bytes.count / 2] ^= 1
    try FileBytes.write(bytes, to: path("c"))
    try FileTree.remove(path("a"))
    try FileBytes.write([9], to: "\(home.library)/all/Stranger.mp3")
    #expect(try json(home.command("verify", "--json").run())[path: "damaged"] == .number(0))
    let found = try home.command("verify", "--deep").run()
    #expect(found.ending == .exited(3))
    #expect(found.standardOutput.contains("damaged: its contents have changed"))
    #expect(
      found.standardOutput.contains("have them fetched again with: syncjob verify \(home.manifest) --repair --deep"))
    let repaired = try home.command("verify", "--deep", "--repair", "--json").run()
    #expect(repaired.ending == .exited(0))
    #expect(try json(repaired)[path: "repaired"] == .number(2))
    let trashed = try FileTree.files("\(home.state)/trash", hidden: true)
    #expect(trashed.count == 1)
    #expect(try FileBytes.read("\(home.state)/trash/\(trashed[0])") == bytes)
    #expect(try home.list()["a"]?[path: "state"] == .string("queued"))
    #expect(try FileBytes.text("\(home.library)/all.m3u8").contains("b.mp3"))
    #expect(try home.run().report[path: "totals.downloaded"] == .number(2))
    #expect(try home.command("verify", "--deep").run().ending == .exited(0))
    #expect(try FileBytes.read("\(home.library)/all/Stranger.mp3") == [9])
  }

  @Test("a damaged file that nothing names any more is named and stays: nobody would fetch it again")
  func unnamedRepair() throws {
    try declare(["a", "b"], "storage: { orphans: keep }")
    #expect(try home.run().result.ending == .exited(0))
    var bytes = Self.bytes("c")
    bytes[bytes.count / 2] ^= 1
    try FileBytes.write(bytes, to: path("c"))
    let result = try home.command("verify", "--deep", "--repair").run()
    #expect(result.ending == .exited(3))
    #expect(result.standardOutput.contains("it stays as it is: nothing names it any more"), "\(result.standardOutput)")
    #expect(try FileBytes.read(path("c")) == bytes)
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.ownedPaths().contains("all/c.mp3"))
  }

  @Test("what is no plain file of ours is told of and never touched, not even by --repair")
  func foreign() throws {
    #expect(link(path("a"), home.folder.file("second")) == 0)
    try FileTree.remove(path("b"))
    #expect(symlink("/etc/hostname", path("b")) == 0)
    let result = try home.command("verify", "--deep", "--repair", "--json").run()
    #expect(result.ending == .exited(3))
    #expect(try json(result)[path: "foreign"] == .number(2) && json(result)[path: "repaired"] == .number(0))
    var facts = stat()
    #expect(lstat(path("b"), &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
    #expect(try FileBytes.read(home.folder.file("second")) == Self.bytes("a"))
  }

  @Test("on a terminal a deep check shows how far it is, and leaves nothing of that", .requires(.script))
  func progress() throws {
    let check = home.command("verify", "--deep")
    let line = ([check.executable] + check.arguments).map { "'\($0)'" }.joined(separator: " ")
    let result = try #require(
      Tool.script.command(["-qec", "\(line) 2>\(home.folder.file("tty")) ", "/dev/null"])
    ).run()
    #expect(result.ending == .exited(0))
    #expect(try FileBytes.read(home.folder.file("tty")).isEmpty)
    let shown = try #require(Tool.script.command(["-qec", line, "/dev/null"])).run().standardOutput
    #expect(shown.contains("checked 1 of 3 files, "))
    #expect(shown.hasSuffix("read and compared: all OK\r\n"))
  }

  @Test("the commands take the lock when they change something, and tell who holds it")
  func locked() throws {
    let gate = try Gate()
    server.serve("/d.mp3", Resource(bytes: Self.bytes("d")))
    server.script("/d.mp3", [.hold(after: 100, gate)])
    try declare(["a", "b", "c", "d"])
    let run = try home.command("run", "--quiet").start()
    #expect(gate.waitForArrival())
    for command in [["clean"], ["undo"], ["verify", "--repair"]] {
      let result = try home.command(command[0], options: Array(command.dropFirst())).run()
      #expect(result.ending == .exited(11), "\(command)")
      #expect(result.standardError.contains("(process \(run.pid), since "))
    }
    #expect(try home.command("clean", "--dry-run").run().ending == .exited(0))
    #expect(try home.command("verify").run().ending == .exited(0))
    gate.open()
    #expect(run.wait().ending == .exited(0))
  }
}

extension Tool {
  /// Gives a program a terminal.
  fileprivate static let script = Tool("script")
}
