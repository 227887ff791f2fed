// SPDX-License-Identifier: Apache-2.0

/// Why the program cannot begin, whatever it is asked to do: the system gives the process too little.
package enum ProcessProblem: Error, Hashable, Sendable {
  /// Not even the program's name was handed over: what the caller wants is unknown.
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
