// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// The commands that maintain a library between two runs.
extension Job {
  /// Removes files that are no longer needed.
  /// - Parameter isDryRun: only looks; then nothing is locked.
  package func clean(isDryRun: Bool) async throws(JobError) -> (Cleaning, [Warning]) {
    let (before, state) = try look()
    // The opening removes them: they are noted now, to be reported later.
    let temporaries: [Cleaner.Find]
    do throws(FileError) {
      temporaries = try cleaner(before, state).temporaries()
      if isDryRun {
        return (cleaning(try cleaner(before, state).survey(state.queue), state, isDryRun: true), [])
      }
    } catch { throw .file(error) }
    let (library, opened, ledger) = try await open(for: .makeRoom)
    let cleaner = cleaner(library, opened)
    do throws(Failure) {
      let finds: [Cleaner.Find]
      do throws(FileError) { finds = try cleaner.survey(opened.queue) } catch { throw error.failure }
      try cleaner.remove(finds, ledger)
      try ledger.close(orStopping: now)
      let found = Set(finds.map(\.piece.path))
      return (
        cleaning(temporaries.filter { !found.contains($0.piece.path) } + finds, opened, isDryRun: false),
        opened.allWarnings
      )
    } catch { throw .failed(error) }
  }

  private func cleaner(_ library: Library, _ state: OpenedState) -> Cleaner {
    Cleaner(library: library, manifest: manifest, now: now, isClockPlausible: clockDoubt(state) == nil)
  }

  private func cleaning(_ finds: [Cleaner.Find], _ state: OpenedState, isDryRun: Bool) -> Cleaning {
    Cleaning(pieces: finds.map(\.piece), isDryRun: isDryRun, clockDoubt: clockDoubt(state))
  }

  /// Checks every finished file.
  /// - Parameters:
  ///   - isDeep: also reads and hashes it.
  ///   - tell: called for each file that was read.
  /// - Returns: the verification, and warnings about damage of the state.
  package func verify(
    _ scope: Set<PlaylistName>? = nil, isDeep: Bool,
    emitting emit: @escaping @Sendable (CheckingProgress) -> Void = { _ in }
  ) async throws(JobError) -> (Verification, [Warning]) {
    let (library, state) = try look()
    var verification = try await verify(library, state.queue, scope, isDeep: isDeep, emit)
    verification.isRecordDamaged = state.notes.contains(where: \.isLoss)
    guard !verification.lines.isEmpty else { return (verification, state.damage) }
    // Nothing was locked: a file that a run changed in the meantime is not damaged.
    let now = try look().1.queue
    verification.lines.removeAll { now[$0.id]?.state.storedFile != $0.file }
    return (verification, state.damage)
  }

  func verify(
    _ library: Library, _ queue: Queue, _ scope: Set<PlaylistName>?, isDeep: Bool,
    _ emit: @escaping @Sendable (CheckingProgress) -> Void
  ) async throws(JobError) -> Verification {
    do throws(FileError) {
      return try await Verifier(library: library).check(queue, scope, isDeep: isDeep, emitting: emit)
    } catch { throw .file(error) }
  }
}

extension QueueEditor {
  /// The same as `Job.verify`, on a locked library.
  package func verify(
    _ scope: Set<PlaylistName>? = nil, isDeep: Bool, emitting emit: @escaping @Sendable (CheckingProgress) -> Void
  ) async throws(JobError) -> Verification {
    do throws(FileError) {
      return try await Verifier(library: library).check(queue, scope, isDeep: isDeep, emitting: emit)
    } catch { throw .file(error) }
  }

  /// Puts damaged or missing items back into the queue. A file that is there goes into the trash, whatever
  /// `storage.trash` says, since it may be somebody's work. The move comes first: an item without its file counts as
  /// lost and is fetched again.
  ///
  /// A file that no run would fetch again, because nothing names it, stays as it is: damaged is better than gone.
  /// The new path of a file that a person moved is recorded, and the next run moves it to its place.
  package func repair(_ verification: Verification) throws(JobError) -> Verification {
    var repaired = verification
    let now = clock.now()
    var batch = library.trash.batch(at: now)
    let remembered = SourceCopies(library: library, manifest: manifest).desired(queue, now: now)
    var states: [(ItemID, ItemState)] = []
    for index in verification.lines.indices where verification.lines[index].finding.isRepairable {
      let line = verification.lines[index]
      if case .elsewhere(let path) = line.finding {
        states.append((line.id, .completed(line.file.at(path))))
        repaired.lines[index].isRepaired = true
        continue
      }
      if let item = queue[line.id], remembered.wouldForget(item, playlists: manifest.playlists) {
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
    let queued = repaired.lines.filter { $0.isRepaired && !$0.finding.isElsewhere }
    states += queued.map { ($0.id, ItemState.queued(Pending(isRequested: true))) }
    do throws(Failure) { try ledger.record(states, at: now) } catch { throw .failed(error) }
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
    let states = undoing.restored.map { ($0.id, ItemState.completed($0.file)) }
    do throws(Failure) { try ledger.record(states, at: clock.now()) } catch { undoing.unrecorded = error }
    return undoing
  }
}
