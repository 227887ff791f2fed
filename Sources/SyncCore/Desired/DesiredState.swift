// SPDX-License-Identifier: Apache-2.0

/// The desired contents of the library, as far as the manifest and the sources tell.
package struct DesiredState: Equatable, Sendable {
  /// The playlists of the run. All later stages look at these.
  package var playlists: [Playlist] = []
  /// Each item once, in the order in which the playlists first name them.
  package var items: BoxedArray<DesiredItem> = []
  /// Playlists whose source could not be read whole. None of their items may be removed because of it.
  package var heldPlaylists: Set<PlaylistName> = []
  /// Playlists whose items stay when the source no longer names them.
  package var keepingPlaylists: Set<PlaylistName> = []
  /// Items that a source still lists with unusable entries only. They have not left the source.
  package var listed: Set<ItemID> = []
  /// The number of unselected items unknown to the queue beyond the first `maximumPassedOver` of each playlist, by
  /// reason.
  package var unlisted: [PlaylistName: [Unselected: Int]] = [:]
  /// The ids of the items that `unlisted` counts. Empty unless they were asked for.
  package var unlistedIDs: [ItemID] = []
  /// Playlists that were given another key, by their old key.
  package var renamed: [PlaylistName: PlaylistName] = [:]
  /// True if an item needs a licence, or has had one.
  package var usesLicenses = false
  /// The facts to record about sources that had something new.
  package var sourceStates: [PlaylistName: SourceState] = [:]
  package init() {}

  /// The treatment of entries that no playlist selects and that the queue does not know.
  package enum UnselectedNaming: Sendable {
    /// They are only counted, as in a run, which does nothing with them.
    case counted
    /// The first `maximumPassedOver` become items, and the others are counted.
    case listed
    /// As `listed`, and the ids of the others are in `unlistedIDs`.
    case named
  }

  /// The number of unselected entries of one source that become items, so that they can be explained. They are the
  /// newest or the oldest ones, depending on the order of the playlist.
  package static let maximumPassedOver = 10_000
}

// For other targets, which cannot specialise the generic accessors.
extension BoxedArray<DesiredItem> {
  package var count: Int { boxes.count }

  package subscript(position: Int) -> DesiredItem {
    _read { yield boxes[position].wrappedValue }
    _modify { yield &boxes[position].wrappedValue }
  }
}

package struct DesiredItem: Equatable, Sendable {
  @Boxed package var item: Item
  package var memberships: [Membership]
  package var matchedBy: IdentityRule?
  package var priority: Priority
  /// True if pinned by the manifest.
  package var isPinned: Bool
  package var layout: LayoutTemplate
  /// The title of the first playlist that names the item, as shown to people.
  package var playlistTitle: String
  /// The reason why no playlist selects the item. Nil if one does. An unselected item may stay but is not fetched.
  package var unselected: Unselected?
  /// True if its URL came from a source and not from the manifest itself.
  package var isFromSource: Bool
  /// The position among the items of the queue from which this state was made.
  package var queueIndex: Int?
  /// The place that gives its licence. Nil if it needs none.
  @BoxedIfAny package var license: LicenseSource?
  /// The plays of an item that the queue does not know yet, found elsewhere.
  package var played = PlayHistory()

  /// - Parameter item: Shared with the manifest instead of copied.
  init(
    _ item: Boxed<Item>, memberships: [Membership], matchedBy: IdentityRule? = nil, priority: Priority, isPinned: Bool,
    layout: LayoutTemplate, playlistTitle: String, unselected: Unselected?, isFromSource: Bool, queueIndex: Int? = nil
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
    self.queueIndex = queueIndex
  }

  package var id: ItemID { item.id }

  /// The values for the fields of its layout.
  package var fields: LayoutFields {
    LayoutFields(playlist: playlistTitle, item: $item, position: memberships.first?.position ?? 0)
  }

  /// True if the item is worth fetching.
  package var isSelected: Bool { unselected == nil }
}

extension DesiredState {
  /// The positions of the items that the queue from which this state was made does not have.
  package func unknown(to queue: Queue) -> [Int] {
    items.indices.filter { items[$0].queueIndex == nil && queue.position(of: items[$0].item.id) == nil }
  }

  /// The selected items and their positions in the queue, without the finished ones that need no further look.
  /// Copies no item, as the passes over a queue.
  /// - Parameter isDone: Gets the position of a finished item in the queue.
  package func selected(in queue: Queue, except isDone: (Int) -> Bool) -> [(index: Int, position: Int?)] {
    let known = queue.items
    return items.indices.compactMap { index in
      guard items[index].isSelected else { return nil }
      let position = queue.position(of: items[index].item.id, guess: items[index].queueIndex)
      if let position, known[position].state.name == .completed, isDone(position) { return nil }
      return (index, position)
    }
  }
}
