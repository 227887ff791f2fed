// SPDX-License-Identifier: Apache-2.0

extension Playlist {
  /// The place that a playlist's items come from. Only this file tells the cases apart: the rest of the program asks.
  package enum Source: Equatable, Sendable {
    /// The items in the order of the file.
    case inline(InlineItems)
    /// A source that lists the items and is read in each run.
    case listing(SourceKind, at: ListingLocation)
    /// A list in a file, which may name files below further folders. These are absolute paths.
    case list(path: String, roots: [String])
    /// Songs of a server, asked for in each run.
    case server(SubsonicQuery)
    /// A page, a list or a search that yt-dlp reads in each run.
    case extraction(YtDlpQuery)
    /// A document that lists feeds. Each of them becomes a playlist of its own.
    case outlines(OutlineFilter, at: ListingLocation)
    /// The subscriptions of a server's user. Each of them becomes a playlist of its own.
    case subscriptions(Subscriptions, OutlineFilter)

    package static func items(_ items: BoxedArray<Item>) -> Source { .inline(.decoded(items)) }
  }
}

/// The kinds of sources. The raw value is the playlist's key in the manifest.
package enum SourceKind: String, CaseIterable, Sendable {
  /// RSS 2.0 with Apple's additions.
  case feed
  /// A list in M3U, PLS, XSPF or JSPF.
  case list
  /// Songs of a server with the Subsonic API.
  case subsonic
  /// OPML, a list of feeds.
  case opml
  /// Pages that the program yt-dlp reads.
  case ytdlp
  /// Subscriptions at a server with the gpodder.net API.
  case gpodder
}

/// The place of a source's document.
package enum ListingLocation: Equatable, Sendable {
  case remote(RemoteURL)
  /// The absolute path of a file.
  case file(String)

  /// The location for display, without credentials.
  package var shown: String {
    switch self {
    case .remote(let url): url.redacted
    case .file(let path): path
    }
  }

  var url: RemoteURL? { if case .remote(let url) = self { url } else { nil } }
}

extension SourceKind {
  /// The selection at the first reading unless the manifest declares another.
  package var initialSelection: Selection.Initial {
    switch self {
    case .feed, .opml, .gpodder: .count(3)
    case .list, .subsonic, .ytdlp: .all
    }
  }

  /// True for a list that somebody put in order.
  var isOrdered: Bool {
    switch self {
    case .feed, .opml, .gpodder: false
    case .list, .subsonic, .ytdlp: true
    }
  }

  /// The built-in layout of the items.
  fileprivate var layout: LayoutTemplate {
    switch self {
    case .feed, .opml, .gpodder: .episode
    case .list, .subsonic, .ytdlp: .item
    }
  }

  /// The extension of the copies of its documents.
  fileprivate var copyExtension: String {
    switch self {
    case .feed: "xml"
    case .list: "list"
    case .subsonic: "json"
    case .opml: "opml"
    case .ytdlp: "pages"
    case .gpodder: "subscriptions"
    }
  }
}

extension Playlist.Source {
  /// True if the items come from a source, which lists them in the order of `select.order`.
  package var isListing: Bool { kind != nil }

  /// True if its entries are not items but sources, of which each becomes a playlist.
  package var listsPlaylists: Bool {
    switch self {
    case .outlines, .subscriptions: true
    case .server(let query): if case .playlists = query.songs { true } else { false }
    case .inline, .listing, .list, .extraction: false
    }
  }

  /// Nil for inline items.
  package var kind: SourceKind? {
    switch self {
    case .inline: nil
    case .listing(let kind, _): kind
    case .list: .list
    case .server: .subsonic
    case .extraction: .ytdlp
    case .outlines: .opml
    case .subscriptions: .gpodder
    }
  }

  /// The place of the source's document. Nil for inline items and for a source without a document.
  package var location: ListingLocation? {
    switch self {
    case .inline, .server, .extraction: nil
    case .listing(_, let location), .outlines(_, let location): location
    case .list(let path, _): .file(path)
    case .subscriptions(let subscriptions, _): .remote(subscriptions.document)
    }
  }

  /// The folders whose files the source may name.
  package var localRoots: LocalRoots {
    switch self {
    case .list(let path, let roots): LocalRoots(list: path, others: roots)
    case .listing(.list, .file(let path)): LocalRoots(list: path)
    case .inline, .listing, .server, .outlines, .subscriptions, .extraction: LocalRoots()
    }
  }

  /// Nil for other sources.
  package var query: SubsonicQuery? { if case .server(let query) = self { query } else { nil } }

  /// Nil for other sources.
  package var subscriptions: Subscriptions? { if case .subscriptions(let list, _) = self { list } else { nil } }

  /// The server in `servers` that a source is asked from. Its credentials are those of the server.
  package var server: PlaylistName? { query?.server ?? subscriptions?.server }

  /// Nil for other sources.
  package var extraction: YtDlpQuery? { if case .extraction(let query) = self { query } else { nil } }

  /// The selection at the first reading unless the manifest declares another. Nil for inline items.
  package var initialSelection: Selection.Initial? {
    if let extraction, extraction.isChannel { return .count(3) }
    return kind?.initialSelection
  }

  /// The place of the source for display, without credentials. Nil for inline items.
  package var shownLocation: String? { location?.shown ?? query?.shown ?? extraction?.shown }

  /// The URL of a source that is not on this machine.
  package var url: RemoteURL? { location?.url ?? query?.url ?? extraction?.url }

  /// The items that the manifest itself lists. Empty for a listing.
  package var inlineItems: BoxedArray<Item> { if case .inline(let items) = self { items.all } else { [] } }

  /// The layout of the items if neither the playlist nor the library declares one.
  var layout: LayoutTemplate { kind?.layout ?? .item }

  /// The path of the source if it is a file.
  package var file: String? { if case .file(let path)? = location { path } else { nil } }

  /// The origins that may get the playlist's credentials unless `auth.scope` names others: the source's, or those of the
  /// main URLs of inline items.
  var mainOrigins: Set<RemoteURL.Origin> {
    Set(inlineItems.map(\.main.url).filter { !$0.isSearch }.map(\.origin)).union(url.map { [$0.origin] } ?? [])
  }

  /// Calls `body` with each URL that the manifest names, alternatives included.
  package func forEachURL(_ body: (RemoteURL) -> Void) {
    if let url { body(url) }
    for item in inlineItems {
      if !item.main.url.isSearch { body(item.main.url) }
      for alternative in item.alternatives { body(alternative.url) }
    }
  }
}

extension Playlist {
  /// The file name of the copy of the source's document. Nil for inline items.
  package var copyName: String? { source.kind.map { "\(name.fileText).\($0.copyExtension)" } }

  /// The file name of the listing that is kept beside the copy.
  package var listingName: String { "\(name.fileText).\(Self.listingExtension)" }

  /// The file name of the further pages of its feed.
  package var pagesName: String { "\(name.fileText).\(Self.pagesExtension)" }

  /// The file names that copies of the playlist's sources may have, including those of kinds that it had before, and
  /// the names of its listing and of its further pages.
  package var copyNames: [String] {
    SourceKind.allCases.map { "\(name.fileText).\($0.copyExtension)" } + [listingName, pagesName]
  }

  /// True for the name of a copy of any playlist's source, of its listing or of its further pages.
  package static func isCopyName(_ name: String) -> Bool {
    let extensions = SourceKind.allCases.map(\.copyExtension) + [listingExtension, pagesExtension]
    return extensions.contains { name.hasSuffix(".\($0)") }
  }

  private static let listingExtension = "listing"
  private static let pagesExtension = "pages"
}
