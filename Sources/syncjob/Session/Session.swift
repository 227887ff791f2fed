// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

/// One call of a command on one manifest: its resolved options, and the destination of its output.
struct Session {
  let environment: ProcessEnvironment
  let output: OutputOptions
  /// The call for commands that are suggested.
  let invocation: Invocation
  let manifest: Manifest
  let options: JobOptions

  private init(_ manifest: Manifest, _ options: JobOptions, of text: ManifestText, _ output: OutputOptions) {
    self.manifest = manifest
    self.output = output
    environment = text.environment
    invocation = Invocation(manifest: text.named)
    var options = options
    options.manifestPath = text.file.path
    options.onLockWait = Self.waiting(isQuiet: output.quiet)
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
    options.inputs = inputs
    self.init(manifest, options, of: text, output)
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
    self.init(manifest, options, of: text, output)
  }

  /// A session for commands that look at the queue or edit it.
  /// - Parameters:
  ///   - clock: the option for the present time.
  ///   - reportsWarnings: true if warnings about a valid manifest are reported.
  init(
    _ text: ManifestText, lock: LockOptions?, clock: ClockOptions, output: OutputOptions, reportsWarnings: Bool = true
  ) throws {
    let manifest = try LoadedManifest.load(text, reportsWarnings: reportsWarnings && !output.quiet).manifest
    var options = JobOptions(
      plan: PlanOptions(maxDelete: manifest.storage.maxDelete), lockWait: try lock?.resolved() ?? .zero)
    options.now = try clock.resolved()
    self.init(manifest, options, of: text, output)
  }

  var isQuiet: Bool { output.quiet }

  private static func waiting(isQuiet: Bool) -> @Sendable (LockWait) -> Void {
    { wait in if !isQuiet { Terminal.standardError.write(wait.words + "\n") } }
  }

  /// The files that no option overwrites.
  var protected: ProtectedFiles { ProtectedFiles(manifest, at: options.manifestPath) }

  /// The file that an option asks for.
  func outputFile(_ path: String, of output: FileError.Output) throws -> OutputFile {
    let file = OutputFile(path, of: output, besides: protected)
    do throws(FileError) { try file.check() } catch { throw CommandExit(error.words, .usage) }
    return file
  }

  var context: JobContext { JobContext(manifest: manifest, options: options, userAgent: "syncjob/\(Version.number)") }

  /// Locks the library for edits, and reports repairs and damage: there will be no report.
  func beginEdit(_ purpose: QueueEditor.Purpose = .change) async throws -> QueueEditor {
    let editor = try await stopping { () async throws(JobError) in try await QueueEditor.begin(context, purpose) }
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
    for warning in warnings { warn(warning.words) }
  }

  func warn(_ words: String) { Terminal.standardError.say("warning: \(words)") }

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
