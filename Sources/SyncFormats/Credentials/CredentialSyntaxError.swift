// SPDX-License-Identifier: Apache-2.0

/// The error for a credential file that could not be read completely.
package struct CredentialSyntaxError: Error, Hashable, Sendable {
  package let line: Int
  /// A header field that only the transfer itself may write.
  package var reserved: String?
}

extension String {
  /// The lines of the text, with either line end: to Swift a carriage return and a line feed are one character.
  var textLines: [Substring] { split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" } }
}
