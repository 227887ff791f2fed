// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
import SyncFormats
import SyncNet

/// Everything that a command was given: the manifest, its settings, the clock and the file system. Every use case gets
/// one.
package struct JobContext: Sendable {
  package let manifest: Manifest
  let options: JobOptions
  let userAgent: String
  /// The system's clock, or one that starts at the time of `--now`.
  let clock: any WallClock
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
      scope: options.scope, clock: clock, seed: options.seed, userAgent: userAgent, began: recorder.began)
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
