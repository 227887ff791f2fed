// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// `play`, and the commands that count what it has recorded, killed at system calls that change the disk.
@Suite("kill -9 around a play", .serialized, .requires(.strace), .requires(.mpv))
struct PlayKillTests {
  private static let calls = ["renameat2", "renameat", "fsync", "unlinkat"]

  private let house: PlayHousehold

  init() throws {
    house = try PlayHousehold([("a", 1)])
    try house.fetch()
  }

  private var home: LibraryFixture { house.home }

  private func copy(_ folder: String, to other: String) throws {
    #expect(try Command("/bin/cp", ["-a", folder, other]).run().ending == .exited(0))
  }

  /// Runs the command on the library as it is now, killed at each point of a random share.
  private func killEverywhere(_ command: Command, then check: (String) throws -> Void) throws {
    try copy(home.library, to: home.folder.file("before"))
    for call in Self.calls {
      var chance = SplitMix64(seed: Torture.seed)
      var (point, isKilled) = (0, true)
      while isKilled {
        point = Torture.nextPoint(after: point, &chance)
        try FileTree.remove(home.library)
        try copy(home.folder.file("before"), to: home.library)
        var strace = try #require(
          Tool.strace.command(
            ["-qq", "-f", "-o", home.folder.file("trace"), "-e", "trace=\(call)"]
              + ["-e", "inject=\(call):signal=KILL:when=\(point)", command.executable] + command.arguments))
        strace.environment = command.environment
        isKilled = try strace.run(timeout: 60).ending == .killed(signal: 9)
        try check("\(call) \(point)")
      }
    }
  }

  /// Has two commands count what is recorded, the second of which must find nothing more.
  private func counted(_ moment: String) throws -> Int {
    try home.edit("pin", "a")
    let count = Int(try house.plays()["a"] ?? "") ?? -1
    try home.edit("unpin", "a")
    let again = try house.plays()["a"]
    #expect(again == String(count), "\(moment)")
    let strays = try home.strays()
    #expect(strays.isEmpty, "\(moment)")
    return count
  }

  @Test("a play that is recorded counts once, wherever the command that counts it is killed")
  func counting() throws {
    // While the lock is held the record stays.
    let holder = try #require(Tool("flock").command(["\(home.state)/lock", "sleep", "600"])).start()
    #expect(try eventually { try home.editing("pin", "a").run().ending == .exited(11) })
    #expect(try house.play("mix").run(timeout: 60).ending == .exited(0))
    kill(-holder.pid, SIGKILL)
    _ = holder.wait()
    #expect(try FileTree.files("\(home.state)/played", hidden: true).count == 1)
    try killEverywhere(home.editing("pin", "a")) { moment in
      let count = try counted(moment)
      #expect(count == 1, "\(moment)")
    }
  }

  @Test("a play counts at most once, and exactly once if it is over, wherever `play` is killed")
  func playing() throws {
    try killEverywhere(house.play("mix")) { moment in
      let place = try house.place()
      let isOver = place.contains(#""place":1"#)
      let count = try counted(moment)
      #expect(isOver ? count == 1 : count == 0 || count == 1, "\(moment): \(count) \(place)")
    }
  }
}
