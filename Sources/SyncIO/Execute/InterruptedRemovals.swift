// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Removals that a run recorded and did not live to carry out. Each file is compared with the record first: what
/// somebody has put in its place since is not ours to take.
struct InterruptedRemovals {
  let library: Library
  let trashKeep: Duration
  let now: Timestamp

  func finish(_ found: OpenedQueue) throws(FileError) {
    for id in found.recorded.sorted() {
      guard case .removed(let removal)? = found.queue[id]?.state, removal.cause != .lost, let file = removal.file,
        try isThere(file)
      else { continue }
      try FileRemoval(library: library, trashKeep: trashKeep, now: now).take(file.path, removal.cause)
    }
  }

  private func isThere(_ file: StoredFile) throws(FileError) -> Bool {
    let place = library.root[file.path]
    do throws(FileError) {
      guard let status = try library.files.status(of: place), status.kind == .file, status.size == file.size else {
        return false
      }
    } catch {
      // Something that is no folder stands in the way: nothing of ours is behind it.
      guard error.isObstructed else { throw error }
      return false
    }
    return FileDigest.isContent(place, file.sha256, in: library.files)
  }
}
