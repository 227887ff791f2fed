// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore

/// The end of a command before its time: one message for stderr, one exit status.
struct Stop: Error {
  var message: String
  var status: ExitStatus

  init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// An end that has said all it has to say.
  static func silent(_ status: ExitStatus) -> Stop { Stop("", status) }

  /// Says why, and ends the process; what was written before is out already.
  func endProcess() -> Never {
    if !message.isEmpty { Terminal.standardError.say("syncjob: error: \(message)") }
    exit(status.rawValue)
  }
}
