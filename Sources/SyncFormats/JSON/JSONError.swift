// SPDX-License-Identifier: Apache-2.0

/// The reason why bytes are not the expected JSON (RFC 8259), and the place.
package struct JSONError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The document ends inside a value.
    case unexpectedEnd
    /// A byte that is not allowed here.
    case unexpected(UInt8)
    /// Bytes before the first value that RFC 8259 §8.1 forbids.
    case byteOrderMark
    /// A control character inside a string that is not escaped.
    case controlCharacter(UInt8)
    case invalidUTF8
    /// A backslash followed by a character that RFC 8259 §7 does not list.
    case badEscape
    /// `\ud800` without its other half.
    case loneSurrogate
    /// A leading zero, a point without digits, or a similar fault.
    case badNumber
    /// A number that does not fit: an integer beyond 64 bits, or a double that would be infinite.
    case outOfRange
    /// A fraction or an exponent where an integer is wanted.
    case notAnInteger
    /// More than `JSONReader.maximumDepth` containers inside each other.
    case tooDeep
    case wrongType(found: JSONKind, wanted: JSONKind)
    /// A name that its object has twice, where each may occur once.
    case repeatedName(String)
  }

  package let reason: Reason
  /// The number of bytes before the place.
  package let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The line and column of the place in the bytes that were read, both counted from 1; columns count Unicode scalars.
  package func place(in bytes: [UInt8]) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return (line, column)
  }
}

/// The kind of a JSON value, as its first byte shows.
package enum JSONKind: String, Hashable, Sendable {
  case object, array, string, number, bool, null

  /// Nil for a byte that no value begins with.
  init?(firstByte: UInt8) {
    switch firstByte {
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
    case UInt8(ascii: "n"): self = .null
    default: return nil
    }
  }
}
