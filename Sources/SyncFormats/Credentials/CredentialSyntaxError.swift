// SPDX-License-Identifier: Apache-2.0

/// A file of credentials that could not be read to its end.
package struct CredentialSyntaxError: Error, Hashable, Sendable {
  package let line: Int
  /// A header field that the transfer itself writes.
  package var reserved: String?
}

extension String {
  /// Its lines, however they end: to Swift a carriage return and a line feed are one character.
  var textLines: [Substring] { split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" } }
}
