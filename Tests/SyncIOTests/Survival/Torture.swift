// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport

/// How much of what could be tried is tried: `make test` takes a share, `make torture` (`TORTURE=1`) all of it.
enum Torture {
  static let isWhole = Command.variable("TORTURE") != nil
  /// Draws of the share and of the fates; printed, so that a failure can be had again with `TORTURE_SEED`.
  static let seed = Command.variable("TORTURE_SEED").flatMap { UInt64($0) } ?? 2026

  /// All of them, or so many drawn by chance.
  static func share<Case>(of cases: [Case], atMost count: Int, _ chance: inout SplitMix64) -> [Case] {
    isWhole ? cases : Array(cases.shuffled(using: &chance).prefix(count))
  }
}
