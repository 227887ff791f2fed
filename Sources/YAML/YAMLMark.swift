// SPDX-License-Identifier: Apache-2.0

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
