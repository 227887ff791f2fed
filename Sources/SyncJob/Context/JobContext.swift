// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
package import SyncFormats
import SyncNet
import Synchronization

/// Everything that a command was given: the manifest, its settings, the clock and the file system. Every use case gets
/// one.
package struct JobContext: Sendable {
  package private(set) var manifest: Manifest
  var options: JobOptions
  let userAgent: String
  /// The system's clock, or one that starts at the time of `--now`.
  let clock: any WallClock
  /// Runs since the context was made.
  let stopwatch = Stopwatch()
  /// The file system of the library and its state.
  let files: any FileSystem
  /// Nil if media files cannot be examined, such as those of a file system in memory.
  let tags: (any TagEditor)?
  /// The keys of the library, once they are read.
  var keys: Keyset?

  package init(
    manifest: Manifest, options: JobOptions, userAgent: String, files: any FileSystem = POSIXFileSystem(),
    tags: (any TagEditor)? = nil
  ) {
    self.manifest = manifest
    self.options = options
    self.userAgent = userAgent
    self.files = files
    self.tags = tags
    clock = options.now.map { ShiftedClock(startingAt: $0) } ?? SystemClock()
  }

  package var now: Timestamp { clock.now() }

  /// The same for another manifest.
  func with(_ manifest: Manifest) -> JobContext {
    var context = self
    context.manifest = manifest
    return context
  }

  /// Nil without a battery, and if it does not matter to the manifest.
  var battery: Battery? { manifest.power.isOn ? PowerSupplies(POSIXFileSystem()).battery() : nil }

  /// True if nothing is to be fetched from the network as it is.
  func isDeferredByNetwork() async -> Bool {
    guard manifest.downloads.metered == .defer else { return false }
    if let told = options.isMetered { return told }
    return await MeteredNetwork().isMetered() ?? false
  }

  /// Waits for a route out of this machine, as long as the options allow, and starts the transfer engine.
  func connect(_ library: Library, _ recorder: ReportRecorder) async throws(JobError) -> Network {
    await NetworkWait(emit: recorder.emit).run(for: manifest, upTo: options.networkWait)
    var terms = Network.Terms(
      scope: options.scope, clock: clock, seed: options.seed, userAgent: userAgent, stopwatch: stopwatch)
    terms.invocation = options.invocation
    return try await Network(manifest, library, terms, emit: recorder.emit)
  }
}

/// A clock that never reads earlier than the latest time that is known. A file that is dated by it is not taken for old
/// once the clock is right again.
struct SteadyClock: WallClock {
  let clock: any WallClock
  let earliest: Timestamp

  func now() -> Timestamp { max(clock.now(), earliest) }
}

/// The settings that a command adds to the manifest for one run.
package struct JobOptions: Sendable {
  package var plan: PlanOptions
  /// The playlists that the run covers; nil for all.
  package var scope: Set<PlaylistName>?
  /// Replaces the system's clock.
  package var now: Timestamp?
  /// The seed for the jitter of waits; nil for another one at each run.
  package var seed: UInt64?
  package var lockWait: Duration
  /// The time to wait for a route out of this machine.
  package var networkWait: Duration
  /// Called once when the command waits for another run.
  package var onLockWait: @Sendable (LockWait) -> Void = { _ in }
  /// A digest of everything that the program was given, if a run that finds nothing to do may record it.
  package var inputs: SHA256Digest?
  /// True if the network is metered, whatever the system says of it. Nil to ask the system.
  package var isMetered: Bool?
  /// The only plan that the run may carry out.
  package var savedPlan: SavedPlanRequest?
  /// An absolute path; nil when it is not known.
  package var manifestPath: String?
  /// The call for commands that messages name.
  package var invocation = Invocation()
  /// The size from which a command that changes few items leaves the queue file to the next run.
  package var longQueue = ByteCount(1 << 20)
  /// Nil if no index of the queue file is kept.
  package var queueIndexes: QueueIndexStore?
  package init(
    plan: PlanOptions, scope: Set<PlaylistName>? = nil, now: Timestamp? = nil, seed: UInt64? = nil,
    lockWait: Duration = .zero, networkWait: Duration = .zero
  ) {
    self.plan = plan
    self.scope = scope
    self.now = now
    self.seed = seed
    self.lockWait = lockWait
    self.networkWait = networkWait
  }
}

/// A saved plan that is to be carried out.
package struct SavedPlanRequest: Sendable {
  package var plan: SavedPlan
  /// The path that it was read from, for messages.
  package var path: String

  package init(_ plan: SavedPlan, path: String) {
    self.plan = plan
    self.path = path
  }
}

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

  func line(of id: ItemID) -> RunReport.Line? { report.withLock { $0.line(of: id) } }

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
