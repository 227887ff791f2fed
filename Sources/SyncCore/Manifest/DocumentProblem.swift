// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not the single YAML document that a manifest must be.
package enum DocumentProblem: Hashable, Sendable {
  /// The text is empty or contains only comments.
  case empty
  /// The document is a list or a single value instead of a mapping.
  case notAMapping
  /// libyaml's own words: the problem and the construct it was reading, with the line where that began.
  case syntax(String, context: String?, contextLine: Int?)
  case tab
  case tooDeep(limit: Int)
  case documentTooLarge(limit: ByteCount)
  case scalarTooLarge(limit: ByteCount)
  /// The aliases expand to more than a document of this size may contain.
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
