// SPDX-License-Identifier: Apache-2.0

/// A line of the journal: one JSON object whose last member is the CRC-32 of everything before that member, so that a
/// line that was cut or changed is known as such without a look at any other.
///
///     {"seq":7,"dropped":"night-drive","crc":"4f1c09aa"}
enum JournalLine {
  /// Replaces the closing brace of the object that begins at `start` by the seal, and ends the line.
  static func seal(_ bytes: inout [UInt8], from start: Int) {
    bytes.removeLast()
    let seal = seal(of: bytes[start...])
    bytes.append(contentsOf: seal)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Whether a line, given without its end, is as it was written.
  static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > sealLength else { return false }
    return line.suffix(sealLength).elementsEqual(seal(of: line.dropLast(sealLength)))
  }

  /// Bytes of `,"crc":"4f1c09aa"}`.
  private static let sealLength = 18

  private static func seal(of content: ArraySlice<UInt8>) -> [UInt8] {
    let digits = String(CRC32.checksum(content), radix: 16)
    return Array(",\"crc\":\"\(String(repeating: "0", count: 8 - digits.utf8.count))\(digits)\"}".utf8)
  }
}
