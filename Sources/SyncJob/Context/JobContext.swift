// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
package import SyncFormats
import SyncNet

/// Everything that a command was given: the manifest, its settings, the clock and the file system. Every use case gets
/// one.
package struct JobContext: Sendable {
  package let manifest: Manifest
  let options: JobOptions
  let userAgent: String
  /// The system's clock, or one that starts at the time of `--now`.
  let clock: any WallClock
  /// Runs since the context was made.
  let stopwatch = Stopwatch()
  /// The file system of the library and its state.
  let files: any FileSystem

  package init(
    manifest: Manifest, options: JobOptions, userAgent: String, files: any FileSystem = POSIXFileSystem()
  ) {
    self.manifest = manifest
    self.options = options
    self.userAgent = userAgent
    self.files = files
    clock = options.now.map { ShiftedClock(startingAt: $0) } ?? SystemClock()
  }

  package var now: Timestamp { clock.now() }

  /// Waits for a route out of this machine, as long as the options allow, and starts the transfer engine.
  func connect(_ library: Library, _ recorder: ReportRecorder) async throws(JobError) -> Network {
    await NetworkWait(emit: recorder.emit).run(for: manifest, upTo: options.networkWait)
    let terms = Network.Terms(
      scope: options.scope, clock: clock, seed: options.seed, userAgent: userAgent, stopwatch: stopwatch)
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
  /// The only plan that the run may carry out.
  package var savedPlan: SavedPlanRequest?
  /// An absolute path; nil when it is not known.
  package var manifestPath: String?
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
