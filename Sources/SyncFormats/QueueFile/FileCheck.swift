// SPDX-License-Identifier: Apache-2.0

/// The check of a whole file of checked lines: the CRC-32 of its text with each line reduced to the eight digits of its
/// own check. Together with those it covers every byte, and needs no second pass over the lines.
struct FileCheck {
  private var check = CRC32()
  /// The position up to which bytes are included.
  private var position: Int

  /// - Parameter start: the start of the text.
  init(from start: Int = 0) { position = start }

  /// Includes the object of a line, and the text before it.
  mutating func passLine(_ range: Range<Int>, of bytes: [UInt8]) {
    take(bytes, upTo: range.lowerBound)
    if range.count > LineCheck.length {
      check.update(bytes.span.extracting(LineCheck.digitsBefore(range.upperBound)))
    }
    position = range.upperBound
  }

  /// The checksum of the text up to `end`, where the file's own check begins.
  mutating func checksum(_ bytes: [UInt8], upTo end: Int) -> UInt32 {
    take(bytes, upTo: end)
    return check.checksum
  }

  private mutating func take(_ bytes: [UInt8], upTo end: Int) {
    if end > position { check.update(bytes.span.extracting(position..<end)) }
    position = max(position, end)
  }
}
