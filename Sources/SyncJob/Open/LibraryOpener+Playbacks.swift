// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// The records that `play` has left, since it does not hold the library's lock while it plays.
extension LibraryOpener {
  /// Repairs the log of plays, then counts what `play` has recorded.
  func settlePlays(
    _ library: Library, _ journal: JournaledQueue, for purpose: OpeningPurpose, _ state: inout OpenedState
  ) throws(JobError) {
    state.notes += try repairPlays(library, journal.queue, for: purpose)
    guard state.loss == nil, purpose != .undo, purpose != .restore, !state.notes.contains(.playsUnusable) else {
      return
    }
    try countPlaybacks(library, journal)
    state.queue = journal.queue
  }

  /// Counts playbacks that are recorded and not counted, and removes their records. After a kill between any two steps the
  /// next opening does the rest, and counts nothing twice.
  private func countPlaybacks(_ library: Library, _ journal: JournaledQueue) throws(JobError) {
    let store = PlayStore(library.state)
    let (notes, counted): ([PlaybackNote], [QueueItem])
    do throws(FileError) {
      try settleAbandoned(store, journal.queue)
      notes = try store.notes()
      guard !notes.isEmpty else { return }
      counted = try merged(notes, in: journal.queue, PlayLogStore(library.state), isSaving: true).items
    } catch {
      // The records stay, and the next command counts them.
      guard !error.isStorageFull else { return }
      throw .file(error)
    }
    try apply(counted.map { .item($0) }, journal)
    do throws(Failure) { try journal.sync() } catch { throw .failed(error) }
    do throws(FileError) {
      // A clock that is behind may be right later.
      for note in notes where note.ended <= now + .days(1) { try store.remove(note) }
    } catch { throw .file(error) }
  }

  /// The same in memory, for a command that changes nothing.
  func seePlaybacks(_ library: Library, _ state: inout OpenedState) throws(JobError) {
    guard let folder = library.stateFolder, state.loss == nil else { return }
    do throws(FileError) {
      let notes = try PlayStore(folder).notes()
      guard !notes.isEmpty else { return }
      let (items, log) = try merged(notes, in: state.queue, PlayLogStore(folder), isSaving: false)
      for item in items { state.queue[item.id] = item }
      state.playLog = log
    } catch { throw .file(error) }
  }

  /// Turns the playback of a killed process into a record.
  private func settleAbandoned(_ store: PlayStore, _ queue: Queue) throws(FileError) {
    guard try store.place()?.playback != nil, let lock = try store.lockToPlay() else { return }
    try store.settle(lock) { queue[$0]?.item.duration }
    try lock.release()
  }

  /// The items that the playbacks change, and the log with them. Their plays are in the log before the queue has them.
  private func merged(
    _ notes: [PlaybackNote], in queue: Queue, _ log: PlayLogStore, isSaving: Bool
  ) throws(FileError) -> (items: [QueueItem], log: PlayLog) {
    let reading = try log.read()
    let isLost = reading == nil && queue.items.contains { $0.plays.count > 0 }
    let isDamaged = isLost || !(reading?.isWhole ?? true)
    var merge = HistoryMerge(queue, log: reading?.log ?? PlayLog(), isLogWhole: !isDamaged, roots: [], now: now)
    for note in notes { merge.take(note) }
    if isSaving {
      if isDamaged { try log.replace(merge.log.folded(at: now)) } else { try log.append(merge.lines) }
    }
    return (queue.items(hearing: merge.changes), merge.log)
  }
}
