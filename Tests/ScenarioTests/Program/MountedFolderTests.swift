// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// A folder of the library that has become a mount of its own, so that the trash cannot receive its files.
@Suite(
  "files on another file system than the trash",
  .enabled(if: Requirement("unshare -m mount -t tmpfs none /mnt").lack == nil, "nothing may be mounted here"))
struct MountedFolderTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in ["a", "b"] {
      server.serve("/\(name).mp3", Resource(bytes: GeneratedAudio(title: name, seconds: 1, seed: 5).bytes))
    }
    try declare(["a", "b"])
    #expect(try home.run().result.ending == .exited(0))
  }

  private func declare(_ names: [String], trash: String = "7d") throws {
    let items = names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      """
      storage: { orphans: remove, trash: { keep: \(trash) } }
      report: { m3u8: false }
      playlists: { mix: { items: [\(items.joined(separator: ", "))] } }
      """)
  }

  /// Runs a command while the items' folder is a mount: of the folder itself, so that its files are still there.
  /// - Parameter isBound: True for a second mount of the same file system, which has the same device.
  private func mounted(_ command: Command, isBound: Bool = false) throws -> CommandResult {
    let line = ([command.executable] + command.arguments).map { "'\($0)'" }.joined(separator: " ")
    guard !isBound else {
      let script = "mount --bind '\(home.library)/mix' '\(home.library)/mix' && \(line)"
      return try #require(Tool("unshare").command(["-m", "/bin/sh", "-c", script])).run()
    }
    let script =
      "cd '\(home.library)' && mkdir -p mix && \(mount) && cd / && \(line); status=$?; \(unmount); exit $status"
    return try #require(Tool("unshare").command(["-m", "/bin/sh", "-c", script])).run()
  }

  private var mount: String {
    "mkdir -p '\(home.folder.path)/kept' && mount -t tmpfs none '\(home.folder.path)/kept'"
      + " && cp -p mix/* '\(home.folder.path)/kept/' && mount --move '\(home.folder.path)/kept' mix"
  }

  /// Replaces the content of the folder by that of the mount.
  private var unmount: String {
    "cd '\(home.library)' && cp -p mix/* '\(home.folder.path)/kept/'; umount mix; rm -f mix/*;"
      + " mv '\(home.folder.path)'/kept/* mix/"
  }

  private let sentence =
    "\"mix/a.mp3\" stays: its folder is on another file system than the trash; remove it yourself, or unmount the folder"

  private func expectBothStay(location: SourceLocation = #_sourceLocation) throws {
    #expect(try FileTree.files(home.library) == ["mix/a.mp3", "mix/b.mp3"], sourceLocation: location)
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"), sourceLocation: location)
    #expect(try home.strays().isEmpty, sourceLocation: location)
  }

  @Test("remove deletes nothing, says so, and its rehearsal says the same", arguments: [[], ["-n"]])
  func removed(flags: [String]) throws {
    let result = try mounted(
      Command(home.command("run").executable, ["remove", "--manifest", home.manifest] + flags + ["a"]))
    #expect(result.ending == .exited(3), "\(result)")
    #expect(result.standardError == sentence + "\n" && result.standardOutput.isEmpty)
    try expectBothStay()
  }

  @Test("a rule of retention deletes nothing, and plan, run and report say so")
  func orphan() throws {
    try declare(["b"])
    let plan = try mounted(home.command("plan"))
    #expect((plan.standardOutput + plan.standardError).contains(sentence), "\(plan)")
    let result = try mounted(home.command("run", "--json"))
    #expect(result.ending == .exited(3), "\(result)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "warnings"] == .array([.string(sentence)]))
    #expect(report[path: "totals.removed"] == .number(0))
    try expectBothStay()
    #expect(try home.run().report[path: "totals.removed"] == .number(1))
  }

  @Test("files that cannot leave make no room: nothing is fetched in their place, and the plan says so beforehand")
  func budget() throws {
    server.serve("/c.mp3", Resource(bytes: GeneratedAudio(title: "c", seconds: 1, seed: 5).bytes))
    let size = try FileBytes.read("\(home.library)/mix/a.mp3").count
    try home.declare(
      """
      storage: { budget: \(size * 5 / 2)B, orphans: remove }
      report: { m3u8: false }
      playlists:
        mix: { items: [{ id: b, title: b, url: "\(server.url("/b.mp3"))" }] }
        new: { items: [{ id: c, title: c, url: "\(server.url("/c.mp3"))", size: \(size) }] }
      """)
    for isBound in [false, true] {
      let plan = try mounted(home.command("plan", "--json"), isBound: isBound).standardOutput
      #expect(!plan.contains("\"action\":\"remove\"") && plan.contains("a.mp3"), "\(plan)")
      let result = try mounted(home.command("run", "--json"), isBound: isBound)
      #expect(result.ending == .exited(3), "\(result)")
      let report = try JSONValue(result.stdout)
      #expect(report[path: "totals.downloaded"] == .number(0) && report[path: "totals.removed"] == .number(0))
      #expect(report[path: "totals.deferred"] == .number(1), "\(result.standardOutput)")
      #expect(try FileTree.files(home.library) == ["mix/a.mp3", "mix/b.mp3"])
    }
    #expect(try home.run().report[path: "totals.removed"] == .number(1))
  }

  @Test("without a trash, a removal deletes at once, as the manifest says")
  func noTrash() throws {
    try declare(["a", "b"], trash: "0s")
    let result = try mounted(home.editing("remove", "a"))
    #expect(result.ending == .exited(0), "\(result)")
    #expect(try FileTree.files(home.library) == ["mix/b.mp3"])
  }

  @Test("undo leaves a file in the trash whose folder is a mount now", arguments: [[], ["-n"]])
  func undone(flags: [String]) throws {
    #expect(try home.editing("remove", "a").run().ending == .exited(0))
    let result = try mounted(home.command("undo", options: ["--json"] + flags))
    #expect(result.ending == .exited(3), "\(result)")
    #expect(try JSONValue(result.stdout)[path: "kept.0.reason"] == .string("other_file_system"))
    #expect(try home.command("undo").run().ending == .exited(0))
    try expectBothStay()
  }
}
