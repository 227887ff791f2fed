// SPDX-License-Identifier: Apache-2.0

/// What `undo` brought back from the trash.
package struct Undoing: Equatable, Sendable {
  package struct Restored: Equatable, Sendable {
    package var id: ItemID
    package var file: StoredFile
    /// Why it had been removed.
    package var cause: Removal.Cause
    /// The first that named it.
    package var playlist: PlaylistName?
    /// By command: no rule removes it again.
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

  /// Why a file stays in the trash, or does not come back from it.
  package enum Obstacle: Hashable, Sendable {
    /// A file of nobody's is in its place.
    case taken
    /// This item has its file there now.
    case takenBy(ItemID)
    /// Something that is no folder is where one of its folders was.
    case obstructed
    /// This item was removed from there, with other contents.
    case changed(ItemID)
    /// This item has the same file already, elsewhere.
    case hasItAgain(ItemID, LibraryPath)
    /// No item has this path or these contents.
    case unknown
    /// The file that was removed is not in the trash any more.
    case missing
    /// The same, and it was to be there only so long.
    case expired(after: Duration)
    /// The folder, or the file system, does not let it be moved.
    case refused

    /// The file is not in the trash.
    package var isAbsence: Bool {
      switch self {
      case .missing, .expired: true
      case .taken, .takenBy, .obstructed, .changed, .hasItAgain, .unknown, .refused: false
      }
    }
  }

  package struct Kept: Equatable, Sendable {
    package var path: LibraryPath
    package var size: ByteCount
    package var obstacle: Obstacle
    package var removedAt: Timestamp
    /// The file's path in the trash; nil when it is not there.
    package var trashPath: String?
    /// Removed after what was brought back.
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

  /// When the files were removed that came back, or else the newest ones; nil when the trash is empty.
  package var removedAt: Timestamp?
  package var restored: [Restored] = []
  /// Of that time, and of later ones of which nothing could be brought back.
  package var kept: [Kept] = []
  /// Something was evicted then or later, which is in no trash.
  package var hasEvicted = false
  /// What kept the restored files from being recorded. They are back all the same: the next run takes them up.
  package var unrecorded: Failure?
  /// What ended it before all was tried.
  package var stopped: Failure?

  package init(removedAt: Timestamp?) { self.removedAt = removedAt }
}
