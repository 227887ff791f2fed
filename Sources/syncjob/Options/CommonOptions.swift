// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats

/// The time that a command assumes.
struct ClockOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Use this as the current time (RFC 3339). The command dates what it writes with it, and later commands take an "
        + "earlier clock to be wrong.", valueName: "time"))
  var now: Word?

  /// Nil for the time of the system's clock.
  func resolved() throws -> Timestamp? { try now?.value(of: "--now", .time) }
}

/// The option of commands that change something.
struct DryRunOption: ParsableArguments {
  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Say what would be done, and change nothing.")
  var dryRun = false
}

/// A word of the command line. It is checked only when its option is known: the error names the option, or the variable
/// that replaced it.
struct Word: ExpressibleByArgument {
  var text: String

  init(argument: String) { text = argument }

  /// - Parameter option: for example `--count`.
  func value<Value>(of option: String, _ spelling: ArgumentSpelling<Value>) throws -> Value {
    do throws(ArgumentProblem) { return try spelling.read(text, of: Call.name(of: option)) } catch {
      throw CommandExit(error.words, .usage)
    }
  }
}

/// The options of commands whose result programs may read too.
struct ResultOptions: ParsableArguments {
  @Flag(name: .long, help: "Print the result as JSON on stdout.")
  var json = false
}

/// The options for a command's output.
struct OutputOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Print nothing on success.")
  var quiet = false

  @Flag(
    name: [.short, .long],
    help:
      "List everything instead of the first ten of each kind. In a run, also report each transfer and source; twice, each request."
  )
  var verbose: Int

  @Flag(name: .customLong("no-color"), help: "No colour, even on a terminal. $NO_COLOR does the same.")
  var noColor = false

  /// `Log` has its value already.
  @Option(
    name: .customLong("log-format"),
    help: ArgumentHelp(
      "The messages on stderr: text (the default), or json, one object per line.", valueName: "form"),
    completion: .list(["text", "json"]))
  var logFormat: Word?

  /// - Parameter stream: the stream that the text is written to.
  func style(
    _ stream: Terminal, environment: ProcessEnvironment, invocation: Invocation = Invocation()
  ) -> TextStyle {
    let isUnwanted = noColor || !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return TextStyle(
      hasColor: stream.isInteractive && !isUnwanted && !(stream.isLog && Log.format == .json),
      columns: stream.isInteractive ? stream.size.columns : nil,
      invocation: invocation, limit: verbose > 0 ? nil : TextStyle.usualLimit)
  }
}

/// Limits a command to some playlists.
struct PlaylistOption: ParsableArguments {
  @Option(
    name: .customLong("playlist"),
    help: ArgumentHelp("Only playlists whose name matches; may be repeated.", valueName: "glob"),
    completion: .playlists)
  var globs: [String] = []

  /// Nil without the option, for all playlists. A pattern that matches none is an error.
  func scope(_ manifest: Manifest) throws -> Set<PlaylistName>? {
    globs.isEmpty ? nil : try manifest.playlists(matching: globs)
  }
}

extension Manifest {
  /// The playlists whose names match one of the patterns, and those that the sources of these list. Each pattern must
  /// match at least one playlist.
  func playlists(matching patterns: [String]) throws -> Set<PlaylistName> {
    var scope: Set<PlaylistName> = []
    for pattern in patterns {
      let names = playlists.map(\.name).filter { Glob(pattern).matches($0.text) }
      guard !names.isEmpty else {
        let variable = Call.isFromVariable("--playlist") ? Call.name(of: "--playlist") : nil
        throw CommandExit(PlaylistWords.noneFits(pattern, of: variable, playlists.map(\.name)), .usage)
      }
      scope.formUnion(names)
    }
    return scope.union(playlists.map(\.name).filter(scope.includes))
  }
}
