// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// Calls the hook of the run once the run has closed its library, so that the hook may unmount it.
struct RunHook {
  let context: JobContext
  let recorder: ReportRecorder
  let interruption: Interruption

  /// - Returns: The report, with a warning if the hook failed. The kept report and its copies have it, too.
  func call(after end: EndedRun) async -> RunReport {
    guard let program = HookProgram(.run, context.manifest.hooks) else { return end.report }
    let kept = "\(context.manifest.library.state)/reports/\(end.report.runID).json"
    let input = HookInput(end.report, keptAt: kept, of: context.hookContext(runID: end.report.runID))
    guard let problem = await program.call(input) else { return end.report }
    recorder.emit(.warned(.hookFailed(problem)))
    let report = end.report.updated(by: recorder, interruption)
    guard !interruption.isLate, var records = end.records else { return report }
    return await rewrite(report, &records)
  }

  private func rewrite(_ report: RunReport, _ records: inout RunRecords) async -> RunReport {
    do throws(JobError) {
      let library = try Library.look(context.manifest.library, context.files)
      let lock: StateLock
      do throws(JobError) { lock = try await LibraryOpener(context).lock(library) } catch {
        // The other run replaces the copies by its own. The kept report belongs to this run alone.
        do throws(FileError) { try ReportFiles(library, context).write(report) } catch { throw .file(error) }
        return report
      }
      let written = try records.write(report, in: library, recorder, interruption)
      do throws(FileError) {
        try ReportFiles(library, context).write(written)
        try lock.release()
      } catch { throw .file(error) }
      return written
    } catch {
      recorder.emit(.warned(.reportNotAmended(reason: error.words())))
      return report.updated(by: recorder, interruption)
    }
  }
}

/// A run that has closed its library.
struct EndedRun: Sendable {
  var report: RunReport
  /// Nil if nothing can be written any more.
  var records: RunRecords?
}

extension RunReport {
  /// The same end with the warnings that have come since then.
  func updated(by recorder: ReportRecorder, _ interruption: Interruption) -> RunReport {
    var report = recorder.close(at: finishedAt, storage: storage, interruption: interruption.status)
    report.seconds = seconds
    return report
  }
}

extension JobContext {
  func hookContext(runID: String) -> HookContext {
    HookContext(runID: runID, name: manifest.name, library: manifest.library.path, manifest: options.manifestPath)
  }
}
