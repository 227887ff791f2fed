// SPDX-License-Identifier: Apache-2.0

/// A strict pull reader of one JSON document (RFC 8259): the caller asks for the value that it expects and gets it, or
/// an error with its place. Only a position is stored, so a large document costs no more than its bytes.
///
///     var reader = JSONReader(bytes)
///     try reader.beginObject()
///     while let key = try reader.nextKey() {
///       switch key {
///       case "id": id = try reader.readString()
///       default: try reader.skipValue()
///       }
///     }
///     try reader.finish()
///
/// A name that an object repeats is delivered twice, unless the caller gives `nextKey` the names so far. After an error
/// the reader must not be used any more.
package struct JSONReader {
  /// The nesting depth beyond which a document is refused.
  package static let maximumDepth = 128

  let bytes: [UInt8]
  private(set) var end: Int
  /// The offset of the next byte to read.
  package internal(set) var offset: Int
  private var depth = 0
  /// True if no comma is due, because a container has just begun.
  private var isFirst = false

  /// Reads `bytes`; the array is shared, not copied.
  package init(_ bytes: [UInt8]) { self.init(bytes, in: bytes.indices) }

  /// Reads a part of `bytes`, such as one line; offsets in errors count from the start of `bytes`.
  /// - Parameter depth: the number of containers around the part, which count for the nesting depth.
  package init(_ bytes: [UInt8], in range: Range<Int>, depth: Int = 0) {
    (self.bytes, offset, end) = (bytes, 0, 0)
    begin(range, depth: depth)
  }

  /// Goes to another part of the same bytes.
  package mutating func begin(_ range: Range<Int>, depth: Int = 0) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a part lies inside its whole")
    (offset, end, self.depth, isFirst) = (range.lowerBound, range.upperBound, depth, false)
  }

  package mutating func beginObject() throws(JSONError) { try begin(.object) }

  package mutating func beginArray() throws(JSONError) { try begin(.array) }

  /// The next name of the current object; nil when the object has just ended. Its value must be read or skipped before
  /// the next call.
  package mutating func nextKey() throws(JSONError) -> String? {
    guard let token = try nextKeyToken() else { return nil }
    return bytes.span.string(token)
  }

  /// The same, looked up in a table without making strings of known names.
  package mutating func nextKey<Key>(_ keys: JSONKeys<Key>) throws(JSONError) -> JSONKey<Key>? {
    guard let token = try nextKeyToken() else { return nil }
    if !token.hasEscapes, let key = keys.find(bytes.span.extracting(token.contents)) { return .known(key) }
    let name = bytes.span.string(token)
    return keys.find(Array(name.utf8).span).map { .known($0) } ?? .unknown(name)
  }

  /// The same; a name that `names` contains already is an error.
  package mutating func nextKey<Key>(
    _ keys: JSONKeys<Key>, besides names: inout JSONNames
  ) throws(JSONError) -> JSONKey<Key>? {
    guard let token = try nextKeyToken() else { return nil }
    var index = token.hasEscapes ? nil : keys.index(of: bytes.span.extracting(token.contents))
    var name = ""
    if index == nil {
      name = bytes.span.string(token)
      index = keys.index(of: Array(name.utf8).span)
    }
    guard index.map({ names.insert($0) }) ?? names.insert(name) else {
      throw JSONError(.repeatedName(bytes.span.string(token)), at: token.contents.lowerBound)
    }
    return index.map { .known(keys[$0]) } ?? .unknown(name)
  }

  /// True if the current array has another element, which must be read before the next call; false when the array has
  /// just ended.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try nextMember(closing: UInt8(ascii: "]"))
  }

  /// Passes the next value, which another reader has read up to `position`.
  mutating func passValue(endingAt position: Int) { offset = position }

  /// Checks that nothing follows the document.
  package mutating func finish() throws(JSONError) {
    skipWhitespace()
    if offset < end { throw JSONError(.unexpected(bytes[offset]), at: offset) }
  }

  /// The kind of the next value, which stays unread.
  package mutating func peekKind() throws(JSONError) -> JSONKind {
    skipWhitespace()
    guard offset < end else { throw JSONError(.unexpectedEnd, at: end) }
    if let kind = JSONKind(firstByte: bytes[offset]) { return kind }
    if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONError(.byteOrderMark, at: 0) }
    throw JSONError(.unexpected(bytes[offset]), at: offset)
  }

  // Scans see only the bytes up to `end`, so they cannot leave the part that is read.

  func scanString() throws(JSONError) -> JSONStringToken {
    try bytes.span.extracting(..<end).scanString(at: offset)
  }

  func scanNumber() throws(JSONError) -> JSONNumberToken {
    try bytes.span.extracting(..<end).scanNumber(at: offset)
  }

  mutating func expect(_ wanted: JSONKind) throws(JSONError) {
    let found = try peekKind()
    if found != wanted { throw JSONError(.wrongType(found: found, wanted: wanted), at: offset) }
  }

  private mutating func begin(_ kind: JSONKind) throws(JSONError) {
    try expect(kind)
    guard depth < Self.maximumDepth else { throw JSONError(.tooDeep, at: offset) }
    depth += 1
    offset += 1
    isFirst = true
  }

  mutating func nextKeyToken() throws(JSONError) -> JSONStringToken? {
    guard try nextMember(closing: UInt8(ascii: "}")) else { return nil }
    guard offset < end else { throw JSONError(.unexpectedEnd, at: end) }
    guard bytes[offset] == UInt8(ascii: "\"") else { throw JSONError(.unexpected(bytes[offset]), at: offset) }
    let token = try scanString()
    offset = token.contents.upperBound + 1
    skipWhitespace()
    guard offset < end else { throw JSONError(.unexpectedEnd, at: end) }
    guard bytes[offset] == UInt8(ascii: ":") else { throw JSONError(.unexpected(bytes[offset]), at: offset) }
    offset += 1
    return token
  }

  /// Passes the comma that is due, or the closing bracket.
  private mutating func nextMember(closing: UInt8) throws(JSONError) -> Bool {
    skipWhitespace()
    guard offset < end else { throw JSONError(.unexpectedEnd, at: end) }
    let byte = bytes[offset]
    if byte == closing, depth > 0 {
      offset += 1
      depth -= 1
      isFirst = false
      return false
    }
    if !isFirst {
      guard byte == UInt8(ascii: ","), depth > 0 else { throw JSONError(.unexpected(byte), at: offset) }
      offset += 1
      skipWhitespace()
    }
    isFirst = false
    return true
  }

  private mutating func skipWhitespace() {
    while offset < end {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }
}
