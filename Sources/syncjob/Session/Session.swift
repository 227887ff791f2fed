// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob
import Synchronization

/// One call of a command on one manifest: its resolved options, and the destination of its output.
struct Session {
  let environment: ProcessEnvironment
  let output: OutputOptions
  /// The call for commands that are suggested.
  let invocation: Invocation
  let manifest: Manifest
  let options: JobOptions

  private init(_ manifest: Manifest, _ options: JobOptions, of text: ManifestText, _ output: OutputOptions) throws {
    self.manifest = manifest
    self.output = output
    environment = text.environment
    invocation = Invocation(manifest: text.named)
    var options = options
    (options.manifestPath, options.invocation) = (text.file.path, invocation)
    options.isMetered = try environment.isMetered
    options.onLockWait = Self.waiting(isQuiet: output.quiet)
    options.queueIndexes = UserCache(environment.all).map {
      QueueIndexStore($0, program: ManifestFile.program(version: Version.number), minimumFree: manifest.storage.minFree)
    }
    self.options = options
  }

  /// A session for commands that plan.
  /// - Parameter inputs: a digest for a run that may record that there was nothing to do.
  init(
    _ text: ManifestText, inputs: SHA256Digest? = nil, options: RunOptions, lock: LockOptions?, output: OutputOptions
  ) throws {
    let loaded = try LoadedManifest.load(text, reportsWarnings: !output.quiet)
    try self.init(
      loaded.manifest, of: text, inputs: loaded.isUndamaged ? inputs : nil, options: options, lock: lock, output: output
    )
  }

  /// A session for commands that plan, with a manifest that is checked already.
  init(
    _ manifest: Manifest, of text: ManifestText, inputs: SHA256Digest?, options: RunOptions, lock: LockOptions?,
    output: OutputOptions
  ) throws {
    var manifest = manifest
    var options = try options.resolved(&manifest, lockWait: try lock?.resolved() ?? .zero)
    // A new key in the same file asks for work that no other input shows, and licences end by the clock. The queue shows
    // those of inline items.
    options.inputs = manifest.protect.keys == nil && !manifest.declaresLicenses ? inputs : nil
    try self.init(manifest, options, of: text, output)
  }

  /// A session for a plan that was saved: everything that shapes a plan is as it was then.
  init(
    _ text: ManifestText, savedPlan: SavedPlanRequest, transfers: TransferOptions, lock: LockOptions,
    output: OutputOptions
  ) throws {
    var manifest = try LoadedManifest.load(text, reportsWarnings: !output.quiet).manifest
    var options = try transfers.resolved(&manifest, lockWait: try lock.resolved())
    let basis = savedPlan.plan.record.basis
    (options.plan, options.scope, options.savedPlan) = (basis.options, basis.scope, savedPlan)
    try self.init(manifest, options, of: text, output)
  }

  /// A session for commands that look at the queue or edit it.
  /// - Parameters:
  ///   - clock: the option for the present time.
  ///   - reportsWarnings: true if warnings about a valid manifest are reported.
  ///   - needsSecrets: true for a command that talks to a server. An edit of the queue keeps the marks of credentials, so it
  ///     needs them as well.
  init(
    _ text: ManifestText, lock: LockOptions?, clock: ClockOptions, output: OutputOptions, reportsWarnings: Bool = true,
    needsSecrets: Bool = false
  ) throws {
    let declared = try LoadedManifest.load(
      text, reportsWarnings: reportsWarnings && !output.quiet, leavesSecretsOpen: lock == nil && !needsSecrets
    ).manifest
    // No source is read.
    let manifest = declared.withKnownPlaylists()
    var options = JobOptions(
      plan: PlanOptions(maxDelete: manifest.storage.maxDelete), lockWait: try lock?.resolved() ?? .zero)
    options.now = try clock.resolved()
    try self.init(manifest, options, of: text, output)
  }

  /// A session for an import of files, which reads the sources.
  init(
    _ text: ManifestText, importing playlists: PlaylistOption, lock: LockOptions, clock: ClockOptions,
    output: OutputOptions
  ) throws {
    let manifest = try LoadedManifest.load(text, reportsWarnings: !output.quiet).manifest
    var options = JobOptions(plan: PlanOptions(maxDelete: manifest.storage.maxDelete), lockWait: try lock.resolved())
    options.now = try clock.resolved()
    options.scope = try playlists.scope(manifest.withKnownPlaylists())
    try self.init(manifest, options, of: text, output)
  }

  var isQuiet: Bool { output.quiet }

  private static func waiting(isQuiet: Bool) -> @Sendable (LockWait) -> Void {
    { wait in if !isQuiet { Log.say(.info, wait.words) } }
  }

  /// The files that no option overwrites.
  var protected: ProtectedFiles { ProtectedFiles(manifest, at: options.manifestPath) }

  /// The file that an option asks for.
  func outputFile(_ path: String, of output: FileError.Output) throws -> OutputFile {
    let file = OutputFile(path, of: output, besides: protected)
    do throws(FileError) { try file.check() } catch { throw CommandExit(error.words, .usage) }
    return file
  }

  var context: JobContext {
    JobContext(manifest: manifest, options: options, userAgent: "syncjob/\(Version.number)", tags: TagProgram())
  }

  /// Locks the library for edits, and reports repairs and damage: there will be no report.
  /// - Parameter opensFiles: True if sealed files are opened, for which the keys are read.
  func beginEdit(
    _ purpose: QueueEditor.Purpose = .change, opensFiles: Bool = false
  ) async throws -> QueueEditor {
    let editor = try await stopping { () async throws(JobError) in
      try await QueueEditor.begin(context, purpose, opensFiles: opensFiles)
    }
    emit(editor.warnings)
    return editor
  }

  /// The queue for rehearsed edits.
  func beginRehearsal() async throws -> QueueRehearsal {
    let view = try await stopping { () async throws(JobError) in try QueueRehearsal.begin(context) }
    emit(view.warnings)
    return view
  }

  func emit(_ warnings: [Warning]) {
    for warning in warnings { Log.say(LogLine(warning)) }
  }

  func warn(_ words: String) { Log.warn(words) }

  var style: TextStyle { style(on: .standardOutput) }

  /// The style of texts about this manifest.
  func style(on place: Terminal) -> TextStyle {
    var style = output.style(place, environment: environment, invocation: invocation)
    style.units = manifest.sizeUnits
    return style
  }

  /// Turns the early end of a job into the end of the command.
  func stopping<Result>(_ body: () async throws(JobError) -> Result) async throws -> Result {
    do { return try await body() } catch { throw CommandExit(error.words(invocation), error.status) }
  }
}

/// The signals that ask a run to end.
enum StopSignals {
  /// Made when the program begins, so that no signal comes before it.
  static let stops = SignalWatch(cutOff: { Log.end(ProcessWords.cutOff, nil) }).stops
}

/// The commands that carry out a run.
extension Session {
  /// Performs the run, followed by its audience.
  func perform(_ progress: ProgressOptions.Resolved) async throws -> RunReport {
    let run = Run(context)
    let stops = StopSignals.stops
    return try await follow(progress, tellsStart: true) { listener throws(JobError) in
      try await run.perform(stopping: stops, listener)
    }
  }

  /// Performs the run of a manifest without its playlists, if there is nothing to do for them; nil when there may be.
  func performIfUpToDate(_ progress: ProgressOptions.Resolved) async throws -> RunReport? {
    guard let inputs = options.inputs,
      let run = try await stopping({ () async throws(JobError) in try await UpToDateRun.perform(inputs, in: context) })
    else { return nil }
    return try await follow(progress, tellsStart: false) { listener throws(JobError) in
      for event in run.events { listener(event) }
      return run.report
    }
  }

  /// - Parameter tellsStart: False for a run that ends as soon as it begins.
  private func follow(
    _ progress: ProgressOptions.Resolved, tellsStart: Bool,
    _ run: (@escaping @Sendable (RunEvent) -> Void) async throws(JobError) -> RunReport
  ) async throws -> RunReport {
    let style = style(on: .standardError)
    let audience = RunObservers(progress, output, isQuiet: isQuiet, style: style, context: context)
    let ping = RunPing(context)
    let warnings = Mutex<[Warning]>([])
    do throws(JobError) {
      return try await audience.follow { listener throws(JobError) in
        let warn: @Sendable (Warning) -> Void = { warning in
          warnings.withLock { $0.append(warning) }
          listener(.warned(warning))
        }
        return try await ping.around(tellsStart: tellsStart, warn: warn) { () async throws(JobError) in
          try await run(listener)
        }
      }
    } catch {
      // A run that fails has no report that would show them.
      emit(warnings.withLock { $0 })
      throw CommandExit(error.words(invocation), error.status)
    }
  }

  /// Shows live progress on a terminal while a command that is not a run works.
  func showingProgress<Result>(
    _ body: (@escaping @Sendable (RunEvent) -> Void) async throws(JobError) -> Result
  ) async throws -> Result {
    let terminal = Terminal.standardError
    guard terminal.isInteractive, environment["TERM"] != "dumb", !isQuiet, Log.format == .text else {
      return try await stopping { () async throws(JobError) in try await body { _ in } }
    }
    let display = ProgressDisplay(terminal, units: manifest.sizeUnits)
    let drawing = Task { await display.run() }
    let end: Swift.Result<Result, JobError>
    do throws(JobError) { end = .success(try await body { display.emit($0) }) } catch { end = .failure(error) }
    drawing.cancel()
    await drawing.value
    return try await stopping { () async throws(JobError) in try end.get() }
  }

  /// - Parameter place: the stream for a report for people when the run went well.
  func show(_ report: RunReport, asJSON: Bool, on place: Terminal = .standardOutput) {
    if Log.format == .json { log(report) }
    if asJSON {
      Terminal.standardOutput.write(report.json())
    } else if Log.format == .json, isQuiet || place.isLog {
      // The log has told everything.
    } else if !isQuiet {
      var style = style(on: place)
      // On a terminal, -v has shown each file as it came and went.
      style.hasToldFiles = output.verbose > 0 && place.isInteractive && Terminal.standardError.isInteractive
      place.show(ReportText(report, style: style).text, LogLevel(report.status))
    } else if report.status != .ok {
      Terminal.standardError.show(ReportText(report, style: style(on: .standardError)).text, LogLevel(report.status))
    } else {
      // A quiet run that went well has no other word about a hook that failed.
      emit(report.warnings.filter(\.isOfHook))
    }
  }

  /// Logs what the log does not have yet.
  private func log(_ report: RunReport) {
    let style = style(on: .standardError)
    for item in report.skipped where item.reason.isFailure {
      var line = LogLine(item, style)
      line.run = (report.runID, report.name)
      Log.say(line)
    }
    if !isQuiet || report.status != .ok { Log.say(LogLine(report, style)) }
  }

  /// Shows the report of a run, and ends with its status.
  func end(_ report: RunReport, _ resolved: ProgressOptions.Resolved, asJSON: Bool) throws {
    show(report, asJSON: asJSON, on: resolved.events.takesStdout ? .standardError : .standardOutput)
    if report.status != .ok { throw CommandExit.silent(report.status) }
  }
}

/// The commands that show a plan.
extension Session {
  func showPlan(asJSON: Bool, detailedExitCode: Bool) async throws {
    let plan = try await showingProgress { listener throws(JobError) in
      try await RunPreview(context, listener).plan(listsAll: asJSON)
    }
    emit(plan, asJSON: asJSON)
    try end(plan, detailedExitCode: detailedExitCode)
  }

  /// Shows the plan that `apply` would carry out.
  func showPlanOfSavedPlan(asJSON: Bool) async throws {
    let plan = try await showingProgress { listener throws(JobError) in
      try await RunPreview(context, listener).planOfSavedPlan()
    }
    emit(plan, asJSON: asJSON)
    try end(plan, detailedExitCode: false)
  }

  /// - Parameter inputs: the inputs of the plan.
  func savePlan(to path: String, _ inputs: PlanInputs, asJSON: Bool, detailedExitCode: Bool) async throws {
    let file = path == "-" ? nil : try outputFile(path, of: .plan)
    let (plan, record) = try await showingProgress { listener throws(JobError) in
      try await RunPreview(context, listener).plan(recording: inputs)
    }
    let bytes = plan.json(with: record, invocation)
    if let file {
      do throws(FileError) { try file.write(bytes) } catch {
        throw CommandExit(error.words, JobError.file(error).status)
      }
      emit(plan, asJSON: asJSON)
      if !isQuiet, !asJSON { Terminal.standardOutput.write(PlanWords.saved(path, plan) + "\n") }
    } else {
      Terminal.standardOutput.write(bytes)
    }
    try end(plan, detailedExitCode: detailedExitCode)
  }

  private func emit(_ plan: Plan, asJSON: Bool) {
    var plan = plan
    plan.warnings += plan.refusedAddresses(manifest)
    if asJSON {
      Terminal.standardOutput.write(plan.json(with: nil, invocation))
    } else if !(isQuiet && !plan.hasPendingChanges) {
      Terminal.standardOutput.write(PlanText(plan, style: style).text)
    }
  }

  private func end(_ plan: Plan, detailedExitCode: Bool) throws {
    var statuses = plan.sources.map(\.status) + plan.warnings.map(\.statusOfPlan)
    // A run ends with the failure that weighs most; by itself an old one does not make a plan a failure.
    if statuses.contains(where: { $0 != .ok }), plan.skipped.contains(where: \.reason.isFailure) {
      statuses.append(.partial)
    }
    if plan.safetyStop != nil { statuses.append(.safety) }
    if detailedExitCode, plan.hasPendingChanges { statuses.append(.changesPending) }
    let status = ExitStatus.decisive(of: statuses)
    if status != .ok { throw CommandExit.silent(status) }
  }
}

/// All followers of a run: a person at a terminal, a program at the other end of a pipe.
struct RunObservers: Sendable {
  private let narrator: ConsoleLog
  private let display: ProgressDisplay?
  private let log: EventLog?

  init(
    _ resolved: ProgressOptions.Resolved, _ output: OutputOptions, isQuiet: Bool, style: TextStyle, context: JobContext
  ) {
    let display = resolved.isLive ? ProgressDisplay(.standardError, units: style.units) : nil
    let say: @Sendable (LogLine) -> Void = { line in
      if let display { display.say(Log.label(line) + line.message) } else { Log.say(line) }
    }
    self.display = display
    narrator = ConsoleLog(
      isQuiet: isQuiet, verbosity: output.verbose, isLive: display != nil, style: style, say: say)
    log = resolved.events.log(now: { context.now }, warn: { say(LogLine(.warning, $0)) })
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
