// SPDX-License-Identifier: Apache-2.0

/// What the library should hold, as far as manifest and sources can say.
package struct DesiredState: Equatable, Sendable {
  /// Each item once, in the order in which the manifest names them first.
  package var items: BoxedArray<DesiredItem> = []
  /// Playlists whose source could not be read whole: nothing of theirs may go because of it.
  package var heldPlaylists: Set<PlaylistName> = []
  /// Playlists whose items stay when the source no longer names them.
  package var keepingPlaylists: Set<PlaylistName> = []
  /// Items that a source still lists although nothing of their entries can be fetched: they have not left it.
  package var listed: Set<ItemID> = []
  /// What playlists pass over and the queue does not know, beyond `maximumPassedOver` of each: how many, by the reason.
  package var unlisted: [PlaylistName: [Unselected: Int]] = [:]
  /// All of those.
  package var unlistedIDs: [ItemID] = []
  /// Playlists that were given another key, by the one that they had.
  package var renamed: [PlaylistName: PlaylistName] = [:]
  /// What to remember of sources that told something new.
  package var memories: [PlaylistName: SourceMemory] = [:]
  package init() {}

  /// Entries of one source that are items although nobody wants them, so that they can be explained. The newest of them, or
  /// the oldest, as the playlist is ordered.
  package static let maximumPassedOver = 10_000
}

package struct DesiredItem: Equatable, Sendable {
  @Boxed package var item: Item
  package var memberships: [Membership]
  package var matchedBy: IdentityRule?
  package var priority: Priority
  /// By the manifest.
  package var isPinned: Bool
  package var layout: LayoutTemplate
  /// The first playlist that names it, as a person sees it.
  package var playlistTitle: String
  /// Why no playlist selects it; nil when one does. What is not selected may stay, but is not fetched.
  package var unselected: Unselected?
  /// Its URL came from a source and not from the manifest itself.
  package var isFromSource: Bool
  /// Among the items of the queue that it was made with.
  package var knownAs: Int?
  /// Of one that the queue does not know yet: what was heard of it elsewhere.
  package var heard = PlayHistory()

  /// - Parameter item: shared with the manifest, not copied.
  init(
    _ item: Boxed<Item>, memberships: [Membership], matchedBy: IdentityRule? = nil, priority: Priority, isPinned: Bool,
    layout: LayoutTemplate, playlistTitle: String, unselected: Unselected?, isFromSource: Bool, knownAs: Int? = nil
  ) {
    _item = item
    self.memberships = memberships
    self.matchedBy = matchedBy
    self.priority = priority
    self.isPinned = isPinned
    self.layout = layout
    self.playlistTitle = playlistTitle
    self.unselected = unselected
    self.isFromSource = isFromSource
    self.knownAs = knownAs
  }

  /// What its place in the library is made of.
  package var fields: LayoutFields {
    LayoutFields(playlist: playlistTitle, item: $item, position: memberships.first?.position ?? 0)
  }

  /// Worth fetching.
  package var isSelected: Bool { unselected == nil }
}

/// A feed as it was read for one playlist.
package struct SourceReading: Equatable, Sendable {
  package var playlist: PlaylistName
  package var feed: Feed
  /// The server said that nothing changed, or the bytes are those of last time.
  package var isUnchanged: Bool
  package var etag: String?
  package var lastModified: String?
  /// With this reading.
  package var health = SourceHealth()
  package init(
    playlist: PlaylistName, feed: Feed, isUnchanged: Bool, etag: String? = nil, lastModified: String? = nil
  ) {
    self.playlist = playlist
    self.feed = feed
    self.isUnchanged = isUnchanged
    self.etag = etag
    self.lastModified = lastModified
  }
}
