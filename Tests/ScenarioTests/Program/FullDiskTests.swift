// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A library on a file system in memory that is filled to the last byte.
@Suite("a disk without a byte of room", .serialized, .privateMounts)
struct FullDiskTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for (number, name) in ["a", "b"].enumerated() {
      let audio = GeneratedAudio(title: name, seconds: 1, seed: UInt64(number))
      server.serve("/\(name).mp3", Resource(body: audio.body(count: 100_000)))
    }
    try declare()
  }

  private func declare(library: String = "{ path: ./library }") throws {
    let items = ["a", "b"].map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try FileBytes.write(
      "version: 1\nlibrary: \(library)\nstorage: { min_free: 0B, evict: { min_age: 0s } }\n"
        + "playlists: { all: { items: [\(items.joined(separator: ", "))] } }\n", to: home.manifest)
  }

  private func line(_ command: Command) -> String {
    ([command.executable] + command.arguments).map { "'\($0)'" }.joined(separator: " ")
  }

  /// Removes `a` from a library of two files, fills the disk given by `full`, and runs the commands.
  /// - Parameter before: Commands that run before the disk is filled.
  private func onFullDisk(
    full: String? = nil, before: [String] = [], _ commands: String...
  ) throws -> CommandResult {
    let library = home.library
    let disk = full ?? library
    let script =
      ["mkdir -p '\(disk)' && mount -t tmpfs -o size=1m none '\(disk)' || exit 99"]
      + ["\(line(home.command("run", "-q"))) || exit 98", "\(line(home.editing("remove", "a"))) || exit 97"]
      + before + ["dd if=/dev/zero of='\(disk)/zeros' bs=1k 2>/dev/null"] + commands
    return try #require(Tool("unshare").command(["-m", "/bin/sh", "-c", script.joined(separator: "\n")])).run()
  }

  private var trashed: String { "find '\(home.state)/trash' -type f | wc -l" }

  @Test(
    "no command that only records something takes anything from the trash for it",
    arguments: [["pin", "b"], ["verify", "--repair"], ["init"], ["retry", "--all"], ["played", "b"]])
  func commands(_ words: [String]) throws {
    let takesItems = ["pin", "retry", "played"].contains(words[0])
    let command =
      takesItems
      ? Command(home.command("run").executable, [words[0], "--manifest", home.manifest] + words.dropFirst())
      : home.command(words[0], options: Array(words.dropFirst()))
    let result = try onFullDisk("\(line(command)) >&2; echo $?", trashed)
    #expect(result.standardOutput == "removed \"a\"\n4\n1\n", "\(words): \(result.standardError)")
    #expect(result.standardError.contains("no space left on the device; free some space and run again"))
  }

  private var emptyTrash: String { "rm -r '\(home.state)/trash'/*" }
  private var media: String { "find '\(home.library)/all' -type f | wc -l" }

  @Test("evict takes the room for its record from the trash, and then deletes files")
  func evict() throws {
    let evict = line(home.command("evict", options: ["--bytes", "150KB"]))
    let result = try onFullDisk("\(evict) >&2; echo $?", trashed, media)
    #expect(result.standardOutput == "removed \"a\"\n0\n0\n0\n", "\(result.standardError)")
    #expect(result.standardError.contains("goes first"), "\(result.standardError)")
  }

  @Test("evict without trash records what it deletes in the room of a file that the next run writes again")
  func evictWithoutTrash() throws {
    let settled = "head -c 4096 /dev/zero > '\(home.state)/cache/settled'"
    let evict = line(home.command("evict", options: ["--bytes", "50KB"]))
    let result = try onFullDisk(
      before: [emptyTrash, settled], "\(evict) >&2; echo $?", media, "rm '\(home.library)/zeros'",
      "\(line(home.command("run", "-q"))); echo $?", line(home.command("list", "--json")))
    let lines = result.standardOutput.split(separator: "\n").map(String.init)
    #expect(lines.prefix(4) == ["removed \"a\"", "0", "0", "0"], "\(result.standardOutput) \(result.standardError)")
    #expect(lines.count == 6)
    for item in lines.dropFirst(4) {
      #expect(try JSONValue(Array(item.utf8))[path: "state"] == .string("removed"), "\(item)")
    }
    #expect(server.requests.count == 2)
  }

  @Test("evict deletes nothing that it cannot record")
  func evictWithoutRoom() throws {
    let result = try onFullDisk(
      before: [emptyTrash], "\(line(home.command("evict", options: ["--bytes", "50KB"]))) >&2; echo $?", media)
    #expect(result.standardOutput == "removed \"a\"\n4\n1\n", "\(result.standardError)")
  }

  @Test("clean deletes what needs no record, and leaves a trash that has not expired")
  func clean() throws {
    let stray = "\(home.state)/cache/gone.xml"
    let result = try onFullDisk(
      before: ["echo feed > '\(stray)'"], "\(line(home.command("clean"))) >&2; echo $?", trashed,
      "test -e '\(stray)'; echo $?")
    #expect(result.standardOutput == "removed \"a\"\n0\n1\n1\n", "\(result.standardError)")
  }

  @Test("remove leaves a file that it cannot record in its place")
  func remove() throws {
    let result = try onFullDisk("\(line(home.editing("remove", "b"))) >&2; echo $?", trashed, media)
    #expect(result.standardOutput == "removed \"a\"\n4\n1\n1\n", "\(result.standardError)")
    #expect(result.standardError.contains("no space left on the device"))
  }

  @Test("undo brings back what it should, and what it cannot record is taken up when there is room")
  func undo() throws {
    let undo = line(home.command("undo"))
    let result = try onFullDisk(
      "\(undo) >&2; echo $?", media, trashed, "rm '\(home.library)/zeros'",
      "\(line(home.command("run", "-q"))); echo $?", line(home.command("list", "--json")))
    let lines = result.standardOutput.split(separator: "\n")
    #expect(result.standardError.contains("brought back"), "\(result.standardError)")
    #expect(lines.dropFirst().prefix(4).map(String.init) == ["4", "2", "0", "0"], "\(result.standardOutput)")
    for item in lines.dropFirst(5) {
      #expect(try JSONValue(Array(item.utf8))[path: "state"] == .string("completed"), "\(item)")
    }
    #expect(lines.count == 7)
    #expect(server.requests.count == 2)
  }

  @Test("a run takes the room from the trash and says so")
  func run() throws {
    let result = try onFullDisk(line(home.command("run", "--json")), trashed)
    let lines = result.standardOutput.split(separator: "\n")
    #expect(lines.last == "0", "\(result.standardError)")
    let report = try JSONValue(Array(try #require(lines.dropFirst().first).utf8))
    #expect(report[path: "exit_status"] == .number(0) && report[path: "totals.cleaned"] == .number(1))
    #expect(report[path: "totals.bytes_freed"] == .number(100_000))
    #expect(report[path: "trash_emptied.bytes"] == .number(100_000))
  }

  @Test("by a clock that cannot be believed not even a run empties the trash")
  func wrongClock() throws {
    let result = try onFullDisk("\(line(home.command("run", "--now", "2020-01-01T00:00:00Z"))); echo $?", trashed)
    #expect(result.standardOutput.hasSuffix("\n4\n1\n"), "\(result.standardOutput)")
  }

  @Test("a full disk that the trash is not on takes nothing from it")
  func otherDisk() throws {
    let memory = home.folder.file("memory")
    try declare(library: "{ path: ./library, state: ./memory }")
    let result = try onFullDisk(full: memory, "\(line(home.command("run"))); echo $?", trashed)
    #expect(result.standardOutput.hasSuffix("\n4\n1\n"), "\(result.standardOutput) \(result.standardError)")
  }
}

extension Trait where Self == ConditionTrait {
  /// Enables a test if a mount that no other process sees is permitted.
  fileprivate static var privateMounts: Self {
    .enabled(if: Requirement("unshare -m mount -t tmpfs none /mnt").lack == nil, "nothing may be mounted here")
  }
}
