// SPDX-License-Identifier: Apache-2.0

/// Writes values as bytes without names, for caches of this program: integers as LEB128, texts with their length.
struct RowWriter {
  private(set) var bytes: [UInt8] = []

  mutating func count(_ value: Int) { unsigned(UInt64(value)) }

  mutating func integer(_ value: Int64) {
    // Zigzag, so that small negative numbers are short, too.
    unsigned(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

  mutating func text(_ text: String) {
    count(text.utf8.count)
    bytes += text.utf8
  }

  private mutating func unsigned(_ value: UInt64) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Reads what `RowWriter` wrote. Other bytes are malformed: nothing outside the range is read.
struct RowReader {
  struct Malformed: Error {}

  private let bytes: [UInt8]
  private var offset: Int
  private let end: Int

  init(_ bytes: [UInt8], in range: Range<Int>) {
    (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
  }

  var isAtEnd: Bool { offset == end }

  /// Reads a number of elements, each of which has at least one byte.
  mutating func count() throws(Malformed) -> Int {
    guard let count = Int(exactly: try unsigned()), count <= end - offset else { throw Malformed() }
    return count
  }

  mutating func integer() throws(Malformed) -> Int64 {
    let value = try unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func flag() throws(Malformed) -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    default: throw Malformed()
    }
  }

  mutating func text() throws(Malformed) -> String {
    let length = try count()
    defer { offset += length }
    return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
  }

  /// Reads a text that must have a meaning.
  mutating func parsed<Value>(_ parse: (String) -> Value?) throws(Malformed) -> Value {
    guard let value = parse(try text()) else { throw Malformed() }
    return value
  }

  private mutating func byte() throws(Malformed) -> UInt8 {
    guard offset < end else { throw Malformed() }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func unsigned() throws(Malformed) -> UInt64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while true {
      let byte = try byte()
      guard shift < 63 || byte < 2 else { throw Malformed() }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift <= 63 else { throw Malformed() }
    }
  }
}
