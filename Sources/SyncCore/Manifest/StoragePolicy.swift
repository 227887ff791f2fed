// SPDX-License-Identifier: Apache-2.0

/// The space that the library may use and the order of eviction.
package struct StoragePolicy: Equatable, Sendable {
  /// The score that orders the files for eviction.
  package enum Score: String, CaseIterable, Sendable { case balanced, classic, oldest }
  /// The treatment of items that left the manifest.
  package enum Orphans: String, CaseIterable, Sendable {
    case keep
    case evictFirst = "evict-first"
    case remove
  }
  /// The treatment of an item whose finished file was deleted by somebody else.
  package enum OnMissing: String, CaseIterable, Sendable { case refetch, skip }

  package struct Eviction: Equatable, Sendable {
    /// Eviction begins when usage exceeds this share of the budget.
    package var trigger: Share = .percent(95)
    /// Eviction ends when usage is down to this share.
    package var target: Share = .percent(85)
    package var score: Score = .balanced
    /// The minimum age since completion. Younger files are never evicted.
    package var minAge: Duration = .hours(24)
    package init() {}
  }

  /// The number of items that one run may remove for any reason other than space.
  package enum DeleteLimit: Equatable, Sendable {
    /// A share of the library's finished items, at least ten.
    case share(Share)
    case count(Int)
  }

  /// Nil for no budget.
  package var budget: ByteCount?
  package var minFree = ByteCount(256 << 20)
  /// A share of the budget.
  package var warnAt: Share = .percent(80)
  package var evict = Eviction()
  package var orphans: Orphans = .evictFirst
  package var maxDelete: DeleteLimit = .share(.percent(25))
  package var onMissing: OnMissing = .refetch
  /// The time for which removed media stays in the trash. Zero deletes at once.
  package var trashKeep: Duration = .days(7)
  package init() {}
}
