// SPDX-License-Identifier: Apache-2.0

/// What `undo` brought back from the trash.
package struct Undoing: Equatable, Sendable {
  package struct Restored: Equatable, Sendable {
    package var id: ItemID
    package var file: StoredFile
    /// Why it had been removed.
    package var cause: Removal.Cause
    package init(id: ItemID, file: StoredFile, cause: Removal.Cause) {
      self.id = id
      self.file = file
      self.cause = cause
    }
  }

  /// Why a file stays in the trash.
  package enum Obstacle: String, CaseIterable, Sendable {
    /// Something else is in its place.
    case taken
    /// No item that was removed has this path and these contents.
    case unknown
  }

  package struct Kept: Equatable, Sendable {
    package var path: LibraryPath
    package var size: ByteCount
    package var obstacle: Obstacle
    package init(path: LibraryPath, size: ByteCount, obstacle: Obstacle) {
      self.path = path
      self.size = size
      self.obstacle = obstacle
    }
  }

  /// When the files were removed; nil when the trash is empty.
  package var removedAt: Timestamp?
  package var restored: [Restored] = []
  package var kept: [Kept] = []

  package init(removedAt: Timestamp?) { self.removedAt = removedAt }
}
