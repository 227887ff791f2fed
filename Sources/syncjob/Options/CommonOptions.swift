// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats

/// The time that a command assumes.
struct ClockOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Take this for the current time (RFC 3339). What a command writes is dated by it, and later commands take an "
        + "earlier clock for wrong.", valueName: "time"))
  var now: Word?

  /// Nil for the time of the system's clock.
  func resolved() throws -> Timestamp? { try now?.value(of: "--now", .time) }
}

/// The option of commands that change something.
struct DryRunOption: ParsableArguments {
  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Say what would be done, and change nothing.")
  var dryRun = false
}
