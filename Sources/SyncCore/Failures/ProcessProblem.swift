// SPDX-License-Identifier: Apache-2.0

/// The reason why the program cannot start, whatever the command: the system gives the process too little.
package enum ProcessProblem: Error, Hashable, Sendable {
  /// The argument list is empty, without even the program's name, so the command is unknown.
  case noArguments
  case tooFewDescriptors(limit: Int, needed: Int)
  /// pthread_create(3) failed.
  case noThreads(ErrnoCode)

  package var status: ExitStatus {
    switch self {
    case .noArguments: .usage
    case .tooFewDescriptors, .noThreads: .fatal
    }
  }
}
