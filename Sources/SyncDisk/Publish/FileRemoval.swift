// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Takes one file out of the library, so that it stays out after a power cut.
package struct FileRemoval {
  let library: Library
  package let trashKeep: Duration
  let now: Timestamp

  package init(library: Library, trashKeep: Duration, now: Timestamp) {
    self.library = library
    self.trashKeep = trashKeep
    self.now = now
  }

  package enum Outcome { case taken, missing, notOurs }

  /// Deletes an evicted file; a file that is removed for another cause goes to the trash. If the trash cannot receive
  /// the file, because its folder is on another file system, the file stays: it is not deleted in place of that. A file whose size, kind or
  /// number of names differs from the one that was published belongs to somebody else by now, and stays.
  @discardableResult
  func take(_ file: StoredFile, _ cause: Removal.Cause) throws(FileError) -> Outcome {
    let path = file.path
    let place = library.root[path]
    let outcome = try look(at: file)
    guard outcome == .taken else { return outcome }
    if cause == .evicted || trashKeep == .zero {
      try library.files.removeFileIfPresent(place)
    } else {
      try trash(path)
    }
    do throws(FileError) { try library.files.syncFolder(place.parent) } catch {
      guard error.isMissing else { throw error }
    }
    EmptyFolders(library: library).remove(above: path)
    return .taken
  }

  /// Returns `taken` if the file is there and is as it was published.
  package func look(at file: StoredFile) throws(FileError) -> Outcome {
    do throws(FileError) {
      guard let status = try library.files.status(of: library.root[file.path]) else { return .missing }
      return status.kind == .file && status.linkCount == 1 && status.size == file.size ? .taken : .notOurs
    } catch {
      // Something that is not a folder is in the way: no file of ours is behind it.
      guard error.isObstructed else { throw error }
      return .missing
    }
  }

  private func trash(_ path: LibraryPath) throws(FileError) {
    var batch = library.trash.batch(at: now)
    do throws(FileError) {
      _ = try batch.take(path, of: library.root)
      try batch.sync()
    } catch {
      guard error.isMissing else { throw error }
    }
  }
}

/// Removes folders of the library that a file has left.
struct EmptyFolders {
  let library: Library

  /// Removes the empty folders above `path`; a folder that is not empty, or that refuses, stays.
  func remove(above path: LibraryPath) {
    var folder = path.parent
    while let current = folder {
      do throws(FileError) { try library.files.removeFolder(library.root[current]) } catch { return }
      folder = current.parent
    }
  }
}
