// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk

/// A program that prints a secret. It gets no input, and may ask the user on the terminal.
package struct SecretCommand: Sendable {
  private let words: [String]
  private let timeout: Duration
  private let runner: any ProcessRunner

  private static let limit = ByteCount(64 << 10)
  /// Long enough to touch a security key, short enough not to hold up a nightly run.
  package static let timeout = Duration.seconds(30)

  /// - Parameters:
  ///   - words: never empty; the program is looked for in `PATH` unless its name has a slash.
  package init(_ words: [String], timeout: Duration = Self.timeout, runner: any ProcessRunner) {
    self.words = words
    self.timeout = timeout
    self.runner = runner
  }

  /// The program's output, once it has exited successfully.
  package func output() async throws(SecretProblem) -> String {
    var call = ProcessCall(words, time: timeout, output: Self.limit)
    call.mayPrompt = true
    let program = words[0]
    let end: ProcessEnd
    do throws(ProcessFailure) { end = try await runner.run(call) } catch {
      switch error {
      case .notStarted(let code): throw .notStarted(program: program, code)
      case .wroteTooMuch: throw .severalLines(.command(program: program))
      case .tookTooLong, .cancelled: throw .tookTooLong(program: program, after: timeout)
      }
    }
    switch end.status {
    case .exited(0): break
    case .exited(let status): throw .failed(program: program, status: status, isSignal: false)
    case .signalled(let signal): throw .failed(program: program, status: signal, isSignal: true)
    }
    guard let text = String(validating: end.output, as: UTF8.self) else {
      throw .severalLines(.command(program: program))
    }
    return text
  }
}
