// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The manifest's spelling of durations, for flags.
package enum DurationSpelling {
  /// Reads `90`, `250ms`, `1h30m`, `3:45`; nil for anything else, and for more than a hundred years.
  package static func duration(_ text: String) -> Duration? {
    let scalar = ScalarText(text: text, written: YAMLScalar(text: text, isPlain: true), hasVariables: false)
    do throws(ValueProblem) { return try DurationText.read(scalar) } catch { return nil }
  }
}

/// `90`, `250ms`, `1h30m`, `3:45`, `1:02:03`. To the millisecond.
enum DurationText {
  /// A hundred years: enough for every key, and far from overflow.
  private static let longest: Int64 = 36_500 * 86_400_000

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
  ]

  /// Nil for what is no duration.
  static func read(_ scalar: ScalarText) throws(ValueProblem) -> Duration? {
    if scalar.text.hasPrefix("-"), milliseconds(scalar.text.dropFirst()) != nil {
      throw .outOfRange(scalar.found, lowest: "0s", highest: nil)
    }
    guard let sum = milliseconds(scalar.text[...]) else { return nil }
    guard sum <= longest else { throw .outOfRange(scalar.found, lowest: nil, highest: spelled(.milliseconds(longest))) }
    return .milliseconds(sum)
  }

  /// More than fits counts as the largest number.
  private static func milliseconds(_ text: Substring) -> Int64? {
    if let number = DecimalNumber(text) { return number.times(1000) ?? .max }
    return text.contains(":") ? clock(text) : sum(text)
  }

  private static func clock(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { DecimalNumber($0) }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers.dropLast().allSatisfy(\.isWhole),
      // Only the first may be as large as it likes: `75:00`, but not `1:75:00`.
      zip(parts, numbers).dropFirst().allSatisfy({ $0.prefix { $0 != "." }.count <= 2 && ($1.times(1) ?? 60) < 60 })
    else { return nil }
    return total(zip(numbers.reversed(), [1000, 60_000, 3_600_000]))
  }

  private static func sum(_ text: Substring) -> Int64? {
    var rest = text
    var terms: [(DecimalNumber, Int64)] = []
    while !rest.isEmpty {
      let numeral = rest.prefix { $0.isNumber || $0 == "." }
      let name = rest[numeral.endIndex...].prefix { $0.isLetter }
      guard let number = DecimalNumber(numeral), let unit = units.first(where: { $0.name == name }) else { return nil }
      terms.append((number, unit.milliseconds))
      rest = rest[name.endIndex...]
    }
    return terms.isEmpty ? nil : total(terms)
  }

  private static func total(_ terms: some Sequence<(DecimalNumber, Int64)>) -> Int64 {
    terms.reduce(0) { sum, term in
      let (result, overflow) = sum.addingReportingOverflow(term.0.times(term.1) ?? .max)
      return overflow ? .max : result
    }
  }

  /// In the largest unit that needs no fraction. What is finer than a millisecond is cut off.
  static func spelled(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    guard milliseconds != 0 else { return "0s" }
    let unit = units.last { milliseconds % $0.milliseconds == 0 } ?? units[0]
    return "\(milliseconds / unit.milliseconds)\(unit.name)"
  }
}
