// SPDX-License-Identifier: Apache-2.0

/// The check of a whole file of checked lines: the CRC-32 of its text in which each line is cut down to the eight digits
/// of its own check. Together with those it covers every byte, and costs no second look at the lines.
struct FileCheck {
  private var check = CRC32()
  /// Bytes up to here are in it.
  private var position: Int

  /// - Parameter start: of the text.
  init(from start: Int = 0) { position = start }

  /// Takes the object of a line, and what stands before it.
  mutating func passLine(_ range: Range<Int>, of bytes: [UInt8]) {
    take(bytes, upTo: range.lowerBound)
    if range.count > LineCheck.length {
      check.update(bytes.span.extracting(LineCheck.digitsBefore(range.upperBound)))
    }
    position = range.upperBound
  }

  /// Of the text up to there, where its own check begins.
  mutating func checksum(_ bytes: [UInt8], upTo end: Int) -> UInt32 {
    take(bytes, upTo: end)
    return check.checksum
  }

  private mutating func take(_ bytes: [UInt8], upTo end: Int) {
    if end > position { check.update(bytes.span.extracting(position..<end)) }
    position = max(position, end)
  }
}
