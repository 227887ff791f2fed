// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

extension LibraryOpener {
  /// Reads the decisions of a person, for a command that changes nothing.
  func seeDecisions(_ library: Library, _ opened: LoadedQueue?, _ state: inout OpenedState) throws(JobError) {
    guard let folder = library.stateFolder else { return }
    do throws(StateError) {
      guard let decided = try DecisionsStore(folder: folder).read() else { return }
      state.decisions = decided.decisions
      if let problem = decided.problem {
        state.notes.append(.decisionsDamaged(problem: problem.words, keptAside: nil))
      }
    } catch { throw .state(error) }
    guard opened?.recovery.isLossy ?? false else { return }
    for item in state.decisions.restored(in: state.queue) { state.queue[item.id] = item }
  }
}

extension LibraryOpener {
  /// Settles interrupted moves and upgrades. Call this before the place of any file is used.
  func finishInterruptedMoves(_ library: Library, _ journal: JournaledQueue) throws(JobError) {
    let (moves, upgrades) = (InterruptedMoves(library: library), InterruptedUpgrades(library: library))
    let queue = journal.queue
    let settled: [QueueItem]
    do throws(FileError) {
      let moved = try moves.settled(queue)
      try moves.finish(queue)
      // An old file that cannot be removed keeps its item.
      try upgrades.finish(queue)
      settled = try moved + upgrades.settled(queue)
    } catch { throw .file(error) }
    try apply(settled.map { .item($0) }, journal)
  }
}

/// The damage of the log of plays. A log that cannot be read stops no run.
extension LibraryOpener {
  /// Looks for damage, for a command that changes nothing.
  func playNotes(_ library: Library) -> [RecoveryNote] {
    guard let folder = library.stateFolder else { return [] }
    do throws(FileError) { return try PlayLogStore(folder).damage().map { [$0.note] } ?? [] } catch {
      return notes(of: error)
    }
  }

  /// Repairs the log. A full disk must not keep an `undo` from its files: that only looks.
  func repairPlays(_ library: Library, _ queue: Queue, for purpose: OpeningPurpose) throws(JobError) -> [RecoveryNote] {
    guard purpose != .restore, purpose != .undo else { return purpose == .undo ? playNotes(library) : [] }
    do throws(FileError) {
      return try PlayLogStore(library.state).repair(queue, now: now).map { [$0.note] } ?? []
    } catch {
      guard !error.isStorageFull else { throw .file(error) }
      return notes(of: error)
    }
  }

  /// Anything but a stranger under its name is reported when the log is needed.
  private func notes(of error: FileError) -> [RecoveryNote] { error.isOfStranger ? [.playsUnusable] : [] }
}

extension LibraryOpener {
  /// Renames whatever has the name of a helper of the state folder and cannot be one: a folder, link, pipe or huge file
  /// in the place of `clock`, or anything but a folder in the place of `cache` or `reports`. A run can do without their
  /// contents, so they do not stop it. Nothing is read, followed or deleted.
  func putStrangersAside(_ library: Library) throws(JobError) -> [RecoveryNote] {
    let folder = library.state
    let aside = AsideFiles(folder, now: now)
    var notes: [RecoveryNote] = []
    do throws(FileError) {
      for (name, isOurs) in Self.helpers {
        guard let place = FilePlace(folder.root).child(name), let status = try files.status(of: place), !isOurs(status)
        else { continue }
        notes.append(.strangerPutAside(name: name, keptAside: try aside.keep(named: name)))
      }
      // A flipped bit in the latest time that was seen would let no run expire anything for years.
      if try ClockMark(folder).isDamaged() {
        notes.append(.clockDamaged(keptAside: try aside.keep(.clock)))
        try aside.prune()
      }
    } catch { throw .file(error) }
    return notes
  }

  private static var helpers: [(name: String, isOurs: (FileStatus) -> Bool)] {
    [
      (StateFolder.File.clock.rawValue, { $0.kind == .file && $0.size <= ClockMark.limit }),
      ("cache", { $0.kind == .directory }), ("reports", { $0.kind == .directory }),
    ]
  }
}
