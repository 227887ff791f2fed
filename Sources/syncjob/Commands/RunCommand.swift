// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Plan, apply and report: the job itself (default).")

  /// Made when the program begins, so that no signal comes before it.
  static let stops = SignalWatch().stops

  @OptionGroup var manifest: ManifestArgument
  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Print the plan and change nothing.")
  var dryRun = false
  @OptionGroup var options: RunOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(manifest.manifest, options: options, lock: lock, output: output)
    let asJSON = try result.isJSON(session.environment)
    if dryRun { return try await session.showPlan(asJSON: asJSON, detailedExitCode: false) }
    let settled = try progress.settled(session.environment, isQuiet: session.isQuiet, asJSON: asJSON)
    let report = try await session.perform(settled)
    session.show(report, asJSON: asJSON, on: settled.events.takesStdout ? .standardError : .standardOutput)
    if report.status != .ok { throw Stop.silent(report.status) }
  }
}

struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show what a run would do and why; change nothing.")

  @OptionGroup var manifest: ManifestArgument
  @Flag(name: .customLong("detailed-exitcode"), help: "Exit 2 when a run would change something, 0 when not.")
  var detailedExitCode = false
  @OptionGroup var options: RunOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(manifest.manifest, options: options, lock: nil, output: output)
    try await session.showPlan(asJSON: result.isJSON(session.environment), detailedExitCode: detailedExitCode)
  }
}
