// SPDX-License-Identifier: Apache-2.0

/// The playlists of a run and the readings of their sources. No later stage looks at the playlists of the manifest: one
/// of them may become many, such as the outlines of an OPML file.
package struct Resolution: Equatable, Sendable {
  /// In the order of the manifest.
  package var playlists: [ResolvedPlaylist]

  /// True if the items get the details that their tags need.
  package var wantsDetails = false

  /// The synced playlists as they were here when the sources were read.
  package var lists = LocalLists()

  package init(_ playlists: [ResolvedPlaylist]) { self.playlists = playlists }

  /// One playlist for each that is declared.
  /// - Parameter readings: One for each source that was read.
  package init(_ declared: [Playlist], _ readings: [SourceReading] = []) {
    let readings = Dictionary(readings.map { ($0.playlist, $0) }, uniquingKeysWith: { first, _ in first })
    playlists = declared.map { ResolvedPlaylist($0, reading: readings[$0.name]) }
  }

  /// The names of the playlists that these names include. Nil for all.
  package func scope(_ declared: Set<PlaylistName>?) -> Set<PlaylistName>? {
    guard let declared else { return nil }
    return Set(
      playlists.filter { declared.contains($0.declaredName) || declared.contains($0.playlist.name) }.map(
        \.playlist.name)
    ).union(declared)
  }
}

extension Resolution {
  /// The sources that have had nothing new for longer than `limit`.
  package func staleSources(
    after limit: Duration, at now: Timestamp
  ) -> [(playlist: PlaylistName, news: SourceReading.LatestNews)] {
    playlists.compactMap { resolved in
      // The news of a list of feeds comes in those feeds.
      guard !resolved.playlist.source.listsPlaylists, let reading = resolved.reading,
        let news = reading.latestNews(at: now), news.time + limit < now
      else { return nil }
      return (resolved.playlist.name, news)
    }
  }
}

/// A playlist as the run sees it.
package struct ResolvedPlaylist: Equatable, Sendable {
  /// It has the settings of the manifest's playlist, and its own name and title.
  package var playlist: Playlist
  /// The name of the playlist in the manifest from which it comes.
  package var declaredName: PlaylistName
  /// Nil for inline items, and for a source that was not read.
  package var reading: SourceReading?

  /// - Parameter declaredName: Nil if the manifest declares the playlist itself.
  package init(_ playlist: Playlist, declaredName: PlaylistName? = nil, reading: SourceReading? = nil) {
    self.playlist = playlist
    self.declaredName = declaredName ?? playlist.name
    self.reading = reading
  }
}
