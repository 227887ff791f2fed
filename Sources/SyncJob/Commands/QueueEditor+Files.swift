// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// The edits that move files: repair and undo.
extension QueueEditor {
  /// The same as `Verify`, on a locked library.
  package func verify(
    _ scope: Set<PlaylistName>? = nil, isDeep: Bool, emitting emit: @escaping @Sendable (CheckingProgress) -> Void
  ) async throws(JobError) -> Verification {
    var verification = try await Verifier(library: library).verification(
      of: queue, scope, isDeep: isDeep, emitting: emit)
    if isDeep { verification.lines += try opened.view.openSealed(queue, scope, besides: verification.lines).0 }
    return verification
  }

  /// Puts damaged or missing items back into the queue. A file that is there goes into the trash, whatever
  /// `storage.trash` says, since it may be somebody's work. The move comes first: an item without its file counts as
  /// lost and is fetched again.
  ///
  /// A file that no run would fetch again, because nothing names it, stays as it is: damaged is better than gone.
  /// The new path of a file that a person moved is recorded, and the next run moves it to its place. So are the size and
  /// the hash of a file whose tags were changed.
  package func repair(_ verification: Verification) throws(JobError) -> Verification {
    var repaired = verification
    let now = clock.now()
    var batch = library.trash.batch(at: now)
    let remembered = SourceCopies(library: library, manifest: manifest).desired(queue, now: now)
    var found: [(ItemID, StoredFile)] = []
    for index in verification.lines.indices where verification.lines[index].finding.isRepairable {
      let line = verification.lines[index]
      if case .elsewhere(let path) = line.finding {
        found.append((line.id, line.file.at(path)))
        repaired.lines[index].isRepaired = true
        continue
      }
      if case .retagged(let file) = line.finding {
        found.append((line.id, file))
        repaired.lines[index].isRepaired = true
        continue
      }
      if let item = queue[line.id], remembered.wouldForget(item) {
        repaired.lines[index].isUnnamed = true
        continue
      }
      do throws(FileError) {
        if line.finding != .missing { _ = try batch.take(line.file.path, of: library.root) }
        repaired.lines[index].isRepaired = true
      } catch {
        guard error.isMissing || error.isOtherFileSystem else { throw .file(error) }
        repaired.lines[index].isRepaired = error.isMissing
      }
    }
    do throws(FileError) { try batch.sync() } catch { throw .file(error) }
    let queued = repaired.lines.filter { $0.isRepaired && !$0.finding.isElsewhere && !$0.finding.isRetagged }
    do throws(Failure) {
      try journal.complete(found, at: now)
      try journal.requeue(queued.map(\.id), Pending(isRequested: true), at: now)
    } catch { throw .failed(error) }
    return repaired
  }

  /// Restores from the trash what the last removing run put there. A file is in its place before that is recorded: a
  /// file that is found there, removed and with its recorded hash, is adopted by the next run or the next `undo`.
  package func undo() throws(JobError) -> UndoResult {
    var undoing: UndoResult
    do throws(FileError) {
      undoing = try Restorer(
        library: library, queue: queue, trashKeep: manifest.storage.trashKeep, now: clock.now()
      ).restore()
    } catch {
      throw .file(error)
    }
    let files = undoing.restored.map { ($0.id, $0.file) }
    do throws(Failure) { try journal.complete(files, at: clock.now()) } catch { undoing.unrecorded = error }
    return undoing
  }
}
