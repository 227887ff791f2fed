// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats

/// How a run is followed while it goes on.
struct ProgressOptions: ParsableArguments {
  /// When live progress is drawn.
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
  }

  @Option(
    name: .long, help: ArgumentHelp("Live progress on stderr; auto: on a terminal. Default: auto.", valueName: "when"))
  var progress: Mode?

  @Option(
    name: .long,
    help: ArgumentHelp("Add what happens to this file, a JSON object a line; - is stdout.", valueName: "file"))
  var events: String?

  /// What an audience is made of.
  struct Settled {
    var isLive: Bool
    var sink: EventSink?
    /// The sink could not be opened, which is no reason not to run.
    var sinkProblem: String?
    /// Standard output is the sink's.
    var tellsOnStdout: Bool
  }

  func settled(_ environment: ProcessEnvironment, isQuiet: Bool, asJSON: Bool) throws -> Settled {
    let path = try environment.value(events, "events")
    let tellsOnStdout = path == "-"
    guard !(tellsOnStdout && asJSON) else {
      throw Stop("--events - and --json both want stdout; write one of them to a file", .usage)
    }
    let mode = try environment.value(progress, "progress") ?? .auto
    let isTerminal = Terminal.standardError.isInteractive && environment["TERM"] != "dumb"
    // Both would be on the same screen.
    let wouldMix = tellsOnStdout && Terminal.standardOutput.isInteractive
    let isWanted = mode == .always || mode == .auto && isTerminal && !wouldMix
    var settled = Settled(isLive: isWanted && !isQuiet, tellsOnStdout: tellsOnStdout)
    guard let path else { return settled }
    if tellsOnStdout {
      settled.sink = .standardOutput
    } else {
      do throws(EventSink.Problem) { settled.sink = try EventSink(path: path) } catch {
        guard error.isPassing else { throw Stop(EventLogWords.cannotOpen(path, error.code ?? .eio), .usage) }
        settled.sinkProblem = EventLogWords.gaveUp(path, error.code)
      }
    }
    return settled
  }
}
