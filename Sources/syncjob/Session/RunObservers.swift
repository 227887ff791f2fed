// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncJob

/// All followers of a run: a person at a terminal, a program at the other end of a pipe.
struct RunObservers: Sendable {
  private let narrator: ConsoleLog
  private let display: ProgressDisplay?
  private let log: EventLog?

  init(
    _ resolved: ProgressOptions.Resolved, _ output: OutputOptions, isQuiet: Bool, style: TextStyle, context: JobContext
  ) {
    let display = resolved.isLive ? ProgressDisplay(.standardError, units: style.units) : nil
    let say: @Sendable (String) -> Void = { line in
      if let display { display.say(line) } else { Terminal.standardError.say(line) }
    }
    self.display = display
    narrator = ConsoleLog(
      isQuiet: isQuiet, verbosity: output.verbose, isLive: display != nil, style: style, say: say)
    log = resolved.events.log(now: { context.now }, warn: say)
  }

  /// Follows a run from its beginning to its end.
  func follow(
    _ run: (@escaping @Sendable (RunEvent) -> Void) async throws(JobError) -> RunReport
  ) async throws(JobError) -> RunReport {
    let (narrator, display, log) = (narrator, display, log)
    let drawing = display.map { display in Task { await display.run() } }
    let result: Result<RunReport, JobError>
    do throws(JobError) {
      result = .success(
        try await run { event in
          narrator.emit(event)
          display?.emit(event)
          log?.emit(event)
        })
    } catch { result = .failure(error) }
    await log?.end(result)
    drawing?.cancel()
    await drawing?.value
    return try result.get()
  }
}
