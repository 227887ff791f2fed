// SPDX-License-Identifier: Apache-2.0

/// A text that is never shown, neither in messages nor in dumps of values that contain it.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text itself, for the recipient only.
  package let exposed: String

  package init(_ text: String) { exposed = text }

  package var description: String { "***" }
  package var debugDescription: String { "***" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The place from which a secret is read.
package enum SecretSource: Hashable, Sendable {
  /// The text is in the manifest, or in a variable that it names.
  case written(Secret)
  case file(SecretFile)
  /// The output of a program: its name or path, then its arguments. No shell is involved.
  case command([String])
}

/// A file that contains a secret.
package struct SecretFile: Hashable, Sendable {
  /// Absolute paths, never empty. The first existing one is used.
  package let paths: [String]

  /// - Parameters:
  ///   - path: The path given in the manifest.
  ///   - credential: The same name in the credentials directory of the service manager, if there is one.
  package init(_ path: String, credential: String? = nil) { paths = [credential, path].compactMap { $0 } }

  /// The path given in the manifest.
  package var path: String { paths[paths.count - 1] }
}

/// The reason why a secret could not be read.
package enum SecretProblem: Error, Hashable, Sendable {
  case unreadable(path: String, ErrnoCode)
  case tooLarge(path: String, limit: ByteCount)
  /// The content is not UTF-8 text.
  case notText(path: String)
  case empty(SecretPlace)
  /// The content has several lines, but a password or token has one.
  case severalLines(SecretPlace)
  /// The token contains a character that no header field may contain.
  case notSendable(SecretPlace)
  case notStarted(program: String, ErrnoCode)
  /// The program ended with this status or by this signal.
  case failed(program: String, status: Int32, isSignal: Bool)
  /// Nothing was written to the pipe in time, or not all of it.
  case noWriter(path: String, after: Duration)
  case tookTooLong(program: String, after: Duration)
  /// The line is not valid in a file of this kind.
  case malformed(path: String, line: Int)
  /// The transfer itself sets this header field.
  case reservedField(path: String, line: Int, name: String)
}

/// The part of the manifest whose `auth` names a secret.
package enum SecretOwner: Hashable, Sendable {
  case playlist(PlaylistName)
  /// The server of licences.
  case licenses
  /// A server of a history.
  case server(PlaylistName)
}

/// The place a secret came from, for messages.
package enum SecretPlace: Hashable, Sendable {
  case manifest
  case file(path: String)
  case command(program: String)
}
