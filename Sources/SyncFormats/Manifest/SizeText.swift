// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// `1048576`, `8.6MB`, `10GiB`.
struct SizeText {
  let bytes: ByteCount
  let hasUnit: Bool

  private static let units: [(name: String, bytes: Int64)] = [
    ("B", 1), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
  ]

  /// The largest whole number of the largest unit that can be counted.
  private static let highest = "8388607TiB"

  /// Nil for text that is not a size.
  init?(_ scalar: ScalarText) throws(ValueProblem) {
    let text = scalar.text.utf8[...]
    let numeral = text.numeral
    if text.first == UInt8(ascii: "-"), DecimalNumber(text.dropFirst().numeral) != nil {
      throw .outOfRange(scalar.found, lowest: "0", highest: nil)
    }
    let unit = Substring(text[numeral.endIndex...].drop { $0 == UInt8(ascii: " ") })
    let isKnown = unit.isEmpty || Self.units.contains { $0.name == unit }
    guard let number = DecimalNumber(numeral) else {
      // It is a number, but with more digits than any size has.
      guard isKnown, !numeral.isEmpty, numeral.allSatisfy(isDigit) else { return nil }
      throw .outOfRange(scalar.found, lowest: nil, highest: Self.highest)
    }
    if unit.utf8.count == 1, let letter = unit.first, "kKmMgGtT".contains(letter) {
      throw .ambiguousSize("\(Substring(numeral))\(letter.uppercased())")
    }
    guard isKnown, !unit.isEmpty || number.isWhole else { return nil }
    let factor = unit.isEmpty ? 1 : Self.units.first { $0.name == unit }?.bytes ?? 1
    guard let bytes = number.times(factor) else {
      throw .outOfRange(scalar.found, lowest: nil, highest: Self.highest)
    }
    self.bytes = ByteCount(bytes)
    hasUnit = !unit.isEmpty
  }

  /// The size in the largest unit that needs no fraction; plain bytes when there is none.
  static func spelled(_ size: ByteCount) -> String {
    guard let unit = largestUnit(of: size), unit.bytes > 1 else { return String(size.bytes) }
    return "\(size.bytes / unit.bytes)\(unit.name)"
  }

  /// True if a size is spelled in units of 1000.
  static func isDecimal(_ size: ByteCount) -> Bool {
    largestUnit(of: size).map { $0.bytes > 1 && !$0.name.contains("i") } ?? false
  }

  private static func largestUnit(of size: ByteCount) -> (name: String, bytes: Int64)? {
    units.filter { size.bytes > 0 && size.bytes % $0.bytes == 0 }.max { $0.bytes < $1.bytes }
  }
}
