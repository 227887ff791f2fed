// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// One run, killed at each call of one kind, or at the share of them that `Torture` names, each time with the same
/// library. The kernel counts the calls, so that the moments can be repeated.
struct KillSweep {
  let home: LibraryFixture
  let call: String
  /// The command to kill and to repeat. Nil for a run.
  var command: Command?
  /// The status with which the repeated command ends.
  var status: Int32 = 0
  /// Brings back whatever else the command changes, besides the library.
  var reset: () throws -> Void = {}
  /// Looks at the library as the killed run left it; is given words for the moment.
  var afterKill: (String) throws -> Void = { _ in }

  init(home: LibraryFixture, call: String) {
    self.home = home
    self.call = call
  }

  /// Runs until a run ends before it reaches the point.
  /// - Parameter check: checks the result of the run after the killed one; gets words for the moment.
  func run(_ check: (String) throws -> Void) throws {
    // A sweep may follow another.
    if access(home.folder.file("before"), F_OK) == 0 { try FileTree.remove(home.folder.file("before")) }
    try copy(home.library, to: home.folder.file("before"))
    var chance = SplitMix64(seed: Torture.seed)
    var (point, kills) = (0, -1)
    repeat {
      point = Torture.nextPoint(after: point, &chance)
      kills += 1
      try FileTree.remove(home.library)
      try copy(home.folder.file("before"), to: home.library)
      try reset()
    } while try isKilled(at: point, check)
    #expect(kills > 0, "no run was killed at \(call)")
  }

  /// - Returns: false when the run ended before there was such a call.
  private func isKilled(at point: Int, _ check: (String) throws -> Void) throws -> Bool {
    let moment = "\(call) \(point)"
    let run = command ?? home.command("run")
    let strace = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-o", home.folder.file("trace"), "-e", "trace=\(call)"]
          + ["-e", "inject=\(call):signal=KILL:when=\(point)", run.executable] + run.arguments))
    let ending = try strace.run().ending
    try afterKill(moment)
    #expect(throws: Never.self, "\(moment)") { try home.list(moment) }
    let next = try run.run()
    #expect(next.ending == .exited(status), "\(moment): \(next.standardOutput) \(next.standardError)")
    let strays = try home.strays()
    #expect(strays.isEmpty, "\(moment)")
    try check(moment)
    return ending == .killed(signal: 9)
  }

  private func copy(_ folder: String, to other: String) throws {
    #expect(try Command("/bin/cp", ["-a", folder, other]).run().ending == .exited(0))
  }
}
