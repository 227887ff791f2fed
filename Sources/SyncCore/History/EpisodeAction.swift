// SPDX-License-Identifier: Apache-2.0

/// An action on an episode, as the gpodder.net API tells of it.
package struct EpisodeAction: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case play
    /// A download, a deletion, a mark: nothing that was heard.
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

/// An episode as a server with the gpodder.net API knows it.
package struct KnownEpisode: Hashable, Sendable {
  package var podcast: String
  package var episode: String
  package var duration: Duration?

  /// A finished play of the episode.
  package func play(at time: Timestamp, on device: GpodderDevice) -> EpisodeAction {
    var action = EpisodeAction(podcast: podcast, episode: episode, device: device.text, kind: .play, at: time)
    // A server takes all three or none.
    if let duration, duration >= .seconds(1) {
      (action.started, action.position, action.total) = (.zero, duration, duration)
    }
    return action
  }
}

/// The episodes of a library, by item: those that a feed of the manifest lists.
package struct EpisodeBook: Sendable {
  private let queue: Queue
  private let feeds: [PlaylistName: String]

  package init(_ queue: Queue, _ playlists: [Playlist]) {
    self.queue = queue
    feeds = playlists.reduce(into: [:]) { feeds, playlist in
      if playlist.source.kind == .feed { feeds[playlist.name] = playlist.source.location?.url?.text }
    }
  }

  /// Nil for an item that no feed lists.
  package func episode(of id: ItemID) -> KnownEpisode? {
    guard let item = queue[id], let feed = item.memberships.lazy.compactMap({ feeds[$0.playlist] }).first else {
      return nil
    }
    return KnownEpisode(podcast: feed, episode: item.item.main.url.text, duration: item.item.duration)
  }
}
