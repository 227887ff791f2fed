// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("the lock of a library")
struct LockTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let gate: Gate

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    gate = try Gate()
    server.serveAudio("a")
    try home.declare(playlist("all"))
  }

  private func playlist(_ name: String) -> String {
    "playlists: { \(name): { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }"
  }

  /// A run that holds the lock until the gate opens.
  private func holder() throws -> RunningCommand {
    server.script("/a.mp3", [.hold(after: 1000, gate)])
    let run = try home.command("run", "--quiet").start()
    #expect(gate.waitForArrival())
    return run
  }

  @Test("a run that waits says for whom and how long, once, and goes on when the other has ended")
  func waits() throws {
    let first = try holder()
    let waiting = try home.command("run", "--lock-wait", "10m").start()
    // The lock file is opened before the first pause: a process that has it open is waiting for it.
    #expect(
      try eventually { try self.home.command("status").run().ending == .exited(0) && self.isOpen("lock", waiting.pid) })
    gate.open()
    #expect(first.wait().ending == .exited(0))
    let result = waiting.wait()
    #expect(result.ending == .exited(0))
    let lines = result.standardError.split(separator: "\n").filter { $0.contains("waiting") }
    #expect(lines.count == 1)
    let line = lines.first.map(String.init) ?? ""
    #expect(line.hasPrefix("another run holds \"\(home.state)/lock\" (process \(first.pid), since 2"))
    #expect(line.hasSuffix("Z); waiting up to 10 min for it to end"))
  }

  @Test("a run that waited in vain says so, with the holder and its start")
  func waitsInVain() throws {
    let first = try holder()
    let result = try home.command("run", "--quiet", "--lock-wait", "300ms").run()
    #expect(result.ending == .exited(11))
    #expect(
      result.standardError.hasPrefix(
        "syncjob: error: another run still holds \"\(home.state)/lock\" (process \(first.pid), since 2"))
    #expect(
      result.standardError.hasSuffix("Z) after 0.3 s; check what it is doing, or wait longer with --lock-wait\n"))
    gate.open()
    #expect(first.wait().ending == .exited(0))
  }

  @Test(
    "both locks of a library with its memory elsewhere are waited for together as long as was asked", .requires(.flock))
  func waitsOnce() throws {
    let memory = home.folder.file("memory")
    let manifest = home.folder.file("elsewhere.yaml")
    try FileBytes.write(
      "version: 1\nlibrary: { path: \(home.library), state: \(memory) }\n\(playlist("all"))\n", to: manifest)
    let program = home.command("run").executable
    #expect(try Command(program, ["run", "-q", manifest]).run().ending == .exited(0))
    // The library's lock is released after three seconds. The lock of the state is released too late for a command that
    // waits four seconds in all, and in time for one whose four seconds begin only then.
    let first = try #require(Tool.flock.command(["-F", "\(home.state)/lock", "sleep", "3"])).start()
    let second = try #require(Tool.flock.command(["-F", "\(memory)/lock", "sleep", "5.5"])).start()
    #expect(try eventually { try self.isLocked("\(self.home.state)/lock") && self.isLocked("\(memory)/lock") })
    let result = try Command(program, ["run", "-q", "--lock-wait", "4s", manifest]).run()
    #expect(result.ending == .exited(11))
    #expect(result.standardError.contains(" after 4.0 s; "))
    second.signal(SIGKILL)
    _ = (first.wait(), second.wait())
  }

  private func isLocked(_ path: String) throws -> Bool {
    try #require(Tool.flock.command(["-n", path, "true"])).run().ending == .exited(1)
  }

  @Test("init waits for the lock as every other command")
  func initWaits() throws {
    let first = try holder()
    let result = try home.command("init", "--lock-wait", "300ms").run()
    #expect(result.ending == .exited(11))
    #expect(result.standardError.contains(" after 0.3 s; check what it is doing"))
    gate.open()
    #expect(first.wait().ending == .exited(0))
  }

  @Test("a plan beside a run says that a run is under way, and not that one was interrupted")
  func planBeside() throws {
    let first = try holder()
    let plan = try home.command("plan").run()
    #expect(plan.ending == .exited(0))
    #expect(
      plan.standardOutput.contains("warning: a run is under way (process \(first.pid), since 2"),
      "\(plan.standardOutput)")
    #expect(!plan.standardOutput.contains("interrupted"))
    let status = try home.command("status").run()
    #expect(status.standardOutput.contains("Process \(first.pid) has been at work in the library since 2"))
    let json = try home.command("status", "--json").run()
    #expect(json.standardOutput.contains("\"under_way\":{\"pid\":\(first.pid),\"since\":\"2"))
    first.signal(SIGKILL)
    _ = first.wait()
    gate.open()
    let after = try home.command("plan").run()
    #expect(after.ending == .exited(0) && !after.standardOutput.contains("under way"), "\(after.standardOutput)")
    #expect(try !home.command("status").run().standardOutput.contains("Process "))
  }

  @Test("no program that a run starts inherits the lock, or any other file")
  func children() throws {
    try home.declare(
      """
      playlists:
        all:
          auth: { user: anna, password_command: [/bin/sh, -c, "ls -l /proc/self/fd >&2; echo secret"] }
          items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))" }]
      """)
    let result = try home.command("run", "--quiet").run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(result.standardError.contains("/proc/"))
    #expect(!result.standardError.contains(home.library))
  }

  @Test("a library whose memory lies elsewhere is locked, too: two manifests with two memories never interleave")
  func twoMemories() throws {
    let head = "version: 1\nlibrary: { path: \(home.library), state: "
    let (first, second) = (home.folder.file("first.yaml"), home.folder.file("second.yaml"))
    try FileBytes.write("\(head)\(home.folder.file("one")) }\n\(playlist("all"))\n", to: first)
    try FileBytes.write("\(head)\(home.folder.file("two")) }\n\(playlist("all"))\n", to: second)
    server.script("/a.mp3", [.hold(after: 1000, gate)])
    let run = try Command(home.command("run").executable, ["run", "--quiet", first]).start()
    #expect(gate.waitForArrival())
    let result = try Command(home.command("run").executable, ["run", "--quiet", second]).run()
    #expect(result.ending == .exited(11))
    #expect(result.standardError.contains("another run holds \"\(home.state)/lock\" (process \(run.pid), since "))
    gate.open()
    #expect(run.wait().ending == .exited(0))
  }

  @Test("a manifest of another name without any of the library's playlists is refused before it takes them for orphans")
  func twoManifests() throws {
    #expect(try home.run().result.ending == .exited(0))
    let other = home.folder.file("other.yaml")
    let head = "version: 1\nlibrary: { path: \(home.library) }\nstorage: { orphans: remove }\n"
    try FileBytes.write(head + playlist("mine") + "\n", to: other)
    let program = home.command("run").executable
    for command in ["run", "plan"] {
      let result = try Command(program, [command, other]).run()
      #expect(result.ending == .exited(12), "\(command)")
      #expect(
        result.standardError
          == "syncjob: error: \"\(home.library)\" belongs to the manifest \"manifest\", and none of the playlists that its "
          + "files are of is in this one (\"other\"), so all of them would be orphans; name another library.path, put the "
          + "playlists into one manifest, or write name: manifest into it. Only to take the library over: syncjob init "
          + "\(other)\n")
    }
    #expect(try home.ownedPaths() == ["all/A.mp3"])
    // Renamed, with an earlier playlist: it is the same manifest.
    try FileBytes.write(head + playlist("all") + "\n", to: other)
    #expect(try Command(program, ["run", "-q", other]).run().ending == .exited(0))
    // Taken over on purpose.
    try FileBytes.write(head + playlist("mine") + "\n", to: other)
    let taken = try Command(program, ["init", other]).run()
    #expect(taken.ending == .exited(0))
    #expect(
      taken.standardOutput.hasPrefix(
        "\"\(home.library)\" now belongs to the manifest \"other\", no longer to \"manifest\"\n"))
    #expect(try Command(program, ["run", "-q", other]).run().ending == .exited(0))
  }

  @Test("a network file system is warned about at every run", .requires(.unshare))
  func networkFileSystem() throws {
    #expect(try home.run().result.ending == .exited(0))
    var facts = stat()
    #expect(stat(home.library, &facts) == 0)
    // gnu_dev_major and gnu_dev_minor are macros.
    let major = facts.st_dev >> 8 & 0xFFF | facts.st_dev >> 32 & 0xFFFF_F000
    let device = "\(major):\(facts.st_dev & 0xFF | facts.st_dev >> 12 & 0xFFFF_FF00)"
    let table = home.folder.file("mountinfo")
    try FileBytes.write("22 1 \(device) / / rw,relatime shared:1 - nfs4 server:/music rw\n", to: table)
    let run = home.command("run", "--json")
    let line = ([run.executable] + run.arguments).joined(separator: " ")
    let result = try #require(
      Tool.unshare.command(["-m", "/bin/sh", "-c", "mount --bind \(table) /proc/$$/mountinfo && exec \(line)"])
    ).run()
    guard result.ending != .exited(32) else { return }
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(
      try JSONValue(result.stdout)[path: "warnings.0"]
        == .string(
          "\"\(home.library)\" lies on a network file system (nfs4), where the locks of other machines may not be seen: let "
            + "runs be started on one machine only"))
  }

  private func isOpen(_ name: String, _ pid: Int32) -> Bool {
    (3..<40).contains { descriptor in
      var buffer = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/\(pid)/fd/\(descriptor)", &buffer, buffer.count)
      return count > 0
        && String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) == "\(home.state)/\(name)"
    }
  }
}

extension Tool {
  static let flock = Tool("flock")
  static let unshare = Tool("unshare")
}
