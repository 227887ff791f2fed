// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Takes one file out of the library, so that it stays out after a power cut.
struct FileRemoval {
  let library: Library
  let trashKeep: Duration
  let now: Timestamp

  enum Outcome { case taken, missing, notOurs }

  /// An evicted file is deleted; one that is removed for another cause goes to the trash. What has another size, more
  /// names or another kind than the file that was published is somebody else's by now, and stays.
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

  /// `taken`: it is there, and as it was published.
  func look(at file: StoredFile) throws(FileError) -> Outcome {
    do throws(FileError) {
      guard let status = try library.files.status(of: library.root[file.path]) else { return .missing }
      return status.kind == .file && status.linkCount == 1 && status.size == file.size ? .taken : .notOurs
    } catch {
      // Something that is no folder stands in the way: nothing of ours is behind it.
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
      if error.isMissing { return }
      // A state folder on another file system cannot take the file over by renaming; the file was to go anyway.
      guard error.isOtherFileSystem else { throw error }
      try library.files.removeFileIfPresent(library.root[path])
    }
  }
}
