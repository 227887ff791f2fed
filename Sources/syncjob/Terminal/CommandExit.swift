// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats

/// The early end of a command: one message for stderr, one exit status.
struct CommandExit: Error {
  var message: String
  var status: ExitStatus

  init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// An end without a message, because everything has been said.
  static func silent(_ status: ExitStatus) -> CommandExit { CommandExit("", status) }

  /// Prints the message and ends the process; earlier output has been written already.
  func endProcess() -> Never {
    if !message.isEmpty { Log.say(LogLine(message, status)) }
    exit(status.rawValue)
  }
}
