// SPDX-License-Identifier: Apache-2.0

/// How much room the library may take and who goes first when it is short.
package struct StoragePolicy: Equatable, Sendable {
  /// Which score orders the victims.
  package enum Score: String, CaseIterable, Sendable { case balanced, classic, oldest }
  /// What becomes of items that left the manifest.
  package enum Orphans: String, CaseIterable, Sendable {
    case keep
    case evictFirst = "evict-first"
    case remove
  }
  /// What becomes of an item whose finished file somebody deleted.
  package enum OnMissing: String, CaseIterable, Sendable { case refetch, skip }

  package struct Eviction: Equatable, Sendable {
    /// Above this share of the budget eviction begins …
    package var trigger: Share = .percent(95)
    /// … and frees down to this one.
    package var target: Share = .percent(85)
    package var score: Score = .balanced
    /// Since completion; younger files are never evicted.
    package var minAge: Duration = .hours(24)
    package init() {}
  }

  /// How many items one run may remove for any cause but room.
  package enum DeleteLimit: Equatable, Sendable {
    /// Of the library's finished items, and never fewer than ten.
    case share(Share)
    case count(Int)
  }

  /// Nil: no budget.
  package var budget: ByteCount?
  package var minFree = ByteCount(256 << 20)
  /// Of the budget.
  package var warnAt: Share = .percent(80)
  package var evict = Eviction()
  package var orphans: Orphans = .evictFirst
  package var maxDelete: DeleteLimit = .share(.percent(25))
  package var onMissing: OnMissing = .refetch
  /// How long removed media stays in the trash; zero deletes at once.
  package var trashKeep: Duration = .days(7)
  package init() {}
}
