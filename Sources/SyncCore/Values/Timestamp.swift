// SPDX-License-Identifier: Apache-2.0

/// A point in time in UTC, to the second.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let secondsSince1970: Int64

  package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  package static func < (a: Self, b: Self) -> Bool { a.secondsSince1970 < b.secondsSince1970 }

  package static func - (a: Self, b: Self) -> Duration {
    // Subtracts durations, because a file system may report any 64-bit time
    // and the difference may not fit into 64 bits.
    .seconds(a.secondsSince1970) - .seconds(b.secondsSince1970)
  }

  /// The time after `duration`. Fractions of a second round up, so that a delay is never cut short.
  package static func + (a: Self, duration: Duration) -> Self {
    let (seconds, fraction) = duration.components
    return Self(secondsSince1970: a.secondsSince1970 + seconds + (fraction > 0 ? 1 : 0))
  }

  package static func - (a: Self, duration: Duration) -> Self { a + (.zero - duration) }
}

/// A day, hour, minute and second of the proleptic Gregorian calendar in UTC.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  /// Returns nil if a field is out of range: month 13, 30 February, hour 24. A leap second counts as the next second.
  package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (0...9999).contains(year), (1...12).contains(month), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second),
      day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  package init(_ timestamp: Timestamp) {
    let (days, seconds) = timestamp.secondsSince1970.quotientAndRemainder(flooringBy: 86_400)
    // Howard Hinnant, "chrono-compatible low-level date algorithms": an era is 400 years from 1 March.
    let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    hour = Int(seconds / 3600)
    minute = Int(seconds % 3600 / 60)
    second = Int(seconds % 60)
  }

  package var timestamp: Timestamp {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let (era, yearOfEra) = shiftedYear.quotientAndRemainder(flooringBy: 400)
    let dayOfYear = (153 * Int64(month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Timestamp(
      secondsSince1970: days * 86_400 + Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second))
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension Duration {
  /// The duration in seconds, with fractions.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// The duration rounded to the nearest thousandth of a second.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let thousandths = (attoseconds + (attoseconds < 0 ? -1 : 1) * 500_000_000_000_000) / 1_000_000_000_000_000
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? (seconds < 0 ? .min : .max) : product &+ thousandths
  }

  package static func minutes(_ minutes: Int) -> Duration { .seconds(minutes * 60) }
  package static func hours(_ hours: Int) -> Duration { .seconds(hours * 3600) }
  package static func days(_ days: Int) -> Duration { .seconds(days * 86_400) }

  package var magnitude: Duration { self < .zero ? .zero - self : self }
}
