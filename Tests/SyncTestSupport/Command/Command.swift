// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program to run, with its complete input.
package struct Command: Sendable {
  package enum Input: Sendable {
    /// `/dev/null`.
    case none
    case bytes([UInt8])
    /// A pipe that stays open until `RunningCommand.closeInput`.
    case held
  }

  /// A path, which is not looked up in `PATH`.
  package var executable: String
  package var arguments: [String]
  /// The whole environment: nothing else is inherited.
  package var environment: [String: String]
  /// Nil for the caller's directory.
  package var directory: String?
  package var input: Input

  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = Command.plainEnvironment,
    directory: String? = nil, input: Input = .none
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
    self.input = input
  }

  /// The environment of a cron job, with the path of the compiler's runtime and the options of sanitizers.
  package static var plainEnvironment: [String: String] {
    // No test shall leave a cache in the home of the person who runs it.
    var result = ["LANG": "C.UTF-8", "XDG_CACHE_HOME": "/dev/null"]
    let ofSanitizers = ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] + ofSanitizers { result[name] = variable(name) }
    return result
  }

  /// A variable of this process.
  package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Starts the program and leaves it running; the caller waits for it or kills it.
  package func start() throws(SystemCallError) -> RunningCommand { try RunningCommand(self) }

  /// Runs the program to its end, or kills its process group after the time.
  package func run(timeout seconds: Double = 30) throws(SystemCallError) -> CommandResult {
    try start().wait(timeout: seconds)
  }
}
