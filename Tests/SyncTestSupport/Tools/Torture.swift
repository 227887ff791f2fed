// SPDX-License-Identifier: Apache-2.0

/// The share of the possible cases to try: `make test` takes a part, `make torture` (`TORTURE=1`) takes all of them.
package enum Torture {
  package static let isWhole = Command.variable("TORTURE") != nil
  /// The seed for the share and the fates. It is printed, so that a failure can be repeated with `TORTURE_SEED`.
  package static let seed = Command.variable("TORTURE_SEED").flatMap { UInt64($0) } ?? 2026

  /// All cases, or a random selection of this size.
  package static func share<Case>(of cases: [Case], atMost count: Int, _ chance: inout SplitMix64) -> [Case] {
    isWhole ? cases : Array(cases.shuffled(using: &chance).prefix(count))
  }

  /// The next of many points in a run at which to break it: each one, or every seventh on average. The first is always 1.
  package static func nextPoint(after point: Int, _ chance: inout SplitMix64) -> Int {
    point + (isWhole || point == 0 ? 1 : .random(in: 3...11, using: &chance))
  }

  /// All cases, or a selection of this size by the seed.
  package static func share<Case>(of cases: some Collection<Case>, atMost count: Int) -> [Case] {
    var chance = SplitMix64(seed: seed)
    return share(of: Array(cases), atMost: count, &chance)
  }
}
