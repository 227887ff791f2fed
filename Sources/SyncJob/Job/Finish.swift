// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

extension Job {
  /// Ends a run: makes everything durable, then writes the playlists, the report and the snapshot. A stopped run omits
  /// the steps for which it has no time: the journal holds everything, as after a kill.
  /// - Parameters:
  ///   - notOurs: items whose finished file has been replaced by another file.
  ///   - ending: the last step before the lock is released.
  func finish(
    _ library: Library, _ ledger: JournaledQueue, notOurs: Set<ItemID>, _ recorder: ReportRecorder,
    _ interruption: Interruption, ending: (Queue, RunReport) -> Void
  ) throws(JobError) -> RunReport {
    do throws(Failure) {
      try ledger.sync()
      do throws(FileError) {
        if manifest.report.m3u8, !interruption.isLate, recorder.current.safetyStop == nil {
          for warning in try PlaylistFiles(library: library, manifest: manifest).write(ledger.queue) {
            recorder.emit(.warned(warning))
          }
        }
      } catch { throw error.failure }
      // A time given by `--now` is not a time that was seen.
      if !recorder.current.isClockDoubtful, options.now == nil, !interruption.isLate {
        do throws(FileError) { try ClockMark(library.state).advance(to: now) } catch { throw error.failure }
      }
    } catch { recorder.emit(.storageFailed(error)) }
    let storage = try storage(library, ledger.queue, notOurs: notOurs)
    if let budget = storage.budget, storage.used > budget * manifest.storage.warnAt {
      recorder.emit(.warned(.usageAboveWarning(used: storage.used, budget: budget)))
    }
    // The run may have learnt sizes that the plan did not know.
    if let lacking = manifest.pinsOverBudget(in: ledger.queue), !recorder.current.reportsPins {
      recorder.emit(.warned(.pinsOverBudget(lacking: lacking)))
    }
    let files = ReportFiles(library: library, of: self)
    var report = recorder.close(at: now, storage: storage, interruption: interruption.status)
    guard !interruption.isLate else { return report }
    do throws(FileError) { try files.writeCopy(report) } catch {
      recorder.emit(.warned(.reportNotWritten(error)))
      report = recorder.close(at: now, storage: storage, interruption: interruption.status)
    }
    do throws(FileError) { try files.write(report) } catch {
      guard report.storageFailure == nil else { return report }
      throw .file(error)
    }
    // After a failure the journal holds what could be saved; another write could only make it wrong.
    guard report.storageFailure == nil, !interruption.isLate else { return report }
    try ledger.close(at: now) { ending($0, report) }
    return report
  }

  /// The files that were taken over are durable before the rebuild counts as complete.
  func endRebuilding(_ library: Library, _ ledger: JournaledQueue, _ recorder: ReportRecorder) {
    guard !Task.isCancelled, recorder.current.storageFailure == nil else { return }
    do throws(Failure) {
      try ledger.sync()
      do throws(FileError) { try library.endRebuilding() } catch { throw error.failure }
    } catch { recorder.emit(.storageFailed(error)) }
  }

  /// The bytes on disk that the job owns, and the free space.
  /// - Parameter notOurs: items whose finished file has been replaced by another file.
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
