// SPDX-License-Identifier: Apache-2.0

/// What is wrong about a key, whatever its value.
package enum KeyProblem: Hashable, Sendable {
  /// `section` is the dotted path of the mapping, empty at the top; `nearest` is a key that is known there.
  case unknown(String, section: String, nearest: String?)
  /// What several keys that are known there begin with.
  case shortened(String, section: String, known: [String])
  /// Known, but elsewhere: its full dotted path.
  case misplaced(String, section: String, belongs: String)
  case duplicate(String, firstLine: Int)
  /// A required key that is not there.
  case missing(String, section: String)
  /// Part of the contract, but this version does not act on it. `allowed` is its default, the one value that changes nothing.
  case notYet(String, allowed: String?)
}
