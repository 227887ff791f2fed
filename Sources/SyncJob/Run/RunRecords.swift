// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// What a run writes about itself beside its kept report: the copies that the manifest wants, and the totals.
struct RunRecords: Sendable {
  private let context: JobContext
  private let queue: Queue
  var libraryID: String { queue.libraryID }
  private let playlists: [Playlist]
  /// The items whose finished file has been replaced by another file.
  private let notOurs: Set<ItemID>
  private var metrics: RunMetrics

  init(_ library: Library, _ context: JobContext, queue: Queue, playlists: [Playlist], notOurs: Set<ItemID>) {
    self.context = context
    self.queue = queue
    self.playlists = playlists
    self.notOurs = notOurs
    metrics = RunMetrics(library, context)
  }

  /// Writes everything, or replaces what was written about this run before.
  /// - Returns: The report, with warnings about what could not be written.
  mutating func write(
    _ report: RunReport, in library: Library, _ recorder: ReportRecorder, _ interruption: Interruption
  ) -> RunReport {
    var report = report
    func tell(_ key: String, _ error: FileError) {
      recorder.emit(.warned(.reportNotWritten(key: key, error)))
      report = report.updated(by: recorder, interruption)
    }
    for (copy, error) in copyFailures(report, library, interruption) { tell(copy.key, error) }
    do throws(FileError) {
      try metrics.record(report, in: library)
      do throws(FileError) { try metrics.write(report, library, queue, playlists) } catch {
        tell(ReportCopy.metrics.key, error)
        // The totals know of the failure as well.
        try metrics.record(report, in: library)
      }
    } catch {
      recorder.emit(.storageFailed(error.failure))
      report = report.updated(by: recorder, interruption)
    }
    return report
  }

  private func copyFailures(
    _ report: RunReport, _ library: Library, _ interruption: Interruption
  ) -> [(ReportCopy, FileError)] {
    let files = ReportFiles(library, context)
    var failures: [(ReportCopy, FileError)] = []
    do throws(FileError) { try files.writeCopy(report) } catch { failures.append((.json, error)) }
    guard context.manifest.report.html != nil, let storage = report.storage, !interruption.isLate else {
      return failures
    }
    var shown = context.manifest
    shown.playlists = playlists
    let status = Status(context.with(shown)).describe(library, queue, storage, notOurs: notOurs)
    do throws(FileError) { try files.writePage(report, status) } catch { failures.append((.html, error)) }
    return failures
  }
}
