// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Takes one file out of the library, so that it stays out after a power cut.
struct FileRemoval {
  let library: Library
  let trashKeep: Duration
  let now: Timestamp

  /// An evicted file is deleted; one that is removed for another cause goes to the trash. One that is missing is no error.
  func take(_ path: LibraryPath, _ cause: Removal.Cause) throws(FileError) {
    let place = library.root[path]
    if cause == .evicted || trashKeep == .zero {
      try library.files.removeFileIfPresent(place)
    } else {
      try trash(path)
    }
    do throws(FileError) { try library.files.syncFolder(place.parent) } catch {
      guard error.isMissing else { throw error }
    }
    removeEmptyFolders(above: path)
  }

  private func trash(_ path: LibraryPath) throws(FileError) {
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
