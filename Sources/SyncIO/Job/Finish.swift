// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

extension Job {
  /// Everything durable, then the playlists, then the report, then the snapshot. A run that is stopped leaves out what
  /// would take it beyond its time: the journal says everything, as after a kill.
  /// - Parameters:
  ///   - notOurs: items with another file in their file's place.
  ///   - ending: the last thing that is done before the lock goes.
  func finish(
    _ library: Library, _ ledger: Ledger, notOurs: Set<ItemID>, _ recorder: ReportRecorder,
    _ interruption: Interruption, ending: (Queue, RunReport) -> Void
  ) throws(JobError) -> RunReport {
    do throws(Failure) {
      try ledger.sync()
      do throws(FileError) {
        if manifest.report.m3u8, !interruption.isLate, recorder.current.safetyStop == nil {
          try PlaylistFiles(library: library, manifest: manifest).write(ledger.queue)
        }
      } catch { throw error.failure }
      // A time that somebody gave is none that was seen.
      if !recorder.current.isClockDoubtful, options.now == nil, !interruption.isLate {
        do throws(FileError) { try ClockMark(library.state).advance(to: now) } catch { throw error.failure }
      }
    } catch { recorder.tell(.storageFailed(error)) }
    let storage = try storage(library, ledger.queue, notOurs: notOurs)
    if let budget = storage.budget, storage.used > budget * manifest.storage.warnAt {
      recorder.tell(.warned(.usageAboveWarning(used: storage.used, budget: budget)))
    }
    // The run may have learnt sizes that the plan did not know.
    if let lacking = manifest.pinsOverBudget(in: ledger.queue), !recorder.current.tellsOfPins {
      recorder.tell(.warned(.pinsOverBudget(lacking: lacking)))
    }
    let files = ReportFiles(library: library, of: self)
    var report = recorder.close(at: now, storage: storage, interruption: interruption.status)
    guard !interruption.isLate else { return report }
    do throws(FileError) { try files.writeCopy(report) } catch {
      recorder.tell(.warned(.reportNotWritten(error)))
      report = recorder.close(at: now, storage: storage, interruption: interruption.status)
    }
    do throws(FileError) { try files.write(report) } catch {
      guard report.storageFailure == nil else { return report }
      throw .file(error)
    }
    // After a failure the journal holds what could be saved; another write would be another lie.
    guard report.storageFailure == nil, !interruption.isLate else { return report }
    try ledger.close(at: now) { ending($0, report) }
    return report
  }

  /// What was taken over is durable before the memory counts as whole.
  func endRebuilding(_ library: Library, _ ledger: Ledger, _ recorder: ReportRecorder) {
    guard !Task.isCancelled, recorder.current.storageFailure == nil else { return }
    do throws(Failure) {
      try ledger.sync()
      do throws(FileError) { try library.endRebuilding() } catch { throw error.failure }
    } catch { recorder.tell(.storageFailed(error)) }
  }

  /// Bytes on disk that the job owns, and what is left.
  /// - Parameter notOurs: items with another file in their file's place.
  func storage(_ library: Library, _ queue: Queue, notOurs: Set<ItemID>) throws(JobError) -> StorageSummary {
    let observer = LibraryObserver(library: library, manifest: manifest, trustsPartialLengths: false, now: now)
    do throws(FileError) {
      let bytes = try observer.bytes()
      let finished = queue.items.compactMap { notOurs.contains($0.id) ? nil : $0.state.storedFile?.size }.sum()
      return StorageSummary(
        budget: manifest.storage.budget, used: finished + bytes.partial + bytes.trash, partial: bytes.partial,
        trash: bytes.trash, free: bytes.free)
    } catch { throw .file(error) }
  }
}
