// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats

/// What time a command takes it to be.
struct ClockOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Take this for the current time (RFC 3339). What a command writes is dated by it, and later commands take an "
        + "earlier clock for wrong.", valueName: "time"))
  var now: Word?

  /// Nil: what the clock says.
  func settled() throws -> Timestamp? { try now?.value(of: "--now", .time) }
}

/// For commands that change something.
struct DryRunOption: ParsableArguments {
  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Say what would be done, and change nothing.")
  var dryRun = false
}
