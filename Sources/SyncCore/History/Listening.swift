// SPDX-License-Identifier: Apache-2.0

/// One time that something was heard, as a player recorded it.
package struct Listening: Hashable, Sendable {
  /// How it came to its end.
  package enum Ending: Hashable, Sendable {
    /// At the end of the item.
    case end
    /// Before that.
    case brokeOff
    /// Passed over: neither a play nor a place to go on from.
    case skipped
    /// The source does not say.
    case unknown
  }

  /// How exact a time is.
  package enum Resolution: Hashable, Sendable { case second, minute }

  package var track: TrackReference
  /// When it ended, or began where the source knows no more.
  package var at: Timestamp
  package var resolution: Resolution
  /// How long was heard; nil when the source says only that it was.
  package var heard: Duration?
  /// The place in the item that was reached last.
  package var position: Duration?
  /// Of the item, as the player knows it.
  package var duration: Duration?
  package var ending: Ending

  package init(
    track: TrackReference, at: Timestamp, resolution: Resolution = .second, heard: Duration? = nil,
    position: Duration? = nil, duration: Duration? = nil, ending: Ending = .unknown
  ) {
    self.track = track
    self.at = at
    self.resolution = resolution
    self.heard = heard
    self.position = position
    self.duration = duration
    self.ending = ending
  }
}

/// What a player keeps that only counts: how often, and when last.
package struct PlayCounter: Hashable, Sendable {
  package var track: TrackReference
  /// The player's name of the item, by which its counter is known again.
  package var uri: String
  package var value: Int
  package var lastAt: Timestamp
  /// Where listening broke off.
  package var position: Duration?
  package var duration: Duration?
  package init(
    track: TrackReference, uri: String, value: Int, lastAt: Timestamp, position: Duration? = nil,
    duration: Duration? = nil
  ) {
    self.track = track
    self.uri = uri
    self.value = value
    self.lastAt = lastAt
    self.position = position
    self.duration = duration
  }
}

/// How a source names what was heard: by as much of this as it knows.
package struct TrackReference: Hashable, Sendable {
  /// As the player writes it: absolute, or relative to a directory of its own.
  package var path: String?
  /// The item's id.
  package var id: String?
  package var tags: TrackTags?
  package init(path: String? = nil, id: String? = nil, tags: TrackTags? = nil) {
    self.path = path
    self.id = id
    self.tags = tags
  }
}

/// One record of a source.
package enum HeardRecord: Hashable, Sendable {
  case listening(Listening)
  case counter(PlayCounter)
}
