// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show what a run would do and why; change nothing.",
    discussion: """
      With -o, also saves the plan. `syncjob apply` then carries out this plan and no other: it refuses if the \
      manifest, the queue file or the library has changed since. Exit status: 0; 3 or 5 if a source could not be \
      read, and 5 if yt-dlp cannot search for an item, as for a run; 12 for a plan that a run would refuse.
      """)

  @OptionGroup var manifest: ManifestArgument
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Save the plan in this file, for `apply`; - is stdout.", valueName: "file"), completion: .file())
  var file: String?
  @Flag(name: .customLong("detailed-exitcode"), help: "Exit with 2 if a run would change something, 0 if not.")
  var detailedExitCode = false
  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Accepted, but not needed: a plan changes nothing.")
  var dryRun = false
  @OptionGroup var options: RunOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let environment = ProcessEnvironment.current
    let text = try ManifestText.read(manifest.path(), environment: environment)
    let session = try Session(text, options: options, lock: nil, output: output)
    let asJSON = result.json
    guard let file else { return try await session.showPlan(asJSON: asJSON, detailedExitCode: detailedExitCode) }
    guard !text.file.isFile(at: file) else {
      throw CommandExit(PlanWords.overManifest(file, flag: Call.name(of: "--output")), .usage)
    }
    try await session.savePlan(
      to: file, text.planInputs, asJSON: asJSON, detailedExitCode: detailedExitCode)
  }
}

struct ApplyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Carry out a plan that `plan -o` saved, and nothing else.",
    discussion: """
      Makes the plan again first, from the present state. If the result differs, or if the manifest, the queue file \
      or the library has changed since, does nothing (exit 12). New episodes wait for the next run. Uses the \
      manifest and the flags that the plan was made with.
      """)

  @Argument(help: ArgumentHelp("The saved plan; - is stdin.", valueName: "file"), completion: .file())
  var file: String
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var transfers: TransferOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let environment = ProcessEnvironment.current
    let asJSON = result.json
    let order = try order()
    let inputs = order.plan.record.basis.inputs
    let text = try ManifestText.read(inputs.manifest, of: file, environment: environment)
    if let named = manifest.manifest, !text.file.isFile(at: named) {
      throw CommandExit(PlanWords.ofAnotherManifest(plan: file, text.path, named: named), .usage)
    }
    if let staleness = inputs.staleness(text.planInputs) {
      let error = JobError.stalePlan(path: order.path, staleness)
      throw CommandExit(error.words(Invocation(manifest: text.path)), error.status)
    }
    let session = try Session(
      text, savedPlan: order, transfers: transfers, lock: lock, output: output)
    guard !rehearsal.dryRun else { return try await session.showPlanOfSavedPlan(asJSON: asJSON) }
    let resolved = try progress.resolved(
      environment, isQuiet: output.quiet, asJSON: asJSON, besides: session.protected)
    try session.end(await session.perform(resolved), resolved, asJSON: asJSON)
  }

  private func order() throws -> SavedPlanRequest {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try InputFile(file).read() } catch { throw CommandExit(error.words, .fatal) }
    do throws(QueueFileProblem) { return SavedPlanRequest(try SavedPlan.decode(bytes), path: file) } catch {
      let error = JobError.badPlan(path: file, error)
      throw CommandExit(error.words(), error.status)
    }
  }
}
