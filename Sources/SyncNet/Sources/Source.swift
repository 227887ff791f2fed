// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
import SyncFormats

/// A source of a playlist's items, of any kind.
protocol Source: Sendable {
  /// Reads the source. The listing is in the form in which the playlist uses it. The caller sets the health.
  func read(_ past: SourcePast, _ access: SourceAccess) async -> SourceReading

  /// The contents at the last reading, without any request. Nil if nothing is known.
  func lastListing() -> Listing?
}

/// The facts recorded about a source. Nil if it was never read whole.
struct SourcePast: Sendable {
  let state: SourceState?
  let health: SourceHealth
}

/// Everything that a source needs to be read again.
package struct SourceAccess: Sendable {
  /// Nil if every source is a file on this machine.
  let fetcher: (any SourceFetcher)?
  /// True if fetched documents may be kept for the next run.
  let keeps: Bool
  /// The space that copies must leave free on the file system.
  let minimumFree: ByteCount
  /// The program that lists pages.
  let ytdlp: YtDlp
  /// The secrets of the run, which a server may echo.
  let mask: SecretMask
  /// The digest of the parts of the manifest that affect a run.
  let manifestDigest: @Sendable () -> SHA256Digest
  /// The synced playlists as they are here.
  package var lists = LocalLists()
  let servers = ServerTrials()

  package init(
    fetcher: (any SourceFetcher)?, keeps: Bool, minimumFree: ByteCount, mask: SecretMask, ytdlp: YtDlp? = nil,
    manifestDigest: @escaping @Sendable () -> SHA256Digest
  ) {
    self.fetcher = fetcher
    self.keeps = keeps
    self.minimumFree = minimumFree
    self.mask = mask
    self.ytdlp = ytdlp ?? YtDlp(DownloadPolicy(), mask: mask)
    self.manifestDigest = manifestDigest
  }
}

/// Makes the source of each kind.
struct SourceFactory: Sendable {
  let make: @Sendable (SourceKind, SourceAddress) -> (any Source)?

  /// One line for each kind.
  static let standard = SourceFactory { kind, address in
    switch kind {
    case .feed: DocumentSource<FeedReader>(address: address)
    case .list: DocumentSource<ListReader>(address: address)
    // They have no document at a place.
    case .subsonic, .ytdlp: nil
    case .opml: DocumentSource<OutlineReader>(address: address)
    case .gpodder where address.playlist.source.subscriptions?.isNextcloud ?? false:
      DocumentSource<SubscriptionReader>(address: address)
    case .gpodder: DocumentSource<OutlineReader>(address: address)
    }
  }

  /// Returns nil for inline items.
  func source(of playlist: Playlist, in library: Library) -> (any Source)? {
    if let query = playlist.source.query { return SubsonicSource(playlist: playlist, query: query, library: library) }
    if let query = playlist.source.extraction {
      return YtDlpSource(playlist: playlist, query: query, library: library)
    }
    guard let kind = playlist.source.kind, let location = playlist.source.location else { return nil }
    return make(kind, SourceAddress(playlist: playlist, location: location, library: library))
  }
}

/// The place of a source, and the playlist and the library that it belongs to.
struct SourceAddress: Sendable {
  let playlist: Playlist
  let location: ListingLocation
  let library: Library

  /// The place of the copy of its document. Nil if the library is only inspected and has no state.
  var copy: FilePlace? { playlist.copyName.flatMap { library.cache($0) } }

  /// The place of the listing of that copy.
  var listing: FilePlace? { library.cache(playlist.listingName) }

  /// The place of the further pages of a feed.
  var pages: FilePlace? { library.cache(playlist.pagesName) }
}
