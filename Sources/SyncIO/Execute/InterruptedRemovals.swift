// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Removals that a run recorded and did not live to carry out. Each file is compared with the record first: what
/// somebody has put in its place since is not ours to take.
struct InterruptedRemovals {
  let library: Library
  let trashKeep: Duration
  let now: Timestamp

  /// - Returns: how many there were.
  func finish(_ found: OpenedQueue) throws(FileError) -> Int {
    var finished = 0
    for id in found.recorded.sorted() {
      guard case .removed(let removal)? = found.queue[id]?.state, removal.cause != .lost, let file = removal.file,
        FileDigest.isContent(library.root[file.path], file.sha256, in: library.files)
      else { continue }
      let outcome = try FileRemoval(library: library, trashKeep: trashKeep, now: now).take(file, removal.cause)
      if outcome == .taken { finished += 1 }
    }
    return finished
  }
}
