// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  package mutating func readString() throws(JSONError) -> String {
    try expect(.string)
    let token = try scanString()
    offset = token.contents.upperBound + 1
    return bytes.span.string(token)
  }

  /// Reads a string.
  /// - Parameter known: Returned instead of a new one if its bytes are the same.
  mutating func readString(like known: String?) throws(JSONError) -> String {
    guard var known else { return try readString() }
    try expect(.string)
    let token = try scanString()
    offset = token.contents.upperBound + 1
    let isSame =
      !token.hasEscapes
      && known.withUTF8 { text in
        text.count == token.contents.count && zip(text, token.contents).allSatisfy { $0 == bytes[$1] }
      }
    return isSame ? known : bytes.span.string(token)
  }

  /// The range of the next value, if that is a string without an escape. It is still to be read.
  mutating func nextPlainString() -> Range<Int>? {
    do throws(JSONError) {
      guard try peekKind() == .string else { return nil }
      let token = try scanString()
      return token.hasEscapes ? nil : token.contents
    } catch {
      // Whoever reads the value finds the same error.
      return nil
    }
  }

  /// Passes the string that was looked at.
  mutating func pass(_ contents: Range<Int>) { offset = contents.upperBound + 1 }

  /// An integer without fraction or exponent that fits 64 bits.
  package mutating func readInt64() throws(JSONError) -> Int64 {
    let token = try readNumber()
    guard token.isInteger else { throw JSONError(.notAnInteger, at: token.range.lowerBound) }
    guard let integer = token.integer else { throw JSONError(.outOfRange, at: token.range.lowerBound) }
    return integer
  }

  package mutating func readInt() throws(JSONError) -> Int { Int(try readInt64()) }

  /// Any finite number, rounded to the nearest double.
  package mutating func readDouble() throws(JSONError) -> Double {
    let token = try readNumber()
    guard let double = bytes.span.double(token) else { throw JSONError(.outOfRange, at: token.range.lowerBound) }
    return double
  }

  package mutating func readBool() throws(JSONError) -> Bool {
    try expect(.bool)
    let isTrue = bytes[offset] == UInt8(ascii: "t")
    try readLiteral(isTrue ? "true" : "false")
    return isTrue
  }

  package mutating func readNull() throws(JSONError) {
    try expect(.null)
    try readLiteral("null")
  }

  /// Skips a `null`; any other value stays unread.
  package mutating func readNullIfPresent() throws(JSONError) -> Bool {
    guard try peekKind() == .null else { return false }
    try readNull()
    return true
  }

  /// Checks the next value as strictly as reading it would, and returns the range of its bytes.
  @discardableResult
  package mutating func skipValue() throws(JSONError) -> Range<Int> {
    let kind = try peekKind()
    let start = offset
    switch kind {
    case .string: offset = try scanString().contents.upperBound + 1
    case .number: _ = try readNumber()
    case .bool: _ = try readBool()
    case .null: try readNull()
    case .object:
      try beginObject()
      while try nextKeyToken() != nil { try skipValue() }
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    }
    return start..<offset
  }

  /// The next value's bytes, checked and unchanged: for fields that are written back.
  package mutating func readVerbatim() throws(JSONError) -> [UInt8] { Array(bytes[try skipValue()]) }

  mutating func readNumber() throws(JSONError) -> JSONNumberToken {
    try expect(.number)
    let token = try scanNumber()
    offset = token.range.upperBound
    return token
  }

  private mutating func readLiteral(_ literal: StaticString) throws(JSONError) {
    for byte in literal.description.utf8 {
      guard offset < end else { throw JSONError(.unexpectedEnd, at: end) }
      guard bytes[offset] == byte else { throw JSONError(.unexpected(bytes[offset]), at: offset) }
      offset += 1
    }
  }
}
