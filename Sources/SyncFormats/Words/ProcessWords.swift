// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ProcessProblem {
  /// The missing resource and the remedy, without a full stop.
  package var words: String {
    switch self {
    case .noArguments:
      "the command line is empty, without even the program's name; nothing was done. Start syncjob from a shell or with execve(2)"
    case .tooFewDescriptors(let limit, let needed):
      "the process may open only \(limit.counted("file")) at a time and needs \(needed); raise the limit (ulimit -n \(needed))"
    case .noThreads(let code):
      "the system refuses the threads that syncjob needs: \(code.threadWords); raise the limit of processes (ulimit -u,"
        + " pids.max) or of memory (ulimit -v), or allow clone3 in the sandbox"
    }
  }
}

extension ErrnoCode {
  /// The meaning of the code when a thread could not be started.
  package var threadWords: String { self == .eagain ? "too many processes, or too little memory" : words }
}

/// Sentences about the end of the process.
package enum ProcessWords {
  /// The message of a run that had not ended in time after a signal.
  package static let cutOff =
    "the run did not end in time after the signal and is cut off; its state is safe, and the next run goes on from it"
}
