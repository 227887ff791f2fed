// SPDX-License-Identifier: Apache-2.0
internal import CLibXML2

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
