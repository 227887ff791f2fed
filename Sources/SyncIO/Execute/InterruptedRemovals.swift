// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Removals that a run recorded but did not carry out before it died. Each file is compared with the record first: a
/// file that somebody has put in its place since is not ours to remove.
struct InterruptedRemovals {
  let library: Library
  let trashKeep: Duration

  struct Outcome {
    var finished = 0
    var stuck: [Stuck] = []
  }

  /// A file that the system refuses to remove.
  struct Stuck {
    let id: ItemID
    let file: StoredFile
    let error: FileError
  }

  func finish(_ found: OpenedQueue) throws(FileError) -> Outcome {
    var outcome = Outcome()
    for id in found.recorded.sorted() {
      guard case .removed(let removal)? = found.queue[id]?.state, removal.cause != .lost, let file = removal.file,
        FileDigest.isContent(library.root[file.path], file.sha256, in: library.files)
      else { continue }
      let taking = FileRemoval(library: library, trashKeep: trashKeep, now: removal.at)
      do throws(FileError) {
        if try taking.take(file, removal.cause) == .taken { outcome.finished += 1 }
      } catch {
        guard error.isOfOneFile, try taking.look(at: file) == .taken else { throw error }
        outcome.stuck.append(Stuck(id: id, file: file, error: error))
      }
    }
    return outcome
  }
}
