// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Moves that a run announced but did not record before it died. The file is at the new path if its bytes are there,
/// else at the old one.
package struct InterruptedMoves {
  let library: Library

  package init(library: Library) {
    self.library = library
  }

  /// The items as they are to be recorded. Changes nothing.
  package func settled(_ queue: Queue) throws(FileError) -> [QueueItem] {
    var settled: [QueueItem] = []
    for var item in queue.items {
      guard let file = item.state.storedFile, let target = file.movingTo else { continue }
      item.state = .completed(file.at(try hasArrived(file, at: target) ? target : file.path))
      settled.append(item)
    }
    return settled
  }

  /// Removes old names where a file has both: a file system that cannot move without overwriting adds the new name
  /// before it removes the old one. Two separate files, as a power cut may leave on FAT, stay: there they share their
  /// bytes, and removing one would lose the other.
  package func finish(_ queue: Queue) throws(FileError) {
    for item in queue.items {
      guard let file = item.state.storedFile, let target = file.movingTo, try isOneFile(file.path, target) else {
        continue
      }
      try library.files.removeFile(library.root[file.path])
      try library.files.syncFolder(library.root[file.path].parent)
    }
  }

  private func hasArrived(_ file: StoredFile, at target: LibraryPath) throws(FileError) -> Bool {
    guard let root = library.mediaRoot, let status = try status(target) else { return false }
    if try isOneFile(file.path, target) { return true }
    return status.linkCount == 1 && status.size == file.size
      && FileDigest.isContent(root[target], file.sha256, in: library.files)
  }

  private func isOneFile(_ path: LibraryPath, _ other: LibraryPath) throws(FileError) -> Bool {
    guard let one = try status(path), let another = try status(other) else { return false }
    return one.identity == another.identity && one.linkCount == 2
  }

  /// The status of a plain file; nil for anything else.
  private func status(_ path: LibraryPath) throws(FileError) -> FileStatus? {
    guard let root = library.mediaRoot else { return nil }
    do throws(FileError) {
      let status = try library.files.status(of: root[path])
      return status?.kind == .file ? status : nil
    } catch {
      guard error.isObstructed else { throw error }
      return nil
    }
  }
}
