// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// `undo` and `verify --repair`, killed at every system call that changes the disk.
@Suite("kill -9 while a library is kept in order", .serialized, .requires(.strace))
struct KeepingKillTests {
  private static let names = ["a", "b", "c"]
  private static let calls = ["renameat2", "renameat", "fsync", "unlinkat"]

  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in Self.names { server.serve("/\(name).mp3", Resource(bytes: Self.bytes(name))) }
    let items = Self.names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare("playlists: { all: { items: [\(items.joined(separator: ", "))] } }")
    #expect(try home.run().result.ending == .exited(0))
  }

  private static func bytes(_ name: String) -> [UInt8] {
    GeneratedAudio(title: name, seconds: 1, seed: name.utf8.reduce(7) { $0 * 31 + UInt64($1) }).bytes
  }

  private func path(_ name: String) -> String { "\(home.library)/all/\(name).mp3" }

  private func copy(_ folder: String, to other: String) throws {
    #expect(try Command("/bin/cp", ["-a", folder, other]).run().ending == .exited(0))
  }

  /// Runs the command again and again on the library as it is now, killed at each point.
  private func killEverywhere(_ command: Command, then check: (String) throws -> Void) throws {
    try copy(home.library, to: home.folder.file("before"))
    for call in Self.calls {
      var chance = SplitMix64(seed: Torture.seed)
      var (point, kills) = (0, 0)
      var isKilled = true
      while isKilled {
        point = Torture.nextPoint(after: point, &chance)
        try FileTree.remove(home.library)
        try copy(home.folder.file("before"), to: home.library)
        let strace = try #require(
          Tool.strace.command(
            ["-qq", "-f", "-o", home.folder.file("trace"), "-e", "trace=\(call)"]
              + ["-e", "inject=\(call):signal=KILL:when=\(point)", command.executable] + command.arguments))
        isKilled = try strace.run().ending == .killed(signal: 9)
        if isKilled { kills += 1 }
        try check("\(call) \(point)")
      }
      #expect(kills > 0, "never killed at \(call)")
    }
  }

  private func expectWhole(_ moment: String) throws {
    for name in Self.names {
      let isWhole = try FileBytes.read(path(name)) == Self.bytes(name)
      #expect(isWhole, "\(moment): \(name)")
    }
    let owned = try home.ownedPaths()
    #expect(owned == Set(Self.names.map { "all/\($0).mp3" }), "\(moment)")
  }

  @Test("undo is finished by calling it again, or by the next run")
  func undo() throws {
    #expect(try home.editing("remove", "a", "b").run().ending == .exited(0))
    let before = server.requests.count
    var number = 0
    try killEverywhere(home.command("undo")) { moment in
      number += 1
      if number % 2 == 0 { #expect(try home.command("undo").run().ending == .exited(0), "\(moment)") }
      let run = try home.command("run").run()
      #expect(run.ending == .exited(0), "\(moment): \(run.standardError)")
      // Files that came back without a record are adopted by the run; the others are still in the trash.
      let undo = try home.command("undo").run()
      #expect(undo.ending == .exited(0), "\(moment): \(undo.standardOutput)")
      try expectWhole(moment)
    }
    #expect(server.requests.count == before)
  }

  @Test("undo of what nobody names any more leaves no file that is nobody's, wherever it was stopped")
  func undoOfOrphans() throws {
    let all = try FileBytes.text(home.manifest)
    let none = "playlists: { other: { items: [] } }"
    try home.declare("storage: { orphans: remove, max_delete: 100% }\n\(none)")
    #expect(try home.run().report[path: "totals.removed"] == .number(3))
    try home.declare(none)
    try killEverywhere(home.command("undo")) { moment in
      #expect(try home.command("run").run().ending == .exited(0), "\(moment)")
      let media = try FileTree.files(home.library).filter { $0.hasSuffix(".mp3") }
      let owned = try home.ownedPaths()
      #expect(owned == Set(media), "\(moment)")
      #expect(try home.command("undo").run().ending == .exited(0), "\(moment)")
      try expectWhole(moment)
    }
    try FileBytes.write(all, to: home.manifest)
  }

  @Test("a repair is finished by the next run")
  func repair() throws {
    var damaged = Self.bytes("c")
    damaged[500] ^= 1
    try FileBytes.write(damaged, to: path("c"))
    try FileTree.remove(path("a"))
    try killEverywhere(home.command("verify", "--deep", "--repair")) { moment in
      // If it was killed before the repair, the damage is still there to be found.
      let again = try home.command("verify", "--deep", "--repair").run()
      #expect(again.ending == .exited(0), "\(moment): \(again.standardError)")
      let run = try home.command("run").run()
      #expect(run.ending == .exited(0), "\(moment): \(run.standardError)")
      try expectWhole(moment)
    }
  }
}
