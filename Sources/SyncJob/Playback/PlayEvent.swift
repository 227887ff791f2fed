// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// Something that happens while `play` works.
package enum PlayEvent: Sendable {
  /// An item begins, at a position of it.
  case began(QueueItem, number: Int, of: Int, at: Duration, PlaySource)
  case progressed(position: Duration, duration: Duration?, isPaused: Bool)
  /// An item ends, with its effect. The last position that is known is that of the end.
  case ended(QueueItem, Playback, Playback.Ending, PlayVerdict)
  case notPlayed(ItemID, TrackProblem)
  /// The record of a playback cannot be written.
  case notRecorded(FileError)
}

/// Something that a person asks for while `play` works.
package enum PlayKey: Hashable, Sendable {
  case pause, next, previous, quit, forward, back
}

/// The end of `play`.
package struct PlayResult: Equatable, Sendable {
  /// The items that were played to their ends, or for a while.
  package var played = 0
  /// The plays that count.
  package var counted = 0
  package var failed: [ItemID] = []
  /// True if the list was played to its end.
  package var isAtEnd = false
  /// The reason why some of it is not recorded.
  package var lost: FileError?
  package init() {}
}
