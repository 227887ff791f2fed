// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import Synchronization

/// The end of a run: makes everything durable, then writes the playlists, the report and the snapshot, and releases the
/// lock. A stopped run omits the steps for which it has no time: the journal holds everything, as after a kill.
struct RunEnding {
  private let library: OpenLibrary
  private let recorder: ReportRecorder
  private let interruption: Interruption
  /// The items whose finished file has been replaced by another file.
  var notOurs: Set<ItemID> = []
  /// True if an item needs a licence, or has had one.
  var usesLicenses = false
  /// The playlists of the run: those that are known from earlier runs until the sources were read.
  var playlists: [Playlist]

  init(_ library: OpenLibrary, _ recorder: ReportRecorder, _ interruption: Interruption) {
    self.library = library
    self.recorder = recorder
    self.interruption = interruption
    playlists = library.view.context.manifest.withPlaylists(knownIn: library.view.library).playlists
  }

  private var context: JobContext { library.view.context }
  private var manifest: Manifest { context.manifest }

  /// - Parameter record: written last, before the lock is released.
  func close(_ record: UpToDateRecord) throws(JobError) -> EndedRun {
    do throws(Failure) { try makeDurable() } catch { recorder.emit(.storageFailed(error)) }
    let storage = try summary()
    var report = recorder.close(at: context.now, storage: storage, interruption: interruption.status)
    guard !interruption.isLate else { return EndedRun(report: report) }
    if usesLicenses { report.offline = library.offlineStates(at: report.finishedAt) }
    let (view, journal) = (library.view, library.journal)
    var records = RunRecords(
      view.library, context, queue: journal.queue, playlists: playlists, notOurs: notOurs)
    report = records.write(report, in: view.library, recorder, interruption)
    do throws(FileError) { try ReportFiles(view.library, context).write(report) } catch {
      guard report.storageFailure == nil else { return EndedRun(report: report) }
      throw .file(error)
    }
    var end = EndedRun(report: report)
    if manifest.hooks.run != nil { end.records = records }
    end.isKept = true
    // After a failure the journal holds what could be saved; another write could only make it wrong.
    guard report.storageFailure == nil, !interruption.isLate else { return end }
    try journal.close(at: context.now) { record.save(view.library, $0, report) }
    return end
  }

  private func makeDurable() throws(Failure) {
    try library.journal.sync()
    do throws(FileError) {
      if !interruption.isLate, recorder.current.safetyStop == nil, mayFlushFolders {
        for format in manifest.report.playlistFormats {
          let files = PlaylistFiles(
            library: library.view.library, playlists: playlists, format: format,
            listsSealed: manifest.report.sealedInPlaylists)
          for warning in try files.write(library.journal.queue) { recorder.emit(.warned(warning)) }
        }
      }
      // A time given by `--now` is not a time that was seen.
      if !recorder.current.isClockDoubtful, context.options.now == nil, !interruption.isLate {
        try ClockMark(library.view.library.state).advance(to: context.now)
      }
    } catch { throw error.failure }
  }

  /// False after a failed flush, which is never tried again. On a full disk nothing was lost.
  private var mayFlushFolders: Bool {
    recorder.current.storageFailure.map { $0.kind == .storageFull } ?? true
  }

  /// The use of the storage, with warnings about it.
  private func summary() throws(JobError) -> StorageSummary {
    let storage = try library.view.storage(of: library.journal.queue, notOurs: notOurs)
    if let budget = storage.budget, storage.used > budget * manifest.storage.warnAt {
      recorder.emit(.warned(.usageAboveWarning(used: storage.used, budget: budget)))
    }
    // The run may have learnt sizes that the plan did not know.
    if let lacking = manifest.pinsOverBudget(in: library.journal.queue), !recorder.current.reportsPins {
      recorder.emit(.warned(.pinsOverBudget(lacking: lacking)))
    }
    return storage
  }
}

/// The exit status that the first signal asks for, once there is one.
///
/// The signal cancels the run's task: whatever waits stops waiting, nothing new begins, and running work is stopped in
/// order. There is no second way to stop a run.
final class Interruption: Sendable {
  private let first = Mutex<(status: ExitStatus, stopwatch: Stopwatch)?>(nil)
  /// Leaves enough time for the remaining steps before the run is cut off.
  private static let patience = Duration.milliseconds(800)

  var status: ExitStatus? { first.withLock { $0?.status } }

  /// True if the end has taken so long, on a slow disk, that nothing is written any more that the next run does not
  /// need.
  var isLate: Bool { first.withLock { $0.map { $0.stopwatch.elapsed > Self.patience } ?? false } }

  /// Runs `body` to its end, cancelled by the first of `stops`.
  static func watching<Success: Sendable>(
    _ stops: AsyncStream<ExitStatus>,
    _ body: @escaping @Sendable (Interruption) async throws(JobError) -> Success
  ) async throws(JobError) -> Success {
    let interruption = Interruption()
    let result = await withTaskGroup(of: Result<Success, JobError>?.self) { group -> Result<Success, JobError>? in
      group.addTask {
        do throws(JobError) { return .success(try await body(interruption)) } catch {
          guard case .interrupted = error, let status = interruption.status else { return .failure(error) }
          return .failure(.interrupted(status))
        }
      }
      group.addTask {
        for await status in stops {
          interruption.first.withLock { $0 = (status, Stopwatch()) }
          break
        }
        return nil
      }
      while let ended = await group.next() {
        if ended != nil || interruption.status != nil { group.cancelAll() }
        if let ended { return ended }
      }
      return nil
    }
    guard let result else { preconditionFailure("the task of the body has a result") }
    return try result.get()
  }
}
