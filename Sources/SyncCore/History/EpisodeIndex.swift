// SPDX-License-Identifier: Apache-2.0

/// An episode as a server with the gpodder.net API knows it.
package struct KnownEpisode: Hashable, Sendable {
  /// The URL of the feed.
  package var podcast: String
  /// The URL of the media file.
  package var episode: String
  package var duration: Duration?

  package init(podcast: String, episode: String, duration: Duration?) {
    (self.podcast, self.episode, self.duration) = (podcast, episode, duration)
  }

  /// A finished play of the episode.
  package func play(at time: Timestamp, on device: GpodderDevice) -> EpisodeAction {
    var action = EpisodeAction(podcast: podcast, episode: episode, device: device.text, kind: .play, at: time)
    // The API requires all three or none.
    if let duration, duration >= .seconds(1) {
      (action.started, action.position, action.total) = (.zero, duration, duration)
    }
    return action
  }
}

/// The episodes of a library, by item: those that a feed of the manifest lists.
package struct EpisodeIndex: Sendable {
  private let queue: Queue
  private let feeds: [PlaylistName: String]

  package init(_ queue: Queue, _ playlists: [Playlist]) {
    self.queue = queue
    feeds = playlists.reduce(into: [:]) { feeds, playlist in
      if playlist.source.kind == .feed { feeds[playlist.name] = playlist.source.location?.url?.text }
    }
  }

  /// Nil for an item that no feed lists.
  package subscript(id: ItemID) -> KnownEpisode? {
    guard let item = queue[id], let feed = item.memberships.lazy.compactMap({ feeds[$0.playlist] }).first else {
      return nil
    }
    return KnownEpisode(podcast: feed, episode: item.item.main.url.text, duration: item.item.duration)
  }
}
