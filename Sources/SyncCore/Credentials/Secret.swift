// SPDX-License-Identifier: Apache-2.0

/// A text that is shown to nobody: not in messages, not in dumps of the values that hold it.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// For the one who is meant to have it.
  package let exposed: String

  package init(_ text: String) { exposed = text }

  package var description: String { "***" }
  package var debugDescription: String { "***" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where a secret is to be found.
package enum SecretSource: Hashable, Sendable {
  /// In the manifest itself, or in a variable that it names.
  case written(Secret)
  case file(SecretFile)
  /// What a program prints: its name or path, then its arguments. No shell is involved.
  case command([String])
}

/// A file with a secret in it.
package struct SecretFile: Hashable, Sendable {
  /// Absolute; the first of them that exists is meant. Never empty.
  package let paths: [String]

  /// - Parameters:
  ///   - path: as the manifest means it.
  ///   - credential: the same name in the directory of credentials that a service manager provides, if there is one.
  package init(_ path: String, credential: String? = nil) { paths = [credential, path].compactMap { $0 } }

  /// As the manifest means it.
  package var path: String { paths[paths.count - 1] }
}

/// Why a secret could not be had.
package enum SecretProblem: Error, Hashable, Sendable {
  case unreadable(path: String, ErrnoCode)
  case tooLarge(path: String, limit: ByteCount)
  /// Not text in UTF-8.
  case notText(path: String)
  case empty(SecretPlace)
  /// A password or a token is one line.
  case severalLines(SecretPlace)
  /// A token has something in it that no header field may carry.
  case notSendable(SecretPlace)
  case notStarted(program: String, ErrnoCode)
  /// It ended with this status, or by this signal.
  case failed(program: String, status: Int32, isSignal: Bool)
  /// A pipe into which nobody wrote, or not to the end.
  case noWriter(path: String, after: Duration)
  case tookTooLong(program: String, after: Duration)
  /// A line that a file of this kind cannot have.
  case malformed(path: String, line: Int)
  /// A header field that the transfer itself writes.
  case reservedField(path: String, line: Int, name: String)
}

/// Where a secret came from, for messages.
package enum SecretPlace: Hashable, Sendable {
  case manifest
  case file(path: String)
  case command(program: String)
}
