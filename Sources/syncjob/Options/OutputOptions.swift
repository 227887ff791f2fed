// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncFormats

/// The options of commands whose result programs may read too.
struct ResultOptions: ParsableArguments {
  @Flag(name: .long, help: "Print the result as JSON on stdout.")
  var json = false
}

/// The options for a command's output.
struct OutputOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Say nothing on success.")
  var quiet = false

  @Flag(
    name: [.short, .long],
    help: "List everything, not ten of a kind. Of a run: tell of each transfer and source; twice: of each request.")
  var verbose: Int

  @Flag(name: .customLong("no-color"), help: "No colour, even on a terminal. $NO_COLOR does the same.")
  var noColor = false

  /// - Parameter stream: the stream that the text is written to.
  func style(
    _ stream: Terminal, environment: ProcessEnvironment, invocation: Invocation = Invocation()
  ) -> TextStyle {
    let isUnwanted = noColor || !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return TextStyle(
      hasColor: stream.isInteractive && !isUnwanted, columns: stream.isInteractive ? stream.size.columns : nil,
      invocation: invocation, limit: verbose > 0 ? nil : TextStyle.usualLimit)
  }
}
