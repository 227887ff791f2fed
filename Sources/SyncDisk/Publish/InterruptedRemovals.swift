// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Removals that a run recorded but did not carry out before it died. Each file is compared with the record first: a
/// file that somebody has put in its place since is not ours to remove.
package struct InterruptedRemovals {
  let library: Library
  let trashKeep: Duration

  package init(library: Library, trashKeep: Duration) {
    self.library = library
    self.trashKeep = trashKeep
  }

  package struct Outcome {
    package var finished = 0
    package var stuck: [Stuck] = []
    package init() {}
  }

  /// A file that the system refuses to remove.
  package struct Stuck {
    package let id: ItemID
    package let file: StoredFile
    package let error: FileError
  }

  package func finish(_ found: LoadedQueue) throws(FileError) -> Outcome {
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
