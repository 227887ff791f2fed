// SPDX-License-Identifier: Apache-2.0

/// The ending of a program and its output.
package struct CommandResult: Equatable, Sendable {
  package enum Ending: Equatable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)
    /// It was killed because its time was over.
    case timedOut

    package var description: String {
      switch self {
      case .exited(let status): "exit \(status)"
      case .killed(let signal): "signal \(signal)"
      case .timedOut: "timed out"
      }
    }
  }

  package let ending: Ending
  package let stdout: [UInt8]
  package let stderr: [UInt8]
  package let seconds: Double

  package var standardOutput: String { String(decoding: stdout, as: UTF8.self) }
  package var standardError: String { String(decoding: stderr, as: UTF8.self) }
}
