// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The job on one library. Read `run` to know what one invocation does.
package struct Job: Sendable {
  let manifest: Manifest
  let options: JobOptions
  let userAgent: String
  let clock: any WallClock

  package init(manifest: Manifest, options: JobOptions, userAgent: String) {
    self.manifest = manifest
    self.options = options
    self.userAgent = userAgent
    clock = options.now.map { ShiftedClock(startingAt: $0) } ?? SystemClock()
  }

  /// The time as this job sees it.
  package var now: Timestamp { clock.now() }

  /// One run: read, compare, plan, act, report.
  /// - Parameters:
  ///   - stops: yields the exit status of a signal that asks the run to end.
  ///   - tell: hears every event, on whatever thread it happens.
  package func run(
    stopping stops: AsyncStream<ExitStatus>, tell: @escaping @Sendable (RunEvent) -> Void
  ) async throws(JobError) -> RunReport {
    let recorder = ReportRecorder(name: manifest.name, startedAt: now, tell: tell)
    let library = try Library.open(manifest.library, for: .writing, now: now)
    let state = try await StateFolder.open(library, lockWait: options.lockWait, now: now)
    let outcome = await capture {
      let network = try Network(manifest, clock: clock, seed: options.seed, userAgent: userAgent)
      let plan = try await prepare(library, state, network, recorder, keepsSources: true)
      let interruption = await act(on: plan, library, state, network, recorder, stops)
      await network.close()
      return interruption
    }
    return try finish(outcome, library, state, recorder)
  }

  /// What a run would do, without changing anything.
  package func plan() async throws(JobError) -> Plan {
    let recorder = ReportRecorder(name: manifest.name, startedAt: now, tell: { _ in })
    let library = try Library.open(manifest.library, for: .reading, now: now)
    let state = try StateFolder.look(library, now: now)
    let network = try Network(manifest, clock: clock, seed: options.seed, userAgent: userAgent)
    let plan = try await prepare(library, state, network, recorder, keepsSources: false)
    await network.close()
    return plan
  }
}
