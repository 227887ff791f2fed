// SPDX-License-Identifier: Apache-2.0

/// The bytes to request: `first` to `last`, or to the end (RFC 9110 §14.1.2).
package struct ByteRange: Hashable, Sendable {
  package let first: Int64
  /// Inclusive.
  package let last: Int64?

  /// Returns nil for a negative offset or an end before the beginning.
  package init?(from first: Int64, through last: Int64? = nil) {
    guard first >= 0, last.map({ $0 >= first }) ?? true else { return nil }
    self.first = first
    self.last = last
  }

  /// The part of a `Range` field after `bytes=`.
  var text: String { "\(first)-\(last.map(String.init) ?? "")" }
}
