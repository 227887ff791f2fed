// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Plan, apply and report: the job itself.")

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var options: RunOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let environment = ProcessEnvironment.current
    let asJSON = result.json
    let text = try ManifestText.read(manifest.path(), environment: environment)
    if rehearsal.dryRun {
      let session = try session(text, remembering: nil)
      return try await session.showPlan(asJSON: asJSON, detailedExitCode: false)
    }
    let inputs = text.inputs
    let short = shortSession(text, inputs)
    let whole = short == nil ? try session(text, remembering: inputs) : nil
    guard let first = short ?? whole else { return }
    let resolved = try progress.resolved(
      environment, isQuiet: output.quiet, asJSON: asJSON, besides: first.protected)
    if let report = try await short?.performIfUpToDate(resolved) {
      return try first.end(report, resolved, asJSON: asJSON)
    }
    let session = try whole ?? session(text, remembering: inputs)
    // Checked again with the files that playlists name.
    try progress.events.check(environment, besides: session.protected)
    try session.end(await session.perform(resolved), resolved, asJSON: asJSON)
  }

  private func session(_ text: ManifestText, remembering inputs: SHA256Digest?) throws -> Session {
    try Session(text, inputs: inputs, options: options, lock: lock, output: output)
  }

  /// A session that knows only the settings, for a run that has nothing to do; nil when this cannot be such a run.
  private func shortSession(_ text: ManifestText, _ inputs: SHA256Digest) -> Session? {
    guard let settings = text.settings else { return nil }
    // The full run reports any problem: here the missing playlists may be its cause.
    do {
      let session = try Session(settings, of: text, inputs: inputs, options: options, lock: lock, output: output)
      try progress.events.check(text.environment, besides: session.protected)
      return session
    } catch { return nil }
  }
}
