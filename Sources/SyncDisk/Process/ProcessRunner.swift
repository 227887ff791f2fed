// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The port through which other programs run. No shell is involved.
package protocol ProcessRunner: Sendable {
  /// Runs a program to its end. Ends it if the task is cancelled.
  /// - Throws: The reason why the program did not run to its own end. It no longer runs then.
  func run(_ call: ProcessCall) async throws(ProcessFailure) -> ProcessEnd

  /// Runs a program to its end and hands its standard output on while it runs, in any number of any size. The time of
  /// the call is then that of the longest silence on both of its streams.
  /// - Throws: The reason why the program did not run to its own end, `cancelled` if `sink` wanted no more.
  func run(_ call: ProcessCall, into sink: any ProcessSink) async throws(ProcessFailure) -> ProcessEnd
}

/// Takes the output of a program while it runs.
package protocol ProcessSink: Sendable {
  /// Called on a thread of its own, where it may wait. The program waits meanwhile.
  /// - Parameter isCancelled: Returns true once nobody waits for the program any more.
  /// - Returns: False to end the program.
  func take(_ bytes: [UInt8], isCancelled: () -> Bool) -> Bool
}

/// A program to run, with everything that it gets and the limits that it must keep.
package struct ProcessCall: Equatable, Sendable {
  /// The program and its arguments, never empty. The program is looked for in `PATH` unless its name has a slash.
  package var words: [String]
  /// The variables that it gets in addition to those of this process. They replace those of the same name.
  package var variables: [String: String] = [:]
  /// The bytes that it can read from standard input.
  package var input: [UInt8] = []
  /// The longest time to its end, and to the end of its output.
  package var time: Duration
  /// The largest size of its standard output.
  package var output: ByteCount
  /// The largest size of the end of its standard error that is kept. Nil if that is the standard error of this process.
  package var errors: ByteCount?
  /// True if its standard output goes where its standard error goes. It then has no output of its own.
  package var joinsOutput = false
  /// The time between the signal that asks it to end (SIGTERM), at a limit, and the one that ends it (SIGKILL). After
  /// the task was cancelled it is half a second at most. Zero to end it at once.
  package var grace: Duration = .zero
  /// True to end everything that it leaves behind in its process group, and to take the end of the program as the end of
  /// its output.
  package var endsGroup = false
  /// The folder in which it begins. Nil for that of this process.
  package var folder: String?
  /// The size of the largest file that it may write. Nil for no limit.
  package var largestFile: ByteCount?
  /// True if it may ask the user on the terminal. In the foreground of a terminal it then shares the process group of
  /// this process, because the terminal stops any other reader, and only the program itself is ended at a limit.
  package var mayPrompt = false

  package init(_ words: [String], time: Duration, output: ByteCount) {
    self.words = words
    self.time = time
    self.output = output
  }
}

/// The end of a program that ended by itself.
package struct ProcessEnd: Equatable, Sendable {
  package enum Status: Equatable, Sendable {
    /// Its exit status, or -1 if the system does not tell.
    case exited(Int32)
    /// The number of the signal that ended it.
    case signalled(Int32)
  }

  package var status: Status
  package var output: [UInt8]
  /// The end of its standard error. Empty if it was not asked for.
  package var errors: [UInt8]
  package init(_ status: Status, output: [UInt8] = [], errors: [UInt8] = []) {
    self.status = status
    self.output = output
    self.errors = errors
  }
}

/// The reason why a program did not run to its own end.
package enum ProcessFailure: Error, Equatable, Sendable {
  case notStarted(ErrnoCode)
  case tookTooLong
  case wroteTooMuch
  /// The task that waited for it was cancelled.
  case cancelled
}
