// SPDX-License-Identifier: Apache-2.0

/// Rules for the items of a playlist that may stay. Keep rules protect, drop rules remove, and every keep rule
/// overrides every drop rule.
package struct RetentionPolicy: Hashable, Sendable {
  /// The date from which an item's age counts.
  package enum AgeBasis: String, CaseIterable, Sendable {
    /// The publication date, or the completion date if it is unknown.
    case published
    case completed

    /// Returns the date from which an item's age counts.
    func date(published: Timestamp?, completedAt: Timestamp) -> Timestamp {
      self == .published ? published ?? completedAt : completedAt
    }
  }

  /// Drops all but this number of the newest items, except items that a keep rule protects.
  package var atMost: Int?
  /// Keeps this number of the newest items.
  package var keepLast: Int?
  /// Keeps items up to this age.
  package var keepWithin: Duration?
  /// Keeps items that were never played.
  package var keepUnplayed = false
  /// Drops items this long after the last play.
  package var dropPlayedAfter: Duration?
  /// Drops items that reach this age.
  package var dropAfter: Duration?
  package var ageBasis: AgeBasis = .published
  package init() {}

  package var hasRules: Bool { keeps || drops }
  package var keeps: Bool { keepLast != nil || keepWithin != nil || keepUnplayed }
  package var drops: Bool { atMost != nil || dropPlayedAfter != nil || dropAfter != nil }
}

extension RetentionPolicy {
  /// The time at which a drop rule applies to an item if it is not played until then.
  struct Drop {
    var rule: RetentionRule
    var at: Timestamp
    /// True if the item is dropped because it was played, not because of its age.
    var isForPlays: Bool
  }

  /// - Parameter start: The date from which the item's age counts.
  func drops(_ plays: PlayHistory, agedFrom start: Timestamp) -> [Drop] {
    let last = plays.count > 0 ? plays.lastPlayedAt : nil
    let byPlay = dropPlayedAfter.flatMap { span in
      last.map { Drop(rule: .dropPlayedAfter(span), at: $0 + span, isForPlays: true) }
    }
    let byAge = dropAfter.map { Drop(rule: .dropAfter($0), at: start + $0, isForPlays: false) }
    return [byPlay, byAge].compactMap(\.self)
  }
}

/// One rule of `retain`, with its value.
package enum RetentionRule: Hashable, Sendable {
  case atMost(Int)
  case keepLast(Int)
  case keepWithin(Duration)
  case keepUnplayed
  case dropPlayedAfter(Duration)
  case dropAfter(Duration)
}
