// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

extension LibraryView {
  /// Restores the known facts about items that the queue does not know, because it was lost or has dropped them: plays,
  /// and the decisions of a person.
  /// - Parameter journal: nil if the library is only inspected.
  mutating func recall(
    _ desired: inout DesiredState, _ journal: JournaledQueue?, _ recorder: ReportRecorder
  ) throws(JobError) {
    let new = desired.items.indices.filter { index in
      queue.position(of: desired.items[index].item.id, guess: desired.items[index].queueIndex) == nil
    }
    guard !new.isEmpty else { return }
    if let log = playLog(recorder) {
      for index in new where desired.items[index].played == PlayHistory() {
        guard let entry = log.entries[desired.items[index].item.id], entry.total > 0 else { continue }
        desired.items[index].played = PlayHistory(count: entry.total, lastPlayedAt: entry.lastAt)
      }
    }
    let recalled = state.decisions.recalled(desired, unknownTo: queue, now: context.now)
    for item in recalled { state.queue[item.id] = item }
    do throws(Failure) { try journal?.apply(recalled.map { .item($0) }) } catch { throw .failed(error) }
  }

  /// Nil when there is none, or when it cannot be read, which is reported and does not stop the run.
  private func playLog(_ recorder: ReportRecorder) -> PlayLog? {
    guard !state.notes.contains(.playsUnusable), let folder = library.stateFolder else { return nil }
    do throws(FileError) { return try PlayLogStore(folder).read()?.log } catch {
      // The reading of histories needs the log as well, and has reported the problem.
      if !readsHistories { recorder.emit(.warned(.historyNotRead(path: error.path, .unreadable(error)))) }
      return nil
    }
  }
}
