// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

/// One call of a command on one manifest: its settled options, and the destination of its output.
struct Session {
  let environment: ProcessEnvironment
  let output: OutputOptions
  let isQuiet: Bool
  /// The call for commands that are suggested.
  let invocation: Invocation
  let manifest: Manifest
  let options: JobOptions

  /// A session for commands that plan.
  init(_ path: String?, options: RunOptions, lock: LockOptions?, output: OutputOptions) throws {
    let environment = ProcessEnvironment.current
    try self.init(
      try ManifestText.read(path, environment: environment), inputs: nil, path, options: options, lock: lock,
      output: output, environment: environment)
  }

  /// A session for commands that plan, with a manifest that is read already.
  /// - Parameter inputs: a digest for a run that may record that there was nothing to do.
  init(
    _ text: ManifestText, inputs: SHA256Digest?, _ path: String?, options: RunOptions, lock: LockOptions?,
    output: OutputOptions,
    environment: ProcessEnvironment
  ) throws {
    let isQuiet = output.quiet
    let loaded = try LoadedManifest.load(text, environment: environment, reportsWarnings: !isQuiet)
    try self.init(
      loaded.manifest, of: text, inputs: loaded.isUndamaged ? inputs : nil, path, options: options, lock: lock,
      output: output, environment: environment)
  }

  /// - Parameter inputs: a digest, if the run may record that there was nothing to do.
  init(
    _ manifest: Manifest, of text: ManifestText, inputs: SHA256Digest?, _ path: String?, options: RunOptions,
    lock: LockOptions?, output: OutputOptions, environment: ProcessEnvironment
  ) throws {
    isQuiet = output.quiet
    invocation = Invocation(manifest: path)
    var manifest = manifest
    let lockWait = try lock?.settled() ?? .zero
    var options = try options.settled(&manifest, lockWait: lockWait)
    options.inputs = inputs
    options.manifestPath = text.file.path
    options.onLockWait = Self.waiting(isQuiet: isQuiet)
    self.options = options
    self.manifest = manifest
    self.environment = environment
    self.output = output
  }

  /// A session for a plan that was saved: everything that shapes a plan is as it was then.
  init(
    _ text: ManifestText, order: SavedPlanRequest, transfers: TransferOptions, lock: LockOptions, output: OutputOptions,
    environment: ProcessEnvironment
  ) throws {
    isQuiet = output.quiet
    invocation = Invocation(manifest: text.path)
    var manifest = try LoadedManifest.load(text, environment: environment, reportsWarnings: !isQuiet).manifest
    var options = try transfers.settled(
      &manifest, lockWait: try lock.settled())
    let basis = order.plan.record.basis
    (options.plan, options.scope, options.savedPlan) = (basis.options, basis.scope, order)
    options.manifestPath = text.file.path
    options.onLockWait = Self.waiting(isQuiet: isQuiet)
    self.options = options
    self.manifest = manifest
    self.environment = environment
    self.output = output
  }

  /// A session for commands that look at the queue or edit it.
  /// - Parameters:
  ///   - text: the manifest, if it need not be read from `path`.
  ///   - reportsWarnings: true if warnings about a valid manifest are reported.
  ///   - clock: the option for the present time.
  init(
    _ path: String?, text: ManifestText? = nil, lock: LockOptions?, clock: ClockOptions, output: OutputOptions,
    reportsWarnings: Bool = true
  ) throws {
    let environment = ProcessEnvironment.current
    isQuiet = output.quiet
    invocation = Invocation(manifest: path)
    let text = try text ?? ManifestText.read(path, environment: environment)
    manifest = try LoadedManifest.load(text, environment: environment, reportsWarnings: reportsWarnings && !isQuiet)
      .manifest
    var options = JobOptions(
      plan: PlanOptions(maxDelete: manifest.storage.maxDelete), lockWait: try lock?.settled() ?? .zero)
    options.now = try clock.settled()
    options.manifestPath = text.file.path
    options.onLockWait = Self.waiting(isQuiet: isQuiet)
    self.options = options
    self.environment = environment
    self.output = output
  }

  private static func waiting(isQuiet: Bool) -> @Sendable (LockWait) -> Void {
    { wait in if !isQuiet { Terminal.standardError.write(wait.words + "\n") } }
  }

  /// The files that no option overwrites.
  var protected: ProtectedFiles { ProtectedFiles(manifest, at: options.manifestPath) }

  /// The file that an option asks for.
  func outputFile(_ path: String, of output: FileError.Output) throws -> OutputFile {
    let file = OutputFile(path, of: output, besides: protected)
    do throws(FileError) { try file.check() } catch { throw Stop(error.words, .usage) }
    return file
  }

  var job: Job { Job(manifest: manifest, options: options, userAgent: "syncjob/\(Version.number)") }

  func showPlan(asJSON: Bool, detailedExitCode: Bool) async throws {
    let plan = try await stopping { () async throws(JobError) in try await job.plan() }
    emit(plan, asJSON: asJSON)
    try end(plan, detailedExitCode: detailedExitCode)
  }

  /// Shows the plan that `apply` would carry out.
  func showOrder(asJSON: Bool) async throws {
    let plan = try await stopping { () async throws(JobError) in try await job.planOrder() }
    emit(plan, asJSON: asJSON)
    try end(plan, detailedExitCode: false)
  }

  /// - Parameter inputs: the inputs of the plan.
  func savePlan(to path: String, _ inputs: PlanInputs, asJSON: Bool, detailedExitCode: Bool) async throws {
    let file = path == "-" ? nil : try outputFile(path, of: .plan)
    let (plan, record) = try await stopping { () async throws(JobError) in try await job.plan(recording: inputs) }
    let bytes = plan.json(with: record, invocation)
    if let file {
      do throws(FileError) { try file.write(bytes) } catch {
        throw Stop(error.words, JobError.file(error).status)
      }
      emit(plan, asJSON: asJSON)
      if !isQuiet, !asJSON { Terminal.standardOutput.write(PlanWords.saved(path, plan) + "\n") }
    } else {
      Terminal.standardOutput.write(bytes)
    }
    try end(plan, detailedExitCode: detailedExitCode)
  }

  private func emit(_ plan: Plan, asJSON: Bool) {
    if asJSON {
      Terminal.standardOutput.write(plan.json(with: nil, invocation))
    } else if !(isQuiet && !plan.hasPendingChanges) {
      Terminal.standardOutput.write(PlanText(plan, style: style).text)
    }
  }

  private func end(_ plan: Plan, detailedExitCode: Bool) throws {
    var statuses = plan.sources.map(\.status)
    // A run ends with the failure that weighs most; by itself an old one does not make a plan a failure.
    if statuses.contains(where: { $0 != .ok }), plan.standing.contains(where: \.standing.isFailure) {
      statuses.append(.partial)
    }
    if plan.safetyStop != nil { statuses.append(.safety) }
    if detailedExitCode, plan.hasPendingChanges { statuses.append(.changesPending) }
    let status = ExitStatus.decisive(of: statuses)
    if status != .ok { throw Stop.silent(status) }
  }

  /// Locks the library for edits, and reports repairs and damage: there will be no report.
  func beginEdit(_ purpose: Job.EditPurpose = .change) async throws -> QueueEditor {
    let editor = try await stopping { () async throws(JobError) in try await job.beginEdit(purpose) }
    emit(editor.warnings)
    return editor
  }

  /// The queue for rehearsed edits.
  func beginRehearsal() async throws -> QueueRehearsal {
    let view = try await stopping { () async throws(JobError) in try job.rehearseEdit() }
    emit(view.warnings)
    return view
  }

  func emit(_ warnings: [Warning]) {
    for warning in warnings { warn(warning.words) }
  }

  func warn(_ words: String) { Terminal.standardError.say("warning: \(words)") }

  /// Performs the run, followed by its audience.
  func perform(_ progress: ProgressOptions.Settled) async throws -> RunReport {
    let job = job
    let stops = RunCommand.stops
    return try await follow(progress) { listener throws(JobError) in try await job.run(stopping: stops, listener) }
  }

  /// Performs the run of a manifest without its playlists, if there is nothing to do for them; nil when there may be.
  func performIfUpToDate(_ progress: ProgressOptions.Settled) async throws -> RunReport? {
    guard let inputs = options.inputs,
      let run = try await stopping({ () async throws(JobError) in try await job.runIfUpToDate(inputs) })
    else { return nil }
    return try await follow(progress) { listener throws(JobError) in
      for event in run.events { listener(event) }
      return run.report
    }
  }

  private func follow(
    _ progress: ProgressOptions.Settled,
    _ run: (@escaping @Sendable (RunEvent) -> Void) async throws(JobError) -> RunReport
  ) async throws -> RunReport {
    let style = style(on: .standardError)
    let audience = RunObservers(progress, output, isQuiet: isQuiet, style: style, job: job)
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
  func end(_ report: RunReport, _ settled: ProgressOptions.Settled, asJSON: Bool) throws {
    show(report, asJSON: asJSON, on: settled.events.takesStdout ? .standardError : .standardOutput)
    if report.status != .ok { throw Stop.silent(report.status) }
  }

  var style: TextStyle { style(on: .standardOutput) }

  /// The style of texts about this manifest.
  private func style(on place: Terminal) -> TextStyle {
    var style = output.style(place, environment: environment, invocation: invocation)
    style.units = manifest.sizeUnits
    return style
  }

  /// Turns the early end of a job into the end of the command.
  func stopping<Result>(_ body: () async throws(JobError) -> Result) async throws -> Result {
    do { return try await body() } catch { throw Stop(error.words(invocation), error.status) }
  }
}
