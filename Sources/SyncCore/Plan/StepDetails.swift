// SPDX-License-Identifier: Apache-2.0

/// A file that leaves the library.
package struct RemovalStep: Equatable, Sendable {
  package var item: PlannedItem
  package var path: LibraryPath
  package var size: ByteCount
  /// The cause that the item's tombstone records.
  package var cause: Removal.Cause

  package init(_ item: PlannedItem, path: LibraryPath, size: ByteCount, cause: Removal.Cause) {
    self.item = item
    self.path = path
    self.size = size
    self.cause = cause
  }

  /// - Parameter entry: An item with a finished file.
  init(evicting entry: Reconciliation.Entry, _ item: PlannedItem) {
    guard let file = entry.queued.state.storedFile else { preconditionFailure("only finished files are evicted") }
    self.init(item, path: file.path, size: file.size, cause: .evicted)
  }
}

/// A file in the library that becomes the item's.
package struct AdoptionStep: Equatable, Sendable {
  package var item: PlannedItem
  package var file: StoredFile

  package init(_ item: PlannedItem, _ file: StoredFile) {
    self.item = item
    self.file = file
  }
}

/// A finished file that gets another place.
package struct MoveStep: Equatable, Sendable {
  package var item: PlannedItem
  package var path: LibraryPath
  package var size: ByteCount
  package var move: PlannedMove

  package init(_ item: PlannedItem, path: LibraryPath, size: ByteCount, _ move: PlannedMove) {
    self.item = item
    self.path = path
    self.size = size
    self.move = move
  }
}

/// A file to fetch.
package struct FetchStep: Equatable, Sendable {
  package var item: PlannedItem
  /// The bytes to fetch. Nil if unknown.
  package var bytes: ByteCount?
  package var path: LibraryPath
  package var download: PlannedDownload
  /// True if the transfer continues a partial.
  package var isResumed = false
  /// The move of the present file that comes before its replacement.
  package var move: PlannedMove?
  package var group = FetchGroup.first
  package var turn: FetchTurn

  package init(
    _ item: PlannedItem, bytes: ByteCount?, path: LibraryPath, _ download: PlannedDownload, turn: FetchTurn
  ) {
    self.item = item
    self.bytes = bytes
    self.path = path
    self.download = download
    self.turn = turn
  }
}

/// The groups in which items are fetched. They take precedence over `downloads.order`.
package enum FetchGroup: Int, Comparable, Sendable {
  case first
  /// Items that failed before or come back after an eviction. Others are fetched before them.
  case later
  /// The item is present in another quality.
  case upgrade

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// An item that is wanted but not fetched or replaced in this run.
package struct DeferralStep: Equatable, Sendable {
  package var item: PlannedItem
  /// The bytes to fetch. Nil if unknown.
  package var bytes: ByteCount?
  /// The expected place of the file, or the place of the file that it would replace.
  package var path: LibraryPath?

  package init(_ item: PlannedItem, bytes: ByteCount?, path: LibraryPath?) {
    self.item = item
    self.bytes = bytes
    self.path = path
  }
}

/// An item that a playlist names and that no run fetches.
package struct SkippedItem: Equatable, Sendable {
  @Boxed package var queued: QueueItem
  package var reason: SkipReason
  package var id: ItemID { queued.id }
  package var title: String { queued.item.title }

  package init(_ queued: Boxed<QueueItem>, _ reason: SkipReason) {
    _queued = queued
    self.reason = reason
  }
}

/// An item that a source lists and no playlist selects.
package struct UnselectedItem: Equatable, Sendable {
  @Boxed package var queued: QueueItem
  package var reason: Unselected
  package var id: ItemID { queued.id }
  package var title: String { queued.item.title }
  package var playlist: PlaylistName? { queued.memberships.first?.playlist }

  init(_ queued: Boxed<QueueItem>, _ reason: Unselected) {
    _queued = queued
    self.reason = reason
  }
}
