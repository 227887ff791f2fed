// SPDX-License-Identifier: Apache-2.0

/// The recorded plays of an item.
package struct PlayHistory: Hashable, Sendable {
  /// The number of plays that count: at least half of the item, or four minutes.
  package var count: Int
  package var lastPlayedAt: Timestamp?
  /// The position at which playback stopped. Nil if it never began or reached the end.
  package var position: PlaybackPosition?

  package init(count: Int = 0, lastPlayedAt: Timestamp? = nil, position: PlaybackPosition? = nil) {
    self.count = count
    self.lastPlayedAt = lastPlayedAt
    self.position = position
  }

  /// The time after which interrupted playback counts as abandoned.
  package static let patience = Duration.days(30)

  /// True if somebody is still playing the item, so it must not be removed now.
  package func isInProgress(at now: Timestamp) -> Bool {
    position.map { now - $0.at < Self.patience } ?? false
  }
}

/// A position in an item and the time when playback left it.
package struct PlaybackPosition: Hashable, Sendable {
  /// The time from the beginning of the item.
  package var offset: Duration
  package var at: Timestamp
  package init(offset: Duration, at: Timestamp) {
    self.offset = offset
    self.at = at
  }
}
