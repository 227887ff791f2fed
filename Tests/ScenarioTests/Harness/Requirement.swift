// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport

/// A requirement of a scenario: a program, or a command line that must succeed, for rights that not every user has.
struct Requirement {
  private let words: [String]

  init(_ line: String) { words = line.split(separator: " ").map(String.init) }

  /// Nil when the requirement is met.
  var lack: String? {
    let line = words.joined(separator: " ")
    guard let name = words.first, let tool = Tool(name).path else { return "\(line), which is not installed" }
    guard words.count > 1 else { return nil }
    let arguments = words.dropFirst().map { $0.replacing("{{syncjob}}", with: Program.syncjob ?? "") }
    do {
      return try Command(tool, arguments).run().ending == .exited(0) ? nil : "“\(line)” to succeed"
    } catch { return "“\(line)” to start (\(error))" }
  }
}
