// SPDX-License-Identifier: Apache-2.0

/// An episode action of the gpodder.net API.
package struct EpisodeAction: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case play
    /// A download, a deletion or a mark.
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

  /// The playback. Nil for another action.
  package var listening: Listening? {
    guard kind == .play else { return nil }
    return Listening(
      track: TrackReference(url: episode), at: at, started: started, position: position,
      duration: total.flatMap { $0 > .zero ? $0 : nil })
  }
}
