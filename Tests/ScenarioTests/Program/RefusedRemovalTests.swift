// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// The system refuses to remove a file: its folder belongs to somebody else.
@Suite("a file that may not be removed", .requires(.strace))
struct RefusedRemovalTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b")
    try declare(["a", "b"])
    #expect(try home.run().result.ending == .exited(0))
  }

  private func declare(_ names: [String]) throws {
    let items = names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      "storage: { orphans: remove }\nplaylists: { all: { items: [\(items.joined(separator: ", "))] } }")
  }

  /// The first move of a file to another folder fails, or ends the program.
  private func run(_ command: Command, _ injection: String) throws -> CommandResult {
    let strace = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-o", home.folder.file("trace"), "-e", "trace=renameat2"]
          + ["-e", "inject=renameat2:\(injection):when=1", command.executable] + command.arguments))
    return try strace.run()
  }

  private let sentence =
    "\"all/a.mp3\" cannot be removed and stays: permission denied; check who owns it and who may write there"

  private func expectUntouched() throws {
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"])
    #expect(try home.editing("pin", "b").run().ending == .exited(0))
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.strays().isEmpty)
  }

  @Test(
    "stays the item's when a command was to remove it, with a word of why", arguments: ["EACCES", "EPERM", "EBUSY"])
  func command(error: String) throws {
    let result = try run(home.editing("remove", "a"), "error=\(error)")
    #expect(result.ending == .exited(3) && result.standardOutput.isEmpty)
    #expect(result.standardError.hasPrefix("\"all/a.mp3\" cannot be removed and stays: "), "\(result.standardError)")
    #expect(try FileTree.names("\(home.state)/trash").isEmpty)
    try expectUntouched()
  }

  @Test("costs a run a warning, and goes when it may")
  func orphan() throws {
    try declare(["b"])
    let result = try run(home.command("run", "--json"), "error=EACCES")
    #expect(result.ending == .exited(3))
    let report = try JSONValue(result.stdout)
    #expect(report[path: "warnings"] == .array([.string(sentence)]))
    #expect(report[path: "totals.removed"] == .number(0))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"])
    #expect(try home.run().report[path: "totals.removed"] == .number(1))
  }

  @Test("keeps nobody out of a library whose last run was stopped at it", arguments: ["pin", "run"])
  func opening(next: String) throws {
    #expect(try run(home.editing("remove", "a"), "signal=KILL").ending == .killed(signal: 9))
    let command = next == "run" ? home.command("run") : home.editing("pin", "b")
    let result = try run(command, "error=EACCES")
    #expect(result.ending == .exited(next == "run" ? 3 : 0), "\(result.standardOutput)")
    #expect((result.standardError + result.standardOutput).contains(sentence), "\(result.standardError)")
    try expectUntouched()
  }

  @Test("an edited file stays, and its item is not said to be removed")
  func edited() throws {
    try FileBytes.write([1, 2, 3], to: "\(home.library)/all/a.mp3")
    let result = try home.editing("remove", "a", "b").run()
    #expect(result.ending == .exited(3) && result.standardOutput == "removed \"b\"\n")
    #expect(
      result.standardError
        == "\"all/a.mp3\" stays: it is not the file that was fetched for \"a\"; move it away yourself\n")
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"))
    #expect(try FileBytes.read("\(home.library)/all/a.mp3") == [1, 2, 3])
    try FileTree.remove("\(home.library)/all/a.mp3")
    #expect(try home.run().report[path: "totals.downloaded"] == .number(1))
  }

  @Test("undo passes over what may not be moved, and what it brought back is known")
  func undo() throws {
    #expect(try home.editing("remove", "a", "b").run().ending == .exited(0))
    let result = try run(home.command("undo", "--json"), "error=EACCES")
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "restored.count"] == .number(1) && report[path: "kept.0.reason"] == .string("refused"))
    #expect(try home.ownedPaths().count == 1)
    #expect(try home.command("undo").run().ending == .exited(0))
    try expectUntouched()
  }
}
