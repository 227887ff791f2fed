// SPDX-License-Identifier: Apache-2.0

/// A program that a test writes in order to start it.
package enum Script {
  package enum Problem: Error { case notInstalled(String) }

  /// Writes an executable file, replacing an earlier one, and makes the directories above it.
  ///
  /// Another process writes the file. If this one did, a child that another test forks at the same moment would have
  /// the file open for writing until its `exec`, and the kernel refuses to start such a file (execve(2), ETXTBSY).
  package static func write(_ text: String, to path: String) throws {
    let source = "\(path).source"
    try FileBytes.write(text, to: source)
    let result = try Command("/usr/bin/install", ["-m", "755", source, path]).run()
    guard result.ending == .exited(0) else { throw Problem.notInstalled(result.standardError) }
    _ = try Command("/bin/rm", [source]).run()
  }
}
