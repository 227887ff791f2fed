// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats

/// The options for following a run.
struct ProgressOptions: ParsableArguments {
  /// The condition for live progress.
  enum Mode: String, CaseIterable {
    case auto, always, never
  }

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Live progress on stderr; auto: on a terminal. Default: auto.", valueName: "when"))
  var progress: Word?

  @OptionGroup var events: EventOptions

  /// The resolved options of an audience.
  struct Resolved {
    var isLive: Bool
    var events: EventOptions.Resolved
  }

  /// - Parameter protected: the files that events are not added to.
  func resolved(
    _ environment: ProcessEnvironment, isQuiet: Bool, asJSON: Bool, besides protected: ProtectedFiles
  ) throws -> Resolved {
    let events = try events.resolved(environment, asJSON: asJSON, besides: protected)
    let mode = try progress?.value(of: "--progress", ArgumentSpelling<Mode>.choice) ?? .auto
    let isTerminal = Terminal.standardError.isInteractive && environment["TERM"] != "dumb"
    // Both would be on the same screen.
    let wouldMix = events.takesStdout && Terminal.standardOutput.isInteractive
    let isWanted = mode == .always || mode == .auto && isTerminal && !wouldMix
    return Resolved(isLive: isWanted && !isQuiet, events: events)
  }
}
