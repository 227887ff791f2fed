// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Moves that a run announced and did not live to record. The file is at one of two places: at the old one, or, when that
/// is empty, at the new one if the bytes there are its own.
struct InterruptedMoves {
  let library: Library

  /// The items as they are to be recorded.
  func settled(_ queue: Queue) throws(FileError) -> [QueueItem] {
    var settled: [QueueItem] = []
    for var item in queue.items {
      guard let file = item.state.storedFile, let target = file.movingTo else { continue }
      item.state = .completed(file.at(try hasArrived(file, at: target) ? target : file.path))
      settled.append(item)
    }
    return settled
  }

  private func hasArrived(_ file: StoredFile, at target: LibraryPath) throws(FileError) -> Bool {
    guard let root = library.mediaRoot, try !isThere(file, root[file.path]) else { return false }
    return try isThere(file, root[target]) && FileDigest.isContent(root[target], file.sha256, in: library.files)
  }

  private func isThere(_ file: StoredFile, _ place: FilePlace) throws(FileError) -> Bool {
    do throws(FileError) {
      guard let status = try library.files.status(of: place) else { return false }
      return status.kind == .file && status.linkCount == 1 && status.size == file.size
    } catch {
      guard error.isObstructed else { throw error }
      return false
    }
  }
}
