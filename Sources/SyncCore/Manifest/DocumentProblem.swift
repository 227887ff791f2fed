// SPDX-License-Identifier: Apache-2.0

/// Why a text is not the one YAML document that a manifest is.
package enum DocumentProblem: Hashable, Sendable {
  /// Nothing at all, or comments only.
  case empty
  /// A list or a single value instead of keys.
  case notAMapping
  /// In libyaml's own words: what it found, and what it was reading (with the line where that began).
  case syntax(String, context: String?, contextLine: Int?)
  case tab
  case tooDeep(limit: Int)
  case documentTooLarge(limit: ByteCount)
  case scalarTooLarge(limit: ByteCount)
  /// Aliases repeat more than a document of its size may.
  case tooManyAliases
  case invalidUTF8(byte: UInt8)
  case utf16
  case nul
  case controlCharacter(UInt32)
  case lineSeparator(UInt32)
  case secondDocument
  case tag(String)
  case unknownAlias(String)
  case aliasInsideItself(String)
  case keyNotScalar
  case mergeOfOther
  case outOfMemory
}
