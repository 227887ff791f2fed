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
    let path = try manifest.path()
    let call = RunCall(
      manifest: path, isRehearsal: rehearsal.dryRun, options: options, progress: progress, lock: lock,
      asJSON: result.json, output: output, arguments: try Call.current.get().argumentsOfPlan(manifest: path))
    try await call.perform()
  }
}

extension Call {
  /// Flags that change only what a run shows.
  private static let flagsOfOutput: Set<String> = ["-q", "--quiet", "-v", "-vv", "--verbose", "--no-color", "--json"]

  /// The arguments of a run that may change its plan.
  fileprivate func argumentsOfPlan(manifest: String?) throws -> [String] {
    try CommandWords(arguments).rest.filter { $0 != manifest && !Self.flagsOfOutput.contains($0) }
  }
}

/// A run as it was called.
struct RunCall {
  /// The manifest's path as it was named. Nil for the default.
  let manifest: String?
  let isRehearsal: Bool
  let options: RunOptions
  let progress: ProgressOptions
  let lock: LockOptions
  let asJSON: Bool
  let output: OutputOptions
  /// The arguments that may have changed the plan. None for a run without options.
  let arguments: [String]

  func perform() async throws {
    let environment = ProcessEnvironment.current
    let text = try ManifestText.read(manifest, environment: environment)
    if isRehearsal {
      return try await session(text, remembering: nil).showPlan(asJSON: asJSON, detailedExitCode: false)
    }
    let inputs = text.inputs(with: arguments)
    let short = shortSession(text, inputs)
    let whole = short == nil ? try session(text, remembering: nil) : nil
    guard let first = short ?? whole else { return }
    let resolved = try progress.resolved(
      environment, isQuiet: output.quiet, asJSON: asJSON, besides: first.protected)
    if let report = try await short?.performIfUpToDate(resolved) {
      return try first.end(report, resolved, asJSON: asJSON)
    }
    let session = try whole ?? session(text, remembering: inputs, as: first.manifest)
    // Checked again with the files that playlists name.
    try progress.events.check(environment, besides: session.protected)
    try session.end(await session.perform(resolved), resolved, asJSON: asJSON)
  }

  /// - Parameters:
  ///   - inputs: the inputs for the next run that has nothing to do. Nil if there is no such run.
  ///   - settings: the settings that such a run would find. It is only possible if they are those of the whole manifest.
  private func session(
    _ text: ManifestText, remembering inputs: SHA256Digest?, as settings: Manifest? = nil
  ) throws -> Session {
    let session = try Session(text, inputs: inputs, options: options, lock: lock, output: output)
    guard let settings, session.options.inputs != nil, !session.manifest.hasSettings(of: settings) else {
      return session
    }
    return try Session(text, options: options, lock: lock, output: output)
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
