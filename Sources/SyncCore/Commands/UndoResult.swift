// SPDX-License-Identifier: Apache-2.0

/// The files that `undo` restored from the trash.
package struct UndoResult: Equatable, Sendable {
  package struct Restored: Equatable, Sendable {
    package var id: ItemID
    package var file: StoredFile
    /// The reason for which the file had been removed.
    package var cause: Removal.Cause
    /// The first playlist that named the item.
    package var playlist: PlaylistName?
    /// True if the item is pinned by command, so that no rule removes it again.
    package var isPinned: Bool
    package init(
      id: ItemID, file: StoredFile, cause: Removal.Cause, playlist: PlaylistName? = nil, isPinned: Bool = false
    ) {
      self.id = id
      self.file = file
      self.cause = cause
      self.playlist = playlist
      self.isPinned = isPinned
    }
  }

  /// The reason why a file stays in the trash or cannot be restored from it.
  package enum Obstacle: Hashable, Sendable {
    /// A file without an owner is in its place.
    case taken
    /// The file of this item is in its place.
    case takenBy(ItemID)
    /// Something other than a folder is where one of its folders was.
    case obstructed
    /// This item was removed from there, with different content.
    case changed(ItemID)
    /// This item has the same file already, in another place.
    case hasItAgain(ItemID, LibraryPath)
    /// No item has this path or this content.
    case unknown
    /// The removed file is no longer in the trash.
    case missing
    /// The removed file is no longer in the trash because its time there is over.
    case expired(after: Duration)
    /// The folder or the file system refuses the move.
    case refused
    /// Its folder is on another file system than the trash.
    case otherFileSystem

    /// True if the file is not in the trash.
    package var isAbsence: Bool {
      switch self {
      case .missing, .expired: true
      case .taken, .takenBy, .obstructed, .changed, .hasItAgain, .unknown, .refused, .otherFileSystem: false
      }
    }
  }

  package struct Kept: Equatable, Sendable {
    package var path: LibraryPath
    package var size: ByteCount
    package var obstacle: Obstacle
    package var removedAt: Timestamp
    /// The file's path in the trash. Nil if it is not there.
    package var trashPath: String?
    /// True if it was removed after the restored files.
    package var isLater: Bool
    package init(
      path: LibraryPath, size: ByteCount, obstacle: Obstacle, removedAt: Timestamp, trashPath: String? = nil,
      isLater: Bool = false
    ) {
      self.trashPath = trashPath
      self.path = path
      self.size = size
      self.obstacle = obstacle
      self.removedAt = removedAt
      self.isLater = isLater
    }
  }

  /// The time when the restored files were removed, otherwise that of the newest files. Nil if the trash is empty.
  package var removedAt: Timestamp?
  package var restored: [Restored] = []
  /// Files removed at that time, or later if nothing of that later time could be restored.
  package var kept: [Kept] = []
  /// True if a file was evicted at that time or later. Evicted files are not in the trash.
  package var hasEvicted = false
  /// The failure that prevented recording the restored files.
  /// They are restored nevertheless, and the next run adopts them.
  package var unrecorded: Failure?
  /// The failure that ended the command early.
  package var stopped: Failure?

  package init(removedAt: Timestamp?) { self.removedAt = removedAt }
}
