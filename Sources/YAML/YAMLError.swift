// SPDX-License-Identifier: Apache-2.0

/// A problem in a YAML text, with its place.
package struct YAMLError: Error, Equatable, Sendable {
  package enum Problem: Equatable, Sendable {
    /// libyaml's own words: the problem and the construct it was reading, with the line where that began.
    case syntax(String, context: String?, contextLine: Int?)
    /// A tab in a place where only spaces may indent or begin a value.
    case tab
    case tooDeep(limit: Int)
    case documentTooLarge(limit: Int)
    case scalarTooLarge(limit: Int)
    case tooManyRepeatedNodes
    case invalidUTF8(byte: UInt8)
    /// The text begins with the byte order mark of UTF-16 or UTF-32.
    case utf16
    /// A NUL, either literal or as `"\0"`.
    case nul
    /// A control character that YAML requires to be escaped.
    case controlCharacter(UInt32)
    /// A literal U+0085, U+2028 or U+2029. YAML 1.1 breaks a line there, YAML 1.2 does not.
    case lineSeparator(UInt32)
    case secondDocument
    case tag(String)
    case unknownAlias(String)
    case aliasInsideItself(String)
    /// A list or a mapping where a key is expected.
    case keyNotScalar
    case duplicateKey(String, firstLine: Int)
    /// `<<` with something other than a mapping or a list of mappings.
    case mergeOfOther
    case outOfMemory
  }

  package let problem: Problem
  package let mark: YAMLMark

  package init(_ problem: Problem, at mark: YAMLMark) {
    self.problem = problem
    self.mark = mark
  }
}
