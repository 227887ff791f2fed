// SPDX-License-Identifier: Apache-2.0

/// An item as a server knows it.
package enum ServerTrack: Hashable, Sendable {
  /// An episode at a server with the gpodder.net API.
  case episode(KnownEpisode)
  /// The id of a song at a server with the Subsonic API.
  case song(id: String)
  /// A recording at a server with the ListenBrainz API, which always has an artist.
  case recording(TrackTags, duration: Duration?)
}

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

/// The items of a library as servers know them.
package struct ServerTracks: Sendable {
  private let queue: Queue
  private let feeds: [PlaylistName: String]
  /// The playlists that list feeds or are feeds.
  private let podcasts: Set<PlaylistName>

  package init(_ queue: Queue, _ playlists: [Playlist]) {
    self.queue = queue
    feeds = playlists.reduce(into: [:]) { feeds, playlist in
      if playlist.source.kind == .feed { feeds[playlist.name] = playlist.source.location?.url?.text }
    }
    podcasts = Set(playlists.lazy.filter { [.feed, .opml].contains($0.source.kind) }.map(\.name))
  }

  /// Nil for an item that is not known any more.
  package func title(of id: ItemID) -> String? { queue[id]?.item.title }

  /// Nil for an item that the server does not know.
  package func track(of id: ItemID, at server: MediaServer) -> ServerTrack? {
    guard let item = queue[id] else { return nil }
    switch server.kind {
    case .gpodder: return episode(item).map { .episode($0) }
    case .subsonic: return song(item.item, at: server).map { .song(id: $0) }
    case .listenbrainz: return recording(item)
    }
  }

  /// Nil for an item that no feed lists.
  private func episode(_ item: QueueItem) -> KnownEpisode? {
    guard let feed = item.memberships.lazy.compactMap({ feeds[$0.playlist] }).first else { return nil }
    return KnownEpisode(podcast: feed, episode: item.item.main.url.text, duration: item.item.duration)
  }

  /// The id of a song that comes from the server. Nil for other items.
  private func song(_ item: Item, at server: MediaServer) -> String? {
    ([item.main] + item.alternatives).lazy.compactMap { SubsonicURL.songID(of: $0.url, at: server.url) }.first
  }

  /// Nil for an episode of a feed, and for an item without an artist.
  private func recording(_ item: QueueItem) -> ServerTrack? {
    guard !item.memberships.contains(where: { podcasts.contains($0.playlist) }),
      let tags = TrackTags(artist: item.item.artist, album: item.item.album, title: item.item.title), tags.artist != nil
    else { return nil }
    return .recording(tags, duration: item.item.duration)
  }
}
