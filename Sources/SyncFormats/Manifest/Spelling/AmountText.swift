// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

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

/// `90`, `250ms`, `1h30m`, `3:45`, `1:02:03`. To the millisecond.
enum DurationText {
  /// A hundred years: enough for every key, and far from overflow.
  private static let longest: Int64 = 36_500 * 86_400_000

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
  ]

  /// Nil for text that is not a duration.
  static func read(_ scalar: ScalarText) throws(ValueProblem) -> Duration? {
    let text = scalar.text.utf8[...]
    if text.first == UInt8(ascii: "-"), milliseconds(text.dropFirst()) != nil {
      throw .outOfRange(scalar.found, lowest: "0s", highest: nil)
    }
    guard let sum = milliseconds(text) else { return nil }
    guard sum <= longest else {
      throw .outOfRange(scalar.found, lowest: nil, highest: spelled(.milliseconds(longest)))
    }
    return .milliseconds(sum)
  }

  /// True for seconds without their unit.
  static func isNumber(_ text: String) -> Bool { DecimalNumber(text.utf8[...]) != nil }

  /// Reads the number of milliseconds. A number that does not fit counts as the largest one.
  private static func milliseconds(_ text: Substring.UTF8View) -> Int64? {
    if let number = DecimalNumber(text) { return number.times(1000) ?? .max }
    return text.contains(UInt8(ascii: ":")) ? clock(text) : sum(text)
  }

  private static func clock(_ text: Substring.UTF8View) -> Int64? {
    var milliseconds: Int64 = 0
    var rest = text
    for position in 0..<3 {
      let part = rest.prefix { $0 != UInt8(ascii: ":") }
      let isLast = part.endIndex == rest.endIndex
      // Only the first part may have any number of digits: `75:00`, but not `1:75:00`.
      let isInRange = position == 0 || part.prefix { $0 != UInt8(ascii: ".") }.count <= 2
      guard let number = DecimalNumber(part), isLast || number.isWhole, isInRange else { return nil }
      guard position == 0 || (number.times(1) ?? 60) < 60 else { return nil }
      milliseconds = adding(milliseconds.multipliedReportingOverflow(by: 60), number.times(1000))
      if isLast { return position > 0 ? milliseconds : nil }
      rest = rest[part.endIndex...].dropFirst()
    }
    return nil
  }

  private static func sum(_ text: Substring.UTF8View) -> Int64? {
    var milliseconds: Int64 = 0
    var rest = text
    while !rest.isEmpty {
      let numeral = rest.numeral
      let name = rest[numeral.endIndex...].prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      guard let number = DecimalNumber(numeral), let unit = units.first(where: { $0.name == Substring(name) })
      else { return nil }
      milliseconds = adding((milliseconds, false), number.times(unit.milliseconds))
      rest = rest[name.endIndex...]
    }
    return text.isEmpty ? nil : milliseconds
  }

  private static func adding(_ a: (partialValue: Int64, overflow: Bool), _ b: Int64?) -> Int64 {
    let (sum, overflow) = a.partialValue.addingReportingOverflow(b ?? .max)
    return overflow || a.overflow ? .max : sum
  }

  /// The duration in the largest unit that needs no fraction. Fractions of a millisecond are cut off.
  static func spelled(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    guard milliseconds != 0 else { return "0s" }
    let unit = units.last { milliseconds % $0.milliseconds == 0 } ?? units[0]
    return "\(milliseconds / unit.milliseconds)\(unit.name)"
  }
}

/// A number such as `8.6`, kept exact until its unit is known.
struct DecimalNumber {
  private var digits: Int64 = 0
  /// 10 to the power of the number of digits after the point.
  private var scale: Int64 = 1

  /// Nil for anything but digits with at most one point between them, or for more digits than fit. It reads bytes,
  /// since large manifests have many numbers.
  init?(_ text: Substring.UTF8View) {
    var point = false
    var isAfterDigit = false
    for byte in text {
      if byte == UInt8(ascii: "."), !point, isAfterDigit {
        point = true
        isAfterDigit = false
        continue
      }
      let (shifted, overflow) = digits.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(Int64(byte) - 0x30)
      guard isDigit(byte), !overflow, !carry, !point || scale < 1_000_000_000 else { return nil }
      digits = sum
      if point { scale *= 10 }
      isAfterDigit = true
    }
    guard isAfterDigit else { return nil }
  }

  var isWhole: Bool { scale == 1 }

  /// This number times `unit`, rounded down; nil when that does not fit.
  func times(_ unit: Int64) -> Int64? {
    if scale == 1 {
      let (product, overflow) = digits.multipliedReportingOverflow(by: unit)
      return overflow ? nil : product
    }
    let product = digits.multipliedFullWidth(by: unit)
    guard product.high < scale else { return nil }
    let (quotient, _) = UInt64(scale).dividingFullWidth((UInt64(product.high), product.low))
    return Int64(exactly: quotient)
  }
}

extension Substring.UTF8View {
  /// The digits and points at its beginning.
  var numeral: Substring.UTF8View { prefix { isDigit($0) || $0 == UInt8(ascii: ".") } }
}

/// True for ASCII digits only.
func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
