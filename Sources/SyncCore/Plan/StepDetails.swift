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

/// A finished file that is sealed, opened or sealed again.
package struct ProtectStep: Equatable, Sendable {
  package var item: PlannedItem
  package var path: LibraryPath
  package var size: ByteCount
  package var change: ProtectionChange
  package var id: ItemID { item.queued.id }

  init(_ item: PlannedItem, path: LibraryPath, size: ByteCount, _ change: ProtectionChange) {
    (self.item, self.path, self.size, self.change) = (item, path, size, change)
  }
}

/// A file to fetch.
package struct FetchStep: Equatable, Sendable {
  package var item: PlannedItem
  /// The bytes to fetch. Nil if unknown.
  package var bytes: ByteCount?
  package var path: LibraryPath
  @Boxed package var download: PlannedDownload
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

/// Everything that a transfer needs to begin.
package struct PlannedDownload: Equatable, Sendable {
  @Boxed package var task: TransferTask
  /// The priority of its requests in the waiting line. It is the same for all items unless `downloads.order` is
  /// `priority`.
  package var priority: Priority
  package var layout: LayoutTemplate
  package var fields: LayoutFields
  /// The first attempt whose name is free in the library and not assigned to another item.
  package var nameAttempt = 0
  package var isFromSource: Bool
  /// The playlists that name the item, in the order of the manifest. Their credentials may be used.
  package var playlists: [PlaylistName]
  /// The bytes that the plan reserved for it, in addition to the bytes that are present.
  package var room: ByteCount
  /// The size of its partial, even if only a part of it can be continued.
  package var present: ByteCount
  /// The finished file that an upgrade replaces. It stays until the new file is complete.
  @BoxedIfAny package var replaced: StoredFile?
  /// True for an upgrade to a smaller file that brings the library back into its budget. It comes before everything new.
  package var makesRoom = false

  package var id: ItemID { task.id }

  package var item: Item { _read { yield fields.item } }

  /// The bytes reserved before it begins. Zero for an upgrade, which reserves its bytes once everything new is fetched.
  package var reserved: ByteCount { $replaced == nil ? room : .zero }

  /// The licence that its file needs. Nil if it needs none.
  @BoxedIfAny package var license: PlannedLicense?

  /// The file that an upgrade brings.
  @BoxedIfAny package var goal: Upgrade.Goal?

  /// The quality of the file to fetch. Nil unless the item is declared in several qualities, and for an alternative.
  package var quality: Quality? { task.isChosenAlternative ? nil : item.urls?.offered }
}

/// The licence that a download needs.
package struct PlannedLicense: Hashable, Sendable {
  package var source: LicenseSource
  /// True if the state has a valid one.
  package var isHeld: Bool

  init(_ source: LicenseSource, isHeld: Bool) { (self.source, self.isHeld) = (source, isHeld) }
}

/// A finished file that now belongs in another place.
package struct PlannedMove: Equatable, Sendable {
  package var id: ItemID
  package var target: Target
  /// The first attempt whose name is free in the library and not assigned to another item.
  package var nameAttempt: Int

  package init(id: ItemID, to target: Target, nameAttempt: Int = 0) {
    (self.id, self.target, self.nameAttempt) = (id, target, nameAttempt)
  }

  package enum Target: Equatable, Sendable {
    /// The place that its layout gives it.
    case layout(LayoutTemplate, LayoutFields, fileExtension: String)
    /// Outside of the visible library, because its licence is over.
    case locked(fileExtension: String)
    /// The place that it had before it was locked.
    case back(LibraryPath)
  }

  package func path(_ naming: FileNaming, attempt: Int) -> LibraryPath {
    switch target {
    case .layout(let layout, let fields, let fileExtension):
      layout.path(fields, fileExtension: fileExtension, naming: naming, attempt: attempt)
    case .locked(let fileExtension): .locked(id, fileExtension: fileExtension, attempt: attempt)
    case .back(let path): path.marked(for: id, attempt: attempt, naming)
    }
  }
}
