// SPDX-License-Identifier: Apache-2.0

/// The record of one item in the queue file.
package struct QueueItem: Equatable, Sendable {
  package var id: ItemID { item.id }
  /// The item as the manifest or the source last declared it.
  @Boxed package var item: Item
  /// The playlists that name it, in manifest order.
  package var memberships: [Membership]
  package var state: ItemState
  /// The upgrade of a finished item whose file is to be replaced by one of another quality.
  @BoxedIfAny package var upgrade: Upgrade?
  /// The file that was missing from the library when it was last looked for. It is adopted if it returns. Nil in items
  /// that have a file, that have a tombstone, or that never lost a file.
  @BoxedIfAny package var lostFile: StoredFile?
  /// True if pinned by command, in addition to the pins of the manifest.
  package var pinned: Bool
  /// The rule that last recognised it in its source. Nil for inline items.
  package var matchedBy: IdentityRule?
  package var plays: PlayHistory
  /// The time that determines its place in the line for room. Changed by `lineUp`.
  package private(set) var queuedAt: Timestamp
  /// The time when it became known, if that differs from `queuedAt`.
  @BoxedIfAny package private(set) var knownBefore: Timestamp?
  package var updatedAt: Timestamp
  /// Fields of a newer minor version, written back unchanged.
  package var unknownFields: [UnknownField]

  /// True if one of these playlists names the item.
  package func isMember(ofAny playlists: Set<PlaylistName>) -> Bool {
    memberships.contains { playlists.contains($0.playlist) }
  }

  /// Creates the record of an item that becomes known at `queuedAt`.
  package init(
    item: Item, memberships: [Membership], state: ItemState = .queued(Pending()), matchedBy: IdentityRule? = nil,
    plays: PlayHistory = .init(), queuedAt: Timestamp
  ) {
    self.item = item
    self.memberships = memberships
    self.state = state
    upgrade = nil
    lostFile = nil
    pinned = false
    self.matchedBy = matchedBy
    self.plays = plays
    self.queuedAt = queuedAt
    knownBefore = nil
    updatedAt = queuedAt
    unknownFields = []
  }
}

extension QueueItem {
  package var knownSince: Timestamp {
    get { knownBefore ?? queuedAt }
    set { knownBefore = newValue == queuedAt ? nil : newValue }
  }

  /// Gives the item another place in the line for room. The time when it became known stays the same.
  package mutating func lineUp(at time: Timestamp) {
    let known = knownSince
    queuedAt = time
    knownSince = known
  }

  /// The size of its last file, or the one that a server stated. An exact size in the manifest is better.
  package var knownSize: ByteCount? { state.lastFile?.size ?? item.size?.bytes }

  /// Changes its state. The size of its file, whether measured or stated, outlives the file.
  /// - Parameter told: The size that a server stated just now.
  package mutating func become(_ next: ItemState, told: ByteCount? = nil) {
    let known = next.lastFile == nil ? (told ?? state.lastFile?.size).map(DeclaredSize.about) ?? item.size : nil
    if item.size != known { item.size = known }
    if next.name != .completed { upgrade = nil }
    lostFile = lostFile(after: next)
    state = next
  }

  /// The lost file once the item is in the next state. A file that a person or a rule removed is not lost.
  private func lostFile(after next: ItemState) -> StoredFile? {
    guard next.name != .completed, next.name != .removed else { return nil }
    switch state {
    case .completed(let file): return file
    case .removed(let removal): return removal.cause == .lost ? removal.file : nil
    default: return lostFile
    }
  }

  /// The finished file that is present, or was.
  package var lastFile: StoredFile? { state.lastFile ?? lostFile }
}

/// An item's position in one playlist, counted from 1.
package struct Membership: Hashable, Sendable {
  package var playlist: PlaylistName
  package var position: Int
  package init(playlist: PlaylistName, position: Int) {
    self.playlist = playlist
    self.position = position
  }
}

/// The rule that recognised an item of a source.
package enum IdentityRule: String, CaseIterable, Sendable {
  case id, guid, url
  case titleDateDuration = "title_date_duration"
}

/// A field that this version does not know: its name and its value as JSON text.
package struct UnknownField: Hashable, Sendable {
  package var name: String
  package var json: [UInt8]
  package init(name: String, json: [UInt8]) {
    self.name = name
    self.json = json
  }
}
