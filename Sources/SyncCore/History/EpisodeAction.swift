// SPDX-License-Identifier: Apache-2.0

/// The form in which a server keeps a URL that was sent to it.
package struct URLChange: Hashable, Sendable {
  package var sent: String
  /// Nil if the server does not take the URL.
  package var kept: String?

  package init(sent: String, kept: String?) { (self.sent, self.kept) = (sent, kept) }
}

/// An episode action of the gpodder.net API.
package struct EpisodeAction: Hashable, Sendable {
  /// The raw values are those of the API.
  package enum Kind: String, Sendable {
    case play, download, delete
    /// A person wants the episode to be as if nobody had played it.
    case new
    /// One that this version does not know.
    case other
  }

  /// The URL of the feed, as the server knows it.
  package var podcast: String
  /// The URL of the media file, as the server knows it.
  package var episode: String
  /// The device that reported it.
  package var device: String?
  package var kind: Kind
  package var at: Timestamp
  /// The position at which playback began and ended, and the duration. Each is nil if the device did not say.
  package var started: Duration?
  package var position: Duration?
  package var total: Duration?

  package init(podcast: String, episode: String, device: String? = nil, kind: Kind, at: Timestamp) {
    self.podcast = podcast
    self.episode = episode
    self.device = device
    self.kind = kind
    self.at = at
  }

  /// The record of a playback or of a mark. Nil for an action that is about the files of another device.
  package var record: HeardRecord? {
    switch kind {
    case .play:
      .listening(
        Listening(
          track: TrackReference(url: episode), at: at, started: started, position: position,
          duration: total.flatMap { $0 > .zero ? $0 : nil }))
    case .new: .renewal(TrackReference(url: episode), at: at)
    case .download, .delete, .other: nil
    }
  }
}
