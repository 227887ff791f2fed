// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Takes files out of the library: recorded and flushed first, so that a file that is gone is never taken for lost.
struct Removals {
  let library: Library
  let ledger: Ledger
  let trashKeep: Duration
  let clock: any WallClock

  /// Evicted files are deleted; those removed for another cause go to the trash.
  /// - Returns: the bytes that left the library; nil when the item has no file.
  func remove(_ id: ItemID, cause: Removal.Cause) throws(Failure) -> ByteCount? {
    guard let file = ledger.item(id)?.state.storedFile else { return nil }
    let now = clock.now()
    try ledger.record(id, .removed(Removal(cause: cause, at: now, file: file)), at: now)
    try ledger.sync()
    do throws(FileError) {
      let place = library.root[file.path]
      if cause == .evicted || trashKeep == .zero {
        try library.files.removeFileIfPresent(place)
      } else {
        try trash(file.path, now)
      }
      try library.files.syncFolder(place.parent)
      removeEmptyFolders(above: file.path)
      return file.size
    } catch { throw error.failure }
  }

  /// Removals that an interrupted run recorded and did not come to carry out.
  func finishInterrupted(_ queue: Queue) throws(Failure) {
    for item in queue.items {
      guard case .removed(let removal) = item.state, removal.cause != .lost, let file = removal.file else { continue }
      do throws(FileError) {
        let place = library.root[file.path]
        guard let status = try library.files.status(of: place), status.kind == .file, status.size == file.size,
          FileDigest.isContent(place, file.sha256, in: library.files)
        else { continue }
        try library.files.removeFile(place)
        removeEmptyFolders(above: file.path)
      } catch {
        // Something else stands in the way of the path by now: nothing of ours is left there.
        guard error.isObstructed else { throw error.failure }
      }
    }
  }

  func dropPartials(_ names: [String]) throws(FileError) -> TrashFolder.Cleaning {
    var cleaned = TrashFolder.Cleaning()
    for name in names {
      let place = library.partial(name)
      guard let status = try library.files.status(of: place) else { continue }
      try library.files.removeFileIfPresent(place)
      cleaned.files += 1
      cleaned.freed += status.size
    }
    return cleaned
  }

  func emptyTrash(all: Bool) throws(FileError) -> TrashFolder.Cleaning {
    let trash = library.state.trash
    return all ? try trash.empty() : try trash.expire(olderThan: trashKeep, now: clock.now())
  }

  private func trash(_ path: LibraryPath, _ now: Timestamp) throws(FileError) {
    var batch = library.state.trash.batch(at: now)
    do throws(FileError) {
      _ = try batch.take(path, of: library.root)
      try batch.sync()
    } catch {
      if error.isMissing { return }
      // A state folder on another file system cannot take the file over by renaming; the file was to go anyway.
      guard error.isOtherFileSystem else { throw error }
      try library.files.removeFileIfPresent(library.root[path])
    }
  }

  /// A folder that has become empty is of no use; one that is not, or that refuses, stays.
  private func removeEmptyFolders(above path: LibraryPath) {
    var folder = path.parent
    while let current = folder {
      do throws(FileError) { try library.files.removeFolder(library.root[current]) } catch { return }
      folder = current.parent
    }
  }
}

extension FileDigest {
  /// Whether the file has that hash; false for one that cannot be read.
  static func isContent(_ place: FilePlace, _ sha256: SyncCore.SHA256Digest, in files: some FileSystem) -> Bool {
    do throws(Failure) { return try compute(place, in: files).sha256 == sha256 } catch { return false }
  }
}
