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
    guard let program = HookProgram(.run, context.manifest.hooks, end.mask) else { return end.report }
    let kept = "\(context.manifest.library.state)/reports/\(end.report.runID).json"
    let input = HookInput(
      end.report, keptAt: end.isKept ? kept : nil, of: context.hookContext(runID: end.report.runID))
    recorder.emit(.worked(RunWork(.callingHooks, done: 0, of: 1)))
    guard let problem = await program.call(input) else { return end.report }
    recorder.emit(.warned(.hookFailed(problem)))
    let report = end.report.updated(by: recorder, interruption)
    guard !interruption.isLate, end.isKept, let records = end.records else { return report }
    // A signal has cancelled this task, but there is time enough for this.
    return await Task { await rewrite(report, records) }.value
  }

  private func rewrite(_ report: RunReport, _ records: RunRecords) async -> RunReport {
    do throws(JobError) { return try await rewritten(report, records) } catch {
      recorder.emit(.warned(.reportNotAmended(reason: error.words())))
      return report.updated(by: recorder, interruption)
    }
  }

  private func rewritten(_ report: RunReport, _ records: RunRecords) async throws(JobError) -> RunReport {
    let library = try Library.look(context.manifest.library, context.files)
    // The hook may have unmounted the library, and another one may be below the mount point.
    guard library.mediaRoot != nil, library.stateFolder != nil,
      try LibraryOpener(context).marker(of: library)?.id == records.libraryID
    else { throw .notInitialised(library: context.manifest.library.path) }
    let files = ReportFiles(library, context)
    var written = report
    do throws(FileError) {
      let lock = try await lock(library)
      // A later run has written newer copies. The kept report belongs to this run alone.
      if lock != nil, let folder = library.reports,
        try PastRuns.names(in: folder, library.files).last == "\(report.runID).json"
      {
        var records = records
        written = records.write(report, in: library, recorder, interruption)
      }
      try files.write(written)
      try lock?.release()
    } catch { throw .file(error) }
    return written
  }

  /// Returns nil if another run holds the lock.
  private func lock(_ library: Library) async throws(FileError) -> StateLock? {
    var context = context
    context.options.lockWait = .zero
    do throws(JobError) { return try await LibraryOpener(context).lock(library) } catch {
      if case .file(let error) = error { throw error }
      return nil
    }
  }
}

/// A run that has closed its library.
struct EndedRun: Sendable {
  var report: RunReport
  /// True if the report is among the kept ones.
  var isKept = false
  /// Nil if the manifest has no hook for the run, or nothing can be written any more.
  var records: RunRecords?
  /// Hides secrets in what the hook writes.
  var mask = SecretMask([])

  init(report: RunReport) { self.report = report }
}

extension RunReport {
  /// The same end with the warnings that have come since then.
  func updated(by recorder: ReportRecorder, _ interruption: Interruption) -> RunReport {
    var report = recorder.close(at: finishedAt, storage: storage, interruption: interruption.status)
    (report.seconds, report.offline) = (seconds, offline)
    return report
  }
}

extension JobContext {
  func hookContext(runID: String) -> HookContext {
    HookContext(runID: runID, name: manifest.name, library: manifest.library.path, manifest: options.manifestPath)
  }
}
