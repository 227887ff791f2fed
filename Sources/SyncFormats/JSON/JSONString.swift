// SPDX-License-Identifier: Apache-2.0

/// A checked string inside a document: the range of its contents, without the quotes.
struct JSONStringToken {
  var contents: Range<Int>
  var hasEscapes: Bool
}

extension Span<UInt8> {
  /// Checks the string whose opening quote is at `start`: escapes, surrogates, control characters, UTF-8.
  func scanString(at start: Int) throws(JSONError) -> JSONStringToken {
    var position = start + 1
    var hasEscapes = false
    var isASCII = true
    while position < count {
      let byte = self[position]
      switch byte {
      case UInt8(ascii: "\""):
        let contents = start + 1..<position
        if !isASCII { try checkUTF8(contents) }
        return JSONStringToken(contents: contents, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position = try scanEscape(at: position)
      case 0..<0x20: throw JSONError(.controlCharacter(byte), at: position)
      default:
        if byte >= 0x80 { isASCII = false }
        position += 1
      }
    }
    throw JSONError(.unexpectedEnd, at: count)
  }

  /// The string of a checked token.
  func string(_ token: JSONStringToken) -> String {
    token.hasEscapes ? unescaped(token.contents) : plainString(token.contents)
  }

  private func plainString(_ range: Range<Int>) -> String {
    do { return String(copying: try UTF8Span(validating: extracting(range))) } catch { return unescaped(range) }
  }

  private func checkUTF8(_ range: Range<Int>) throws(JSONError) {
    do { _ = try UTF8Span(validating: extracting(range)) } catch {
      throw JSONError(.invalidUTF8, at: range.lowerBound + error.byteOffsets.lowerBound)
    }
  }

  /// The position after the escape at `start`.
  private func scanEscape(at start: Int) throws(JSONError) -> Int {
    guard start + 1 < count else { throw JSONError(.unexpectedEnd, at: count) }
    switch self[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"): return try scanUnicodeEscape(at: start)
    default: throw JSONError(.badEscape, at: start)
    }
  }

  private func scanUnicodeEscape(at start: Int) throws(JSONError) -> Int {
    let unit = try codeUnit(at: start + 2)
    guard unit & 0xF800 == 0xD800 else { return start + 6 }
    guard unit < 0xDC00, start + 7 < count, self[start + 6] == UInt8(ascii: "\\"),
      self[start + 7] == UInt8(ascii: "u"), try codeUnit(at: start + 8) & 0xFC00 == 0xDC00
    else { throw JSONError(.loneSurrogate, at: start) }
    return start + 12
  }

  /// Reads four hexadecimal digits.
  private func codeUnit(at start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for position in start..<start + 4 {
      guard position < count else { throw JSONError(.unexpectedEnd, at: count) }
      guard let digit = hexDigitValue(self[position]) else { throw JSONError(.badEscape, at: start - 2) }
      unit = unit << 4 | digit
    }
    return unit
  }

  private func unescaped(_ range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = self[position]
      if byte == UInt8(ascii: "\\") {
        position = appendEscape(at: position, to: &bytes)
      } else {
        bytes.append(byte)
        position += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func appendEscape(at start: Int, to bytes: inout [UInt8]) -> Int {
    switch self[start + 1] {
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"): return appendScalar(at: start, to: &bytes)
    case let byte: bytes.append(byte)
    }
    return start + 2
  }

  private func appendScalar(at start: Int, to bytes: inout [UInt8]) -> Int {
    let first = hexUnit(at: start + 2)
    let isPair = first & 0xF800 == 0xD800
    let value = isPair ? 0x10000 + (first - 0xD800) << 10 + (hexUnit(at: start + 8) - 0xDC00) : first
    if let scalar = Unicode.Scalar(value) { bytes.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
    return start + (isPair ? 12 : 6)
  }

  /// Reads four digits that were checked before.
  private func hexUnit(at start: Int) -> UInt32 {
    var unit: UInt32 = 0
    for position in start..<start + 4 { unit = unit << 4 | (hexDigitValue(self[position]) ?? 0) }
    return unit
  }
}

private func hexDigitValue(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}
