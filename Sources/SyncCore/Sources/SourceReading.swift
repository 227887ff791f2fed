// SPDX-License-Identifier: Apache-2.0

/// The result of reading a source for one playlist.
package struct SourceReading: Equatable, Sendable {
  package var playlist: PlaylistName
  package var listing: Listing
  /// True if the server said that nothing changed or the bytes are those of the last reading.
  package var isUnchanged: Bool
  package var etag: String?
  package var lastModified: String?
  /// Nil if the source was read at the address in the manifest.
  package var move: SourceMove?
  /// The reading history, including this reading.
  package var health = SourceHealth()
  /// The plays of its songs that a server with the Subsonic API counted.
  package var songPlays: [SongPlays] = []
  /// What is to be done about a synced playlist. Nil for other sources.
  package var listSync: ListSync?
  package init(
    playlist: PlaylistName, listing: Listing, isUnchanged: Bool, etag: String? = nil, lastModified: String? = nil,
    move: SourceMove? = nil
  ) {
    self.playlist = playlist
    self.listing = listing
    self.isUnchanged = isUnchanged
    self.etag = etag
    self.lastModified = lastModified
    self.move = move
  }
}

extension SourceReading {
  /// The time of the latest news from a source.
  package enum LatestNews: Hashable, Sendable {
    /// The publication of its newest entry.
    case published(Timestamp)
    /// The last change of its entries, which state no dates.
    case changed(Timestamp)

    package var time: Timestamp {
      switch self {
      case .published(let time), .changed(let time): time
      }
    }
  }

  /// Nil if the source was not read whole.
  package func latestNews(at now: Timestamp) -> LatestNews? {
    guard health.failure == nil else { return nil }
    let entries = listing.entries
    // A date in the future is a mistake or an announcement.
    let dates = entries.indices.lazy.compactMap { entries.published(at: $0) }.filter { $0 <= now }
    return dates.max().map { .published($0) } ?? health.changedAt.map { .changed($0) }
  }
}

/// The plays of a song, as its server counts them.
package struct SongPlays: Hashable, Sendable {
  /// The URL of the song's original file.
  package var url: RemoteURL
  package var count: Int
  package var lastAt: Timestamp
  package var duration: Duration?

  package init(url: RemoteURL, count: Int, lastAt: Timestamp, duration: Duration? = nil) {
    (self.url, self.count, self.lastAt, self.duration) = (url, count, lastAt, duration)
  }
}

/// The result of reading one source.
package struct SourceSummary: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    case changed
    case unchanged
    case problem(SourceProblem)
  }
  package var playlist: PlaylistName
  package var location: String
  package var outcome: Outcome
  package var items: Int
  package var flaws: ListingFlaws
  /// The reading history, including this reading.
  package var health: SourceHealth
  package init(
    playlist: PlaylistName, location: String, outcome: Outcome, items: Int, flaws: ListingFlaws = ListingFlaws(),
    health: SourceHealth = SourceHealth()
  ) {
    self.health = health
    self.playlist = playlist
    self.location = location
    self.outcome = outcome
    self.items = items
    self.flaws = flaws
  }
}
