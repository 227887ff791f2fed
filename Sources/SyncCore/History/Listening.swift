// SPDX-License-Identifier: Apache-2.0

/// One playback of a track, as a player recorded it.
package struct Listening: Hashable, Sendable {
  /// The way in which the playback ended.
  package enum Ending: Hashable, Sendable {
    /// It reached the end of the item.
    case end
    /// It stopped before the end.
    case brokeOff
    /// It was skipped: neither a play nor a position to resume from.
    case skipped
    /// The source does not say.
    case unknown
  }

  /// The precision of a time.
  package enum Resolution: Hashable, Sendable { case second, minute }

  package var track: TrackReference
  /// The end of the playback, or its start if the source knows no more.
  package var at: Timestamp
  package var resolution: Resolution
  /// The time played. Nil if the source says only that the item was played.
  package var played: Duration?
  /// The position at which the playback began. Nil for the start of the item, and if the source does not say.
  package var started: Duration?
  /// The last position reached in the item.
  package var position: Duration?
  /// The item's duration, according to the player.
  package var duration: Duration?
  package var ending: Ending

  package init(
    track: TrackReference, at: Timestamp, resolution: Resolution = .second, played: Duration? = nil,
    started: Duration? = nil, position: Duration? = nil, duration: Duration? = nil, ending: Ending = .unknown
  ) {
    self.track = track
    self.at = at
    self.resolution = resolution
    self.played = played
    self.started = started
    self.position = position
    self.duration = duration
    self.ending = ending
  }
}

/// A record of a player that keeps only a count and the time of the last play.
package struct PlayCounter: Hashable, Sendable {
  package var track: TrackReference
  /// The player's name for the item, which identifies its counter.
  package var uri: String
  package var value: Int
  package var lastAt: Timestamp
  /// The position at which playback stopped.
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

/// A source's description of a track, as far as the source knows it.
package struct TrackReference: Hashable, Sendable {
  /// The path as the player writes it: absolute, or relative to its music directory.
  package var path: String?
  /// The item's id.
  package var id: String?
  /// The URL of the media file.
  package var url: String?
  package var tags: TrackTags?
  package init(path: String? = nil, id: String? = nil, url: String? = nil, tags: TrackTags? = nil) {
    self.path = path
    self.id = id
    self.url = url
    self.tags = tags
  }
}

/// One record of a source.
package enum HeardRecord: Hashable, Sendable {
  case listening(Listening)
  case counter(PlayCounter)
  /// A person marked the track as new.
  case renewal(TrackReference, at: Timestamp)
}
