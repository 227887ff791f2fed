// SPDX-License-Identifier: Apache-2.0

/// What of a playlist may stay. Keep rules protect, drop rules remove, and every keep rule is stronger than any drop rule.
package struct RetentionPolicy: Hashable, Sendable {
  /// By what an item's age is reckoned.
  package enum AgeBasis: String, CaseIterable, Sendable {
    /// Its publication; where that is unknown, its completion.
    case published
    case completed

    /// What an item's age counts from.
    func date(published: Timestamp?, completedAt: Timestamp) -> Timestamp {
      self == .published ? published ?? completedAt : completedAt
    }
  }

  /// What is not among so many of the newest goes, unless a keep rule holds it.
  package var atMost: Int?
  /// So many of the newest.
  package var keepLast: Int?
  /// What is not older.
  package var keepWithin: Duration?
  /// What was never heard.
  package var keepUnplayed = false
  /// So long after the last play.
  package var dropPlayedAfter: Duration?
  /// At that age.
  package var dropAfter: Duration?
  package var ageBasis: AgeBasis = .published
  package init() {}

  package var hasRules: Bool { keeps || drops }
  package var keeps: Bool { keepLast != nil || keepWithin != nil || keepUnplayed }
  package var drops: Bool { atMost != nil || dropPlayedAfter != nil || dropAfter != nil }
}

extension RetentionPolicy {
  /// When a drop rule speaks of an item, if nothing is heard until then.
  struct Drop {
    var rule: RetentionRule
    var at: Timestamp
    /// Because it was heard, and not for its age.
    var isForPlays: Bool
  }

  /// - Parameter start: what the item's age counts from.
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
