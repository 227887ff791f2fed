// SPDX-License-Identifier: Apache-2.0

/// What of a source is worth fetching.
package struct Selection: Equatable, Sendable {
  package enum Initial: Equatable, Sendable {
    case all
    case count(Int)
  }
  /// Which items come first: where `initial` counts, and when they are fetched.
  package enum Order: String, CaseIterable, Sendable { case newest, oldest }
  /// From when on.
  package enum Since: Equatable, Sendable {
    case date(Timestamp)
    /// Before now.
    case age(Duration)

    package func date(at now: Timestamp) -> Timestamp {
      switch self {
      case .date(let date): date
      case .age(let age): now - age
      }
    }
  }

  /// How many of the episodes that a source already had when it was first read. Feeds: 3 unless declared.
  package var initial: Initial = .all
  /// Only ever this many of the newest; nil: no such limit.
  package var latest: Int?
  /// Nothing published before; nil: no such limit. What has no date passes.
  package var since: Since?
  /// Only what meets all of it.
  package var match = ItemFilter()
  /// Nothing that meets any of it.
  package var exclude = ItemFilter()
  package var order: Order = .newest
  package init() {}
}

/// Why an item that a source names is not worth fetching.
package enum Unselected: Hashable, Sendable {
  /// It was there before the source was first read, and `select.initial` passed it over.
  case beforeFirstReading
  /// `select.latest` has so many newer ones.
  case beyondLatest(Int)
  /// `select.since`.
  case publishedBefore(Timestamp)
  /// What `select.match` wants of it, it is not, or does not say.
  case unmatched(ItemFilter.Criterion)
  /// `select.exclude`.
  case excluded(ItemFilter.Criterion)
  /// `retain` would have it removed as soon as it was here.
  case wouldBeDropped(RetentionRule)
}
