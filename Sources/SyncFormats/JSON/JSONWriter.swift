// SPDX-License-Identifier: Apache-2.0

/// Writes compact JSON to a growing array of bytes: the same calls give the same bytes.
///
///     var writer = JSONWriter()
///     writer.object { writer in
///       writer.field("id", item.id.text)
///       writer.field("duration", item.seconds)      // nothing when nil
///     }
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  /// True if a value precedes this place in the current container.
  private var needsComma = false

  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func object<E: Error>(_ members: (inout JSONWriter) throws(E) -> Void) throws(E) {
    open(UInt8(ascii: "{"))
    try members(&self)
    close(UInt8(ascii: "}"))
  }

  package mutating func array<E: Error>(_ elements: (inout JSONWriter) throws(E) -> Void) throws(E) {
    open(UInt8(ascii: "["))
    try elements(&self)
    close(UInt8(ascii: "]"))
  }

  package mutating func null() { literal("null") }
  package mutating func value(_ value: Bool) { literal(value ? "true" : "false") }

  package mutating func value(_ value: some FixedWidthInteger) {
    separate()
    bytes.append(contentsOf: String(value).utf8)
  }

  /// Writes the shortest text that reads back as the same number.
  /// - Precondition: `value` is finite.
  package mutating func value(_ value: Double) {
    precondition(value.isFinite, "JSON has no such number")
    if let integer = Int64(exactly: value), integer.magnitude < 1 << 53, value.sign == .plus || integer != 0 {
      return self.value(integer)
    }
    separate()
    bytes.append(contentsOf: value.description.utf8)
  }

  package mutating func value(_ value: String) {
    separate()
    appendQuoted(value)
  }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let bool): self.value(bool)
    case .integer(let integer): self.value(integer)
    case .double(let double): self.value(double)
    case .string(let string): self.value(string)
    case .array(let elements):
      array { writer in
        for element in elements { writer.value(element) }
      }
    case .object(let members):
      object { writer in
        for member in members {
          writer.key(member.name)
          writer.value(member.value)
        }
      }
    }
  }

  /// Writes a value that is JSON text already.
  package mutating func verbatim(_ json: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes a member's name; its value comes next.
  package mutating func key(_ name: String) {
    separate()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Puts the next value on a new line: writes the comma that is due, then a line end.
  package mutating func startLine() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
    endLine()
  }

  /// Writes a line end: before a closing bracket, or after the document.
  package mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  /// Adds a line check to the object that began at `start` and that was written last.
  mutating func sealLine(from start: Int) { LineCheck.seal(&bytes, from: start) }

  /// Lines of JSON, each with a check.
  static func sealedLines<Line>(_ lines: some Sequence<Line>, _ write: (inout JSONWriter, Line) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = JSONWriter()
    for line in lines {
      writer.removeAll()
      write(&writer, line)
      writer.sealLine(from: 0)
      writer.endLine()
      bytes += writer.bytes
    }
    return bytes
  }

  /// Empties the writer for another document and keeps its capacity.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Hands over the bytes written so far; writing goes on in the same document.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func literal(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func appendQuoted(_ text: String) {
    let text = text.utf8Span.span
    guard !text.needsEscapes else { return appendEscaped(text) }
    bytes.append(addingCapacity: text.count + 2) { output in
      output.append(UInt8(ascii: "\""))
      for index in text.indices { output.append(text[index]) }
      output.append(UInt8(ascii: "\""))
    }
  }

  private mutating func appendEscaped(_ text: Span<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var index = 0
    while index < text.count {
      if let scalar = text.commandingScalar(at: index) {
        bytes.append(contentsOf: "\\u\(String(scalar.value | 0x1_0000, radix: 16).dropFirst())".utf8)
        index += scalar.length
      } else {
        appendEscaped(text[index])
        index += 1
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    guard needsEscape(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default: bytes.append(contentsOf: "u00\(byte >> 4)\(String(byte & 15, radix: 16))".utf8)
    }
  }
}

/// True for bytes that RFC 8259 §7 requires to be escaped, and DEL, so that no ASCII control character is ever in the
/// file.
private func needsEscape(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
}

/// True for the first bytes of the scalars that `commandingScalar` finds, and of a few more.
private func mayBeginCommand(_ byte: UInt8) -> Bool { byte == 0xC2 || byte == 0xD8 || byte == 0xE2 }

extension Span<UInt8> {
  fileprivate var needsEscapes: Bool {
    for index in indices where needsEscape(self[index]) || mayBeginCommand(self[index]) { return true }
    return false
  }

  /// A scalar that a terminal may obey or that changes the direction of the text after it: C1 controls (U+0080–U+009F),
  /// direction marks and embeddings, line and paragraph separators. All have two or three bytes.
  fileprivate func commandingScalar(at index: Int) -> (value: UInt32, length: Int)? {
    func byte(_ offset: Int) -> UInt8 { index + offset < count ? self[index + offset] : 0 }
    switch (byte(0), byte(1), byte(2)) {
    case (0xC2, 0x80...0x9F, _): return (UInt32(byte(1)), 2)
    case (0xD8, 0x9C, _): return (0x061C, 2)
    case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xA8...0xAE): return (0x2000 | UInt32(byte(2) & 0x3F), 3)
    case (0xE2, 0x81, 0xA6...0xA9): return (0x2040 | UInt32(byte(2) & 0x3F), 3)
    default: return nil
    }
  }
}
