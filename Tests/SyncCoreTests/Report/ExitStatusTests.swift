// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the exit status")
struct ExitStatusTests {
  @Test(
    "of several the worst counts: 12 > 4 > 1 > 3 > 5 > 8 > 10",
    arguments: [
      ([], 0), ([.ok], 0), ([.maxDuration], 10), ([.maxDuration, .maxTransfer], 8), ([.maxTransfer, .temporary], 5),
      ([.temporary, .partial], 3), ([.partial, .fatal], 1), ([.fatal, .storage], 4), ([.storage, .safety], 12),
      ([.ok, .maxDuration, .maxTransfer, .temporary, .partial, .fatal, .storage, .safety], 12),
      ([.ok, .temporary, .ok], 5),
      // A status outside the order comes after those in it, but before success.
      ([.locked], 11), ([.ok, .interrupted], 130), ([.terminated, .partial], 3),
    ] as [([SyncCore.ExitStatus], Int32)])
  func decisive(statuses: [SyncCore.ExitStatus], code: Int32) {
    #expect(SyncCore.ExitStatus.decisive(of: statuses).rawValue == code)
    #expect(SyncCore.ExitStatus.decisive(of: statuses.reversed()).rawValue == code)
  }

  @Test("every exit status of the manual has its name and its outcome")
  func names() {
    let rows: [(Int32, String, RunOutcome)] = [
      (0, "ok", .ok), (1, "fatal", .failed), (2, "changes_pending", .ok), (3, "partial", .partial),
      (4, "storage", .storage), (5, "temporary", .temporary), (8, "max_transfer", .limit), (10, "max_duration", .limit),
      (11, "locked", .locked), (12, "safety", .safety), (64, "usage", .failed), (78, "manifest_invalid", .failed),
      (129, "hung_up", .interrupted), (130, "interrupted", .interrupted), (143, "terminated", .interrupted),
    ]
    #expect(SyncCore.ExitStatus.allCases.map(\.rawValue) == rows.map(\.0))
    #expect(SyncCore.ExitStatus.allCases.map(\.name) == rows.map(\.1))
    #expect(SyncCore.ExitStatus.allCases.map(RunOutcome.init) == rows.map(\.2))
  }
}
