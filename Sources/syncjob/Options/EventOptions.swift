// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats

/// The destination of events for a program that follows the command.
struct EventOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Append events to this file, one JSON object per line. - is stdout.", valueName: "file"))
  var events: String?

  struct Resolved {
    var sink: EventSink?
    /// The reason why there is no log. A temporary problem with it must not stop the command.
    var problem: String?
    var takesStdout = false

    /// Nil when no events are wanted.
    func log(
      finishedFiles: Int? = nil, now: @escaping @Sendable () -> Timestamp, warn: @escaping @Sendable (String) -> Void
    ) -> EventLog? {
      if let problem { warn(problem) }
      return sink.map { EventLog($0, finishedFiles: finishedFiles, now: now, warn: warn) }
    }
  }

  /// - Parameter protected: the files that events are not added to.
  func resolved(_ environment: ProcessEnvironment, asJSON: Bool, besides protected: ProtectedFiles) throws -> Resolved {
    guard let path = events else { return Resolved() }
    guard path != "-" else {
      guard !asJSON else {
        throw CommandExit(
          OptionWords.bothWantStdout(events: Call.name(of: "--events"), json: Call.name(of: "--json")), .usage)
      }
      return Resolved(sink: .standardOutput, takesStdout: true)
    }
    try check(environment, besides: protected)
    do throws(EventSink.Problem) { return Resolved(sink: try EventSink(path: path)) } catch {
      guard error.isTransient else { throw CommandExit(EventLogWords.cannotOpen(path, error.code ?? .eio), .usage) }
      return Resolved(problem: EventLogWords.gaveUp(path, error.code))
    }
  }

  func check(_ environment: ProcessEnvironment, besides protected: ProtectedFiles) throws {
    guard let path = events, path != "-" else { return }
    do throws(FileError) { try OutputFile(path, of: .events, besides: protected).check() } catch {
      throw CommandExit(error.words, .usage)
    }
  }
}

/// The options for following a run.
struct ProgressOptions: ParsableArguments {
  /// The condition for live progress.
  enum Mode: String, CaseIterable {
    case auto, always, never
  }

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Live progress on stderr: auto (the default, only on a terminal), always or never.", valueName: "when"))
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
