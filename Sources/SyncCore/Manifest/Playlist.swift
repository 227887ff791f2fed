// SPDX-License-Identifier: Apache-2.0

/// An ordered set of items, written inline or read from a source. Its settings are its own members, so that
/// `playlist.pin` is `playlist.settings.pin`.
@dynamicMemberLookup
package struct Playlist: Equatable, Sendable {
  package var name: PlaylistName
  package var title: String?
  package var source: Source
  package var settings = PlaylistSettings()
  /// True if the items come from a source, which lists them in the order of `select.order`. A simulation replaces the
  /// source by its items, and the playlist stays a listing.
  package let isListing: Bool
  /// True if the order of the source is that of the playlist. The items of other listings are ordered by their dates.
  package let isOrdered: Bool

  package init(name: PlaylistName, source: Source) {
    self.name = name
    self.source = source
    isListing = source.isListing
    isOrdered = source.kind?.isOrdered ?? true
  }

  /// The value of `{playlist}` and the stem of the M3U8 file.
  package var displayTitle: String { title ?? name.text }

  package subscript<Value>(dynamicMember path: WritableKeyPath<PlaylistSettings, Value>) -> Value {
    get { settings[keyPath: path] }
    set { settings[keyPath: path] = newValue }
  }
}

/// The settings of a playlist that `defaults:` may give to all of them.
package struct PlaylistSettings: Equatable, Sendable {
  package var quality: Quality = .source
  package var priority: Priority = .normal
  package var pin = false
  /// Overrides the layout of the library.
  package var layout: LayoutTemplate?
  package var select = Selection()
  package var retain = RetentionPolicy()
  /// Nil for no budget of its own.
  package var budget: PlaylistBudget?
  /// True if an item that left the source becomes an orphan. Inline items always do.
  package var mirror = false
  /// The exchange of changes with the server that keeps the playlist.
  package var sync = ListSyncPolicy()
  /// Nil for requests without credentials.
  package var auth: AuthSettings?
  /// Nil if the items have licences of their own, or that of the library's server.
  package var license: LicenseDeclaration?
  package init() {}
}

/// The part of the library's budget that a playlist may use.
package enum PlaylistBudget: Hashable, Sendable {
  case size(ByteCount)
  /// A share of `storage.budget`.
  case share(Share)

  /// Nil for a share without a budget.
  package func bytes(of whole: ByteCount?) -> ByteCount? {
    switch self {
    case .size(let size): size
    case .share(let share): whole.map { $0 * share }
    }
  }
}

package enum Quality: String, CaseIterable, Sendable {
  case low, normal, high, source
}

/// The order of transfers: high before normal before low.
package enum Priority: String, CaseIterable, Sendable, Comparable {
  case low, normal, high

  package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .low: 0
    case .normal: 1
    case .high: 2
    }
  }
}

extension Playlist {
  /// The scope of the playlist's credentials and of the manifest's headers: `auth.scope` if set, otherwise the origin
  /// of the source, or the origins of the items' main URLs.
  package var credentialScope: CredentialScope {
    CredentialScope(origins: source.mainOrigins, hosts: settings.auth?.scope ?? [])
  }
}

extension Playlist {
  /// True if changes of the playlist, or of each playlist of its source, go both ways.
  package var isSynced: Bool { settings.sync.direction == .both && source.query?.songs.isList == true }
}

extension SubsonicQuery.Songs {
  /// True for playlists of the server, which can be changed.
  package var isList: Bool {
    switch self {
    case .playlist, .playlists, .listed: true
    case .starredSongs, .starredAlbums, .albums, .artist, .genre, .search: false
    }
  }
}

extension SubsonicQuery.Songs {
  /// The name of the one playlist. Nil for other songs.
  package var name: String? {
    switch self {
    case .playlist(let name), .listed(_, let name): name
    default: nil
    }
  }
}
