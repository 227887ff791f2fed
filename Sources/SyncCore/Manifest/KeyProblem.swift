// SPDX-License-Identifier: Apache-2.0

/// A problem with a key, independent of its value.
package enum KeyProblem: Hashable, Sendable {
  /// `section` is the dotted path of the mapping, empty at the top. `nearest` is a similar known key.
  case unknown(String, section: String, nearest: String?)
  /// The key is a prefix of several known keys.
  case shortened(String, section: String, known: [String])
  /// The key is valid in another place, given as its full dotted path.
  case misplaced(String, section: String, belongs: String)
  case duplicate(String, firstLine: Int)
  /// A required key is missing.
  case missing(String, section: String)
  /// The key is valid, but this version does not implement it.
  /// `allowed` is its default, the only value that changes nothing.
  case notYet(String, allowed: String?)
}
