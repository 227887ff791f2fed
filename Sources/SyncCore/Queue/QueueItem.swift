// SPDX-License-Identifier: Apache-2.0

/// What the queue file remembers of one item.
package struct QueueItem: Equatable, Sendable {
  package var id: ItemID { item.id }
  /// As the manifest or source last declared it.
  @Boxed package var item: Item
  /// The playlists that name it, in manifest order.
  package var memberships: [Membership]
  package var state: ItemState
  /// Of a finished item whose file is to give way to one of another quality.
  @BoxedIfAny package var upgrade: Upgrade?
  /// Pinned by command, on top of what the manifest pins.
  package var pinned: Bool
  /// Which rule last recognised it in its source; nil for inline items.
  package var matchedBy: IdentityRule?
  package var plays: PlayHistory
  /// Its place in the line for room; moved by `lineUp`.
  package private(set) var queuedAt: Timestamp
  /// When it became known, where that is another time than `queuedAt`.
  @BoxedIfAny package private(set) var knownBefore: Timestamp?
  package var updatedAt: Timestamp
  /// Fields of a newer minor version, written back as they were.
  package var unknownFields: [UnknownField]

  /// A playlist that names it is among these.
  package func isMember(ofAny playlists: Set<PlaylistName>) -> Bool {
    memberships.contains { playlists.contains($0.playlist) }
  }

  package init(
    item: Item, memberships: [Membership], state: ItemState = .queued(Pending()), pinned: Bool = false,
    matchedBy: IdentityRule? = nil, plays: PlayHistory = .init(), queuedAt: Timestamp, upgrade: Upgrade? = nil,
    knownSince: Timestamp? = nil, updatedAt: Timestamp? = nil, unknownFields: [UnknownField] = []
  ) {
    self.item = item
    self.memberships = memberships
    self.state = state
    self.upgrade = upgrade
    self.pinned = pinned
    self.matchedBy = matchedBy
    self.plays = plays
    self.queuedAt = queuedAt
    knownBefore = knownSince == queuedAt ? nil : knownSince
    self.updatedAt = updatedAt ?? queuedAt
    self.unknownFields = unknownFields
  }
}

extension QueueItem {
  package var knownSince: Timestamp { knownBefore ?? queuedAt }

  /// Gives it another place in the line for room. It stays known as long as it was.
  package mutating func lineUp(at time: Timestamp) {
    let known = knownSince
    queuedAt = time
    knownBefore = known == time ? nil : known
  }

  /// What its file had, or a server said that it has, as far as the manifest's exact word is not better.
  package var knownSize: ByteCount? { state.lastFile?.size ?? item.size?.bytes }

  /// Changes its state. How large its file was, or is said to be, outlives the file.
  /// - Parameter told: what a server said of it just now.
  package mutating func become(_ next: ItemState, told: ByteCount? = nil) {
    let known = next.lastFile == nil ? (told ?? state.lastFile?.size).map(DeclaredSize.about) ?? item.size : nil
    if item.size != known { item.size = known }
    if next.name != .completed { upgrade = nil }
    state = next
  }
}

/// An item's place in one playlist, counted from 1.
package struct Membership: Hashable, Sendable {
  package var playlist: PlaylistName
  package var position: Int
  package init(playlist: PlaylistName, position: Int) {
    self.playlist = playlist
    self.position = position
  }
}

/// Which rule found an item of a source again (SPEC §2.3).
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
