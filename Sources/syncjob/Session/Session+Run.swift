// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

/// The signals that ask a run to end.
enum StopSignals {
  /// Made when the program begins, so that no signal comes before it.
  static let stops = SignalWatch(cutOff: "syncjob: error: \(ProcessWords.cutOff)\n").stops
}

/// The commands that carry out a run.
extension Session {
  /// Performs the run, followed by its audience.
  func perform(_ progress: ProgressOptions.Resolved) async throws -> RunReport {
    let run = Run(context)
    let stops = StopSignals.stops
    return try await follow(progress) { listener throws(JobError) in try await run.perform(stopping: stops, listener) }
  }

  /// Performs the run of a manifest without its playlists, if there is nothing to do for them; nil when there may be.
  func performIfUpToDate(_ progress: ProgressOptions.Resolved) async throws -> RunReport? {
    guard let inputs = options.inputs,
      let run = try await stopping({ () async throws(JobError) in try await UpToDateRun.perform(inputs, in: context) })
    else { return nil }
    return try await follow(progress) { listener throws(JobError) in
      for event in run.events { listener(event) }
      return run.report
    }
  }

  private func follow(
    _ progress: ProgressOptions.Resolved,
    _ run: (@escaping @Sendable (RunEvent) -> Void) async throws(JobError) -> RunReport
  ) async throws -> RunReport {
    let style = style(on: .standardError)
    let audience = RunObservers(progress, output, isQuiet: isQuiet, style: style, context: context)
    return try await stopping { () async throws(JobError) in try await audience.follow(run) }
  }

  /// - Parameter place: the stream for a report for people when the run went well.
  func show(_ report: RunReport, asJSON: Bool, on place: Terminal = .standardOutput) {
    if asJSON {
      Terminal.standardOutput.write(report.json())
    } else if !isQuiet {
      var style = style(on: place)
      // On a terminal, -v has shown each file as it came and went.
      style.hasToldFiles = output.verbose > 0 && place.isInteractive && Terminal.standardError.isInteractive
      place.write(ReportText(report, style: style).text)
    } else if report.status != .ok {
      Terminal.standardError.write(ReportText(report, style: style(on: .standardError)).text)
    }
  }

  /// Shows the report of a run, and ends with its status.
  func end(_ report: RunReport, _ resolved: ProgressOptions.Resolved, asJSON: Bool) throws {
    show(report, asJSON: asJSON, on: resolved.events.takesStdout ? .standardError : .standardOutput)
    if report.status != .ok { throw CommandExit.silent(report.status) }
  }
}
