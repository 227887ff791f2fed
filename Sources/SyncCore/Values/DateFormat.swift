// SPDX-License-Identifier: Apache-2.0

extension CivilTime {
  /// True if every `%` letter of `format` is one of `Y y m d j F H M S %` and there is no `/`.
  package static func accepts(format: some StringProtocol) -> Bool {
    var letters = format.utf8.makeIterator()
    while let letter = letters.next() {
      if letter == UInt8(ascii: "/") { return false }
      guard letter == UInt8(ascii: "%") else { continue }
      guard let directive = letters.next(), "YymdjFHMS%".utf8.contains(directive) else { return false }
    }
    return !format.isEmpty
  }

  /// The date in the strftime letters that `accepts(format:)` allows. Other letters are left out.
  package func formatted(_ format: String) -> String {
    var bytes: [UInt8] = []
    write(format, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the result of `formatted`.
  package func write(_ format: String, into bytes: inout [UInt8]) {
    var letters = format.utf8.makeIterator()
    while let letter = letters.next() {
      guard letter == UInt8(ascii: "%") else {
        bytes.append(letter)
        continue
      }
      if let directive = letters.next() { write(directive: directive, into: &bytes) }
    }
  }

  private func write(directive: UInt8, into bytes: inout [UInt8]) {
    switch directive {
    case UInt8(ascii: "Y"): bytes.append(decimal: year, width: 4)
    case UInt8(ascii: "y"): bytes.append(decimal: year % 100, width: 2)
    case UInt8(ascii: "m"): bytes.append(decimal: month, width: 2)
    case UInt8(ascii: "d"): bytes.append(decimal: day, width: 2)
    case UInt8(ascii: "j"): bytes.append(decimal: dayOfYear, width: 3)
    case UInt8(ascii: "F"): write("%Y-%m-%d", into: &bytes)
    case UInt8(ascii: "H"): bytes.append(decimal: hour, width: 2)
    case UInt8(ascii: "M"): bytes.append(decimal: minute, width: 2)
    case UInt8(ascii: "S"): bytes.append(decimal: second, width: 2)
    case UInt8(ascii: "%"): bytes.append(directive)
    default: break
    }
  }

  /// The day of the year, counted from 1.
  private var dayOfYear: Int {
    guard let newYear = CivilTime(year: year, month: 1, day: 1) else { return 1 }
    return Int((timestamp.secondsSince1970 - newYear.timestamp.secondsSince1970) / 86_400) + 1
  }
}

extension [UInt8] {
  /// Appends a decimal number with leading zeros up to `width`. A negative number gets its sign in front.
  mutating func append(decimal number: Int, width: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    while count - start < width { append(UInt8(ascii: "0")) }
    self[start...].reverse()
  }
}
