// SPDX-License-Identifier: Apache-2.0

/// What is known of an item's listening.
package struct PlayHistory: Hashable, Sendable {
  /// Plays that count: at least half of the item, or four minutes.
  package var count: Int
  package var lastPlayedAt: Timestamp?
  /// Where listening broke off; nil when it never began, or went on to the end.
  package var position: PlaybackPosition?

  package init(count: Int = 0, lastPlayedAt: Timestamp? = nil, position: PlaybackPosition? = nil) {
    self.count = count
    self.lastPlayedAt = lastPlayedAt
    self.position = position
  }

  /// So long after it broke off, listening is taken for given up.
  package static let patience = Duration.days(30)

  /// Somebody is in the midst of it: it is not to go now.
  package func isInProgress(at now: Timestamp) -> Bool {
    position.map { now - $0.at < Self.patience } ?? false
  }
}

/// A place in an item, and when it was left.
package struct PlaybackPosition: Hashable, Sendable {
  /// From the beginning.
  package var offset: Duration
  package var at: Timestamp
  package init(offset: Duration, at: Timestamp) {
    self.offset = offset
    self.at = at
  }
}
