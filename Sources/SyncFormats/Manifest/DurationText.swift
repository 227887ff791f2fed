// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

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
