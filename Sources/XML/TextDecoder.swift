// SPDX-License-Identifier: Apache-2.0
internal import CLibXML2

/// Converts a document's bytes to UTF-8, whatever their encoding, so that the
/// parser behind it never has to judge an encoding.
struct TextDecoder {
  let encoding: TextEncoding
  /// True if a byte was invalid in the encoding.
  var hasRepaired: Bool { firstRepair != nil }
  /// The position in the output of its call at which the first invalid byte was replaced.
  private(set) var firstRepair: Int?
  private let converter: TextConverter?
  /// The first bytes of a character whose rest has not arrived.
  private var carried: [UInt8] = []
  private var highSurrogate: UInt16?

  /// Returns nil for an encoding that this machine cannot convert.
  init?(_ encoding: TextEncoding) {
    self.encoding = encoding
    guard case .named(let name) = encoding else {
      converter = nil
      return
    }
    guard let found = TextConverter(from: name) else { return nil }
    converter = found
  }

  /// Creates a decoder for UTF-8.
  init() {
    encoding = .utf8
    converter = nil
  }

  /// Appends the text of `bytes` to `output`.
  mutating func decode(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
    switch encoding {
    case .windows1252: for byte in bytes { appendWindows1252(byte, to: &output) }
    case .utf8: decodeUTF8(bytes, into: &output)
    case .utf16(let bigEndian): decodeUTF16(bytes, bigEndian: bigEndian, into: &output)
    case .utf32(let bigEndian): decodeUTF32(bytes, bigEndian: bigEndian, into: &output)
    case .named: if let repair = converter?.convert(bytes, into: &output) { noteRepair(at: repair) }
    }
  }

  /// Appends the replacement of an unfinished character at the end.
  mutating func finish(into output: inout [UInt8]) {
    let isUnfinished = converter?.isUnfinished ?? false
    guard !carried.isEmpty || highSurrogate != nil || isUnfinished else { return }
    noteRepair(at: output.count)
    if encoding == .utf8 {
      for byte in carried { appendWindows1252(byte, to: &output) }
    } else {
      append(0xFFFD, to: &output)
    }
  }

  private mutating func decodeUTF8(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
    var rest = carried.isEmpty ? bytes : (carried + bytes)[...]
    carried = Array(rest.suffix(rest.unfinishedCharacterLength))
    rest = rest.dropLast(carried.count)
    while !rest.isEmpty {
      let valid = rest.validUTF8Length
      output.append(contentsOf: rest.prefix(valid))
      rest = rest.dropFirst(valid)
      guard let byte = rest.first else { return }
      // Bytes of another encoding within UTF-8 are nearly always windows-1252.
      noteRepair(at: output.count)
      appendWindows1252(byte, to: &output)
      rest = rest.dropFirst()
    }
  }

  private mutating func decodeUTF16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool, into output: inout [UInt8]) {
    for byte in bytes {
      guard let first = carried.popLast() else {
        carried.append(byte)
        continue
      }
      let (high, low) = bigEndian ? (first, byte) : (byte, first)
      appendCodeUnit(UInt16(high) << 8 | UInt16(low), to: &output)
    }
  }

  private mutating func decodeUTF32(_ bytes: ArraySlice<UInt8>, bigEndian: Bool, into output: inout [UInt8]) {
    for byte in bytes {
      carried.append(byte)
      guard carried.count == 4 else { continue }
      let value = (bigEndian ? carried : carried.reversed()).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      carried.removeAll(keepingCapacity: true)
      if value == 0xFEFF { continue }
      if Unicode.Scalar(value) == nil { noteRepair(at: output.count) }
      append(value, to: &output)
    }
  }

  private mutating func noteRepair(at place: Int) { if firstRepair == nil { firstRepair = place } }

  private mutating func appendCodeUnit(_ unit: UInt16, to output: inout [UInt8]) {
    if let high = highSurrogate {
      highSurrogate = nil
      if unit & 0xFC00 == 0xDC00 {
        return append(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00), to: &output)
      }
      noteRepair(at: output.count)
      append(0xFFFD, to: &output)
    }
    switch unit {
    case 0xFEFF: break
    case 0xD800..<0xDC00: highSurrogate = unit
    case 0xDC00..<0xE000:
      noteRepair(at: output.count)
      append(0xFFFD, to: &output)
    default: append(UInt32(unit), to: &output)
    }
  }

  private func appendWindows1252(_ byte: UInt8, to output: inout [UInt8]) {
    append(Windows1252.meaning(of: Unicode.Scalar(byte)).value, to: &output)
  }

  private func append(_ value: UInt32, to output: inout [UInt8]) {
    output.append(contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? .init())
  }
}

extension ArraySlice<UInt8> {
  fileprivate var validUTF8Length: Int {
    do {
      _ = try UTF8Span(validating: span)
      return count
    } catch { return error.byteOffsets.lowerBound }
  }

  /// The length of an unfinished character at the end, if its rest may still arrive.
  fileprivate var unfinishedCharacterLength: Int {
    for length in 1...3 where length <= count {
      switch self[endIndex - length] {
      case 0x80..<0xC0: continue
      case 0xC2..<0xE0: return length < 2 ? length : 0
      case 0xE0..<0xF0: return length < 3 ? length : 0
      case 0xF0..<0xF5: return length
      default: return 0
      }
    }
    return 0
  }
}

/// Converts an encoding that the C library supports to UTF-8 (iconv(3)).
final class TextConverter {
  private let converter: iconv_t
  /// The first bytes of a character whose rest has not arrived.
  private var carried: [UInt8] = []

  /// Returns nil if this machine does not support the encoding.
  init?(from name: String) {
    guard let opened = iconv_open("UTF-8", name), cxml_is_converter(opened) != 0 else { return nil }
    converter = opened
  }

  deinit { iconv_close(converter) }

  var isUnfinished: Bool { !carried.isEmpty }

  /// Appends the text of `bytes`, with U+FFFD for bytes that are invalid in the encoding.
  /// - Returns: The position in the output of the first such U+FFFD. Nil without any.
  func convert(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) -> Int? {
    var input = carried + bytes
    carried = []
    var firstRepair: Int?
    var position = 0
    while position < input.count {
      let (taken, result) = convert(&input, from: position, into: &output)
      position += taken
      switch result {
      case CXML_INVALID:
        firstRepair = firstRepair ?? output.count
        output += Array("\u{FFFD}".utf8)
        position += 1
      case CXML_UNFINISHED:
        carried = Array(input[position...])
        return firstRepair
      default: break
      }
    }
    return firstRepair
  }

  /// Makes one call of iconv, which converts as much as its output buffer can hold.
  private func convert(
    _ input: inout [UInt8], from position: Int, into output: inout [UInt8]
  ) -> (taken: Int, cxml_conversion) {
    var left = input.count - position
    var result = CXML_DONE
    let converted = [UInt8](unsafeUninitializedCapacity: 4 * left + 16) { buffer, count in
      input.withUnsafeMutableBytes { bytes in
        var source = bytes.baseAddress?.advanced(by: position).assumingMemoryBound(to: CChar.self)
        var target = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
        var room = buffer.count
        let size = room
        result = cxml_convert(converter, &source, &left, &target, &room)
        count = size - room
      }
    }
    output += converted
    return (input.count - position - left, result)
  }
}
