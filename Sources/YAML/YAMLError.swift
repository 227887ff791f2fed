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

/// A place in a YAML text. Lines and columns count from 1, columns in characters (Unicode scalars).
package struct YAMLMark: Hashable, Comparable, Sendable {
  package let line: Int32
  package let column: Int32
  /// The number of characters of the line that belong to it, at least 1.
  package let length: Int32

  package init(line: Int, column: Int, length: Int = 1) {
    self.line = Int32(clamping: line)
    self.column = Int32(clamping: column)
    self.length = Int32(clamping: max(1, length))
  }

  package static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }

  /// The place of the byte at `offset`.
  static func locating(_ offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> YAMLMark {
    var place = RunningPlace()
    for position in 0..<min(offset, bytes.count) { place.pass(position, of: bytes) }
    return YAMLMark(line: place.line, column: place.column)
  }

  /// The offset of its first byte. Nil beyond the end of the text.
  func offset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = RunningPlace()
    for position in bytes.indices {
      if place.line == line, place.column == column, bytes[position] & 0xC0 != 0x80 { return position }
      place.pass(position, of: bytes)
    }
    return nil
  }
}

/// Counts lines and columns while going through a text. A line ends with LF, CR or both.
private struct RunningPlace {
  var line = 1
  var column = 1

  mutating func pass(_ position: Int, of bytes: UnsafeBufferPointer<UInt8>) {
    let byte = bytes[position]
    let isBeforeLF = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "\n")
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && !isBeforeLF {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }
}
