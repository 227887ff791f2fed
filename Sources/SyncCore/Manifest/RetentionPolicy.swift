// SPDX-License-Identifier: Apache-2.0

/// What of a playlist may stay. Keep rules protect, drop rules remove, and every keep rule is stronger than any drop rule.
package struct RetentionPolicy: Hashable, Sendable {
  /// By what an item's age is reckoned.
  package enum AgeBasis: String, CaseIterable, Sendable {
    /// Its publication; where that is unknown, its completion.
    case published
    case completed
  }

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
  package var drops: Bool { dropPlayedAfter != nil || dropAfter != nil }
}

/// One rule of `retain`, with its value.
package enum RetentionRule: Hashable, Sendable {
  case keepLast(Int)
  case keepWithin(Duration)
  case keepUnplayed
  case dropPlayedAfter(Duration)
  case dropAfter(Duration)
}
