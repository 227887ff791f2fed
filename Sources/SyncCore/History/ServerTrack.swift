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

extension ServerTrack {
  /// The track with the position at which playback left it. Nil for a position that the server does not take, and that no
  /// play is about.
  func left(at position: Duration?, isPlay: Bool) -> ServerTrack? {
    guard let position, case .episode(var episode) = self, episode.hasDuration else { return isPlay ? self : nil }
    episode.position = position
    return .episode(episode)
  }
}

/// An episode as a server with the gpodder.net API knows it.
package struct KnownEpisode: Hashable, Sendable {
  /// The URL of the feed.
  package var podcast: String
  /// The URL of the media file.
  package var episode: String
  package var duration: Duration?
  /// The position at which playback stopped. Nil if the episode was finished, or if the position is unknown.
  package var position: Duration?

  package init(podcast: String, episode: String, duration: Duration?, position: Duration? = nil) {
    (self.podcast, self.episode, self.duration, self.position) = (podcast, episode, duration, position)
  }

  /// True if a position can be told: the API requires a duration with it.
  var hasDuration: Bool { duration.map { $0 >= .seconds(1) } ?? false }

  /// A play of the episode, up to the position or to its end, or an action about its file.
  package func action(_ kind: PushedAction = .play, at time: Timestamp, on device: GpodderDevice) -> EpisodeAction {
    let told: EpisodeAction.Kind =
      switch kind {
      case .play: .play
      case .download: .download
      case .delete: .delete
      }
    var action = EpisodeAction(podcast: podcast, episode: episode, device: device.text, kind: told, at: time)
    // The API requires all three or none.
    if kind == .play, hasDuration, let duration {
      (action.started, action.position, action.total) = (.zero, min(position ?? duration, duration), duration)
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
    podcasts = Set(playlists.lazy.filter { [.feed, .opml, .gpodder].contains($0.source.kind) }.map(\.name))
  }

  /// The positions at which playback left items.
  package var positions: [ItemID: PlaybackPosition] {
    queue.items.reduce(into: [:]) { positions, item in positions[item.id] = item.plays.position }
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
