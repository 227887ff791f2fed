// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import Synchronization

/// Adds every event to the report and passes it on, on the thread on which it comes.
final class ReportRecorder: Sendable {
  private let report: Mutex<RunReport>
  private let listener: @Sendable (RunEvent) -> Void
  private let stopwatch: Stopwatch

  init(_ context: JobContext, listener: @escaping @Sendable (RunEvent) -> Void = { _ in }) {
    let now = context.now
    stopwatch = context.stopwatch
    report = Mutex(RunReport(runID: Self.runID(now), name: context.manifest.name, startedAt: now))
    self.listener = listener
  }

  /// Announces the run by its id.
  func announce() {
    let report = current
    emit(.began(runID: report.runID, name: report.name))
  }

  func emit(_ event: RunEvent) {
    report.withLock { $0.fold(event) }
    listener(event)
  }

  /// Reports the trash that was deleted so that the state could be written at all.
  func emitTrash(_ cleaned: TrashFolder.Emptied) {
    if cleaned.files > 0 { emit(.trashEmptied(files: cleaned.files, freed: cleaned.freed)) }
  }

  var current: RunReport { report.withLock { $0 } }

  /// The report in its present state, closed.
  /// - Parameter interruption: the exit status of the signal that ended the run.
  func close(at now: Timestamp, storage: StorageSummary?, interruption: ExitStatus?) -> RunReport {
    var report = current
    report.finishedAt = now
    report.seconds = stopwatch.elapsed.inSeconds
    report.storage = storage
    report.status = interruption ?? report.statusOfItems
    return report
  }

  /// An id that sorts in the order of the runs: by the run's time, and within one second by the machine's clock, which
  /// advances even where `--now` is fixed: `20261121T060003Z-18806c5b9a3f1e00`.
  private static func runID(_ now: Timestamp) -> String {
    let time = now.rfc3339.filter { $0 != "-" && $0 != ":" }
    let moment = String(SystemClock.nanoseconds, radix: 16)
    return "\(time)-\(String(repeating: "0", count: max(0, 16 - moment.count)))\(moment)"
  }
}
