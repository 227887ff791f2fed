// SPDX-License-Identifier: Apache-2.0

/// Everything that a transfer needs to begin.
package struct PlannedDownload: Equatable, Sendable {
  package var task: TransferTask
  package var item: Item
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

  /// The bytes reserved before it begins. Zero for an upgrade, which reserves its bytes once everything new is fetched.
  package var reserved: ByteCount { $replaced == nil ? room : .zero }

  /// The quality of the file to fetch. Nil unless the item is declared in several qualities.
  package var quality: Quality? { item.urls?.offered }
}

/// A finished file that now belongs in another place.
package struct PlannedMove: Equatable, Sendable {
  package var id: ItemID
  package var layout: LayoutTemplate
  package var fields: LayoutFields
  package var fileExtension: String
  /// The first attempt whose name is free in the library and not assigned to another item.
  package var nameAttempt: Int

  package func path(_ naming: FileNaming, attempt: Int) -> LibraryPath {
    layout.path(fields, fileExtension: fileExtension, naming: naming, attempt: attempt)
  }
}
