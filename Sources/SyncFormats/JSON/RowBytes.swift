// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Writes values as bytes without names, for caches of this program: integers as LEB128, texts with their length.
struct RowWriter {
  private(set) var bytes: [UInt8] = []

  /// Writes the number of the elements or bytes that follow.
  mutating func count(_ value: Int) { unsigned(UInt64(value)) }

  mutating func integer(_ value: some FixedWidthInteger) {
    // Zigzag, so that small negative numbers are short, too.
    let value = Int64(value)
    unsigned(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

  mutating func data(_ data: some Collection<UInt8>) {
    count(data.count)
    bytes += data
  }

  mutating func text(_ text: String) { data(text.utf8) }

  mutating func time(_ time: Timestamp) { integer(time.secondsSince1970) }

  mutating func duration(_ duration: Duration) {
    integer(duration.components.seconds)
    integer(duration.components.attoseconds)
  }

  mutating func list<Element>(_ elements: some Collection<Element>, _ write: (inout Self, Element) -> Void) {
    count(elements.count)
    for element in elements { write(&self, element) }
  }

  mutating func optional<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
    flag(value != nil)
    if let value { write(&self, value) }
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

/// Reads what `RowWriter` wrote. Other bytes are malformed: nothing outside of them is read, and no memory is reserved
/// for elements that are only promised.
struct RowReader {
  struct Malformed: Error {}

  private let bytes: ArraySlice<UInt8>
  private(set) var offset: Int

  init(_ bytes: ArraySlice<UInt8>) { (self.bytes, offset) = (bytes, bytes.startIndex) }

  var isAtEnd: Bool { offset == bytes.endIndex }

  /// Reads a number of elements, each of which has at least one byte.
  mutating func count() throws(Malformed) -> Int {
    guard let count = Int(exactly: try unsigned()), count <= bytes.endIndex - offset else { throw Malformed() }
    return count
  }

  mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(Malformed) -> Number {
    let value = try unsigned()
    guard let number = Number(exactly: Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)) else {
      throw Malformed()
    }
    return number
  }

  mutating func flag() throws(Malformed) -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    default: throw Malformed()
    }
  }

  mutating func data() throws(Malformed) -> ArraySlice<UInt8> {
    let length = try count()
    defer { offset += length }
    return bytes[offset..<offset + length]
  }

  mutating func text() throws(Malformed) -> String { String(decoding: try data(), as: UTF8.self) }

  /// Reads a text that must have a meaning.
  mutating func parsed<Value>(_ parse: (String) -> Value?) throws(Malformed) -> Value {
    guard let value = parse(try text()) else { throw Malformed() }
    return value
  }

  mutating func time() throws(Malformed) -> Timestamp { Timestamp(secondsSince1970: try seconds()) }

  mutating func duration() throws(Malformed) -> Duration {
    let (seconds, attoseconds) = (try seconds(), try integer(Int64.self))
    guard (0..<1_000_000_000_000_000_000).contains(attoseconds) else { throw Malformed() }
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  mutating func list<Element>(_ read: (inout Self) throws(Malformed) -> Element) throws(Malformed) -> [Element] {
    var elements: [Element] = []
    for _ in 0..<(try count()) { elements.append(try read(&self)) }
    return elements
  }

  mutating func optional<Value>(_ read: (inout Self) throws(Malformed) -> Value) throws(Malformed) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Any time or duration of a document, and few enough seconds for any arithmetic.
  private mutating func seconds() throws(Malformed) -> Int64 {
    let seconds = try integer(Int64.self)
    guard (-1 << 44...1 << 44).contains(seconds) else { throw Malformed() }
    return seconds
  }

  private mutating func byte() throws(Malformed) -> UInt8 {
    guard offset < bytes.endIndex else { throw Malformed() }
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
    }
  }
}
