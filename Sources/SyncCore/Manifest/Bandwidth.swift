// SPDX-License-Identifier: Apache-2.0

/// The rate at which all transfers together may receive, either constant or by time of the week.
package enum Bandwidth: Hashable, Sendable {
  case unlimited
  case rate(ByteRate)
  case timetable(Timetable)

  /// The limit at a moment of the local clock. Nil for no limit.
  package func limit(at time: LocalTime) -> ByteRate? {
    switch self {
    case .unlimited: nil
    case .rate(let rate): rate
    case .timetable(let timetable): timetable.limit(at: time)
    }
  }
}

/// A rate in bytes per second.
package struct ByteRate: Hashable, Comparable, Sendable {
  /// The lowest allowed rate. Below it, a transfer would wait for one piece longer than servers tolerate.
  package static let lowest = ByteRate(1 << 10)

  package let bytesPerSecond: Int64

  /// - Precondition: `bytesPerSecond` is positive.
  package init(_ bytesPerSecond: Int64) {
    precondition(bytesPerSecond > 0, "a rate of nothing would never end")
    self.bytesPerSecond = bytesPerSecond
  }

  package static func < (a: Self, b: Self) -> Bool { a.bytesPerSecond < b.bytesPerSecond }
}

package enum Weekday: Int, CaseIterable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// The weekday the given number of days earlier.
  func earlier(by days: Int) -> Weekday { Self.allCases[(rawValue + 7 - days % 7) % 7] }
}

/// A moment as a wall clock shows it, which is what a timetable refers to. When a clock is put forward or back, it
/// shows another time and another entry may apply. No special handling is needed here.
package struct LocalTime: Hashable, Sendable {
  package var weekday: Weekday
  /// Minutes since midnight as shown, below 1440.
  package var minute: Int
  package init(_ weekday: Weekday, minute: Int) {
    self.weekday = weekday
    self.minute = minute
  }
}

/// Limits that begin at times of the day.
/// Each applies until the next one begins, across midnight and across the end of the week.
package struct Timetable: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// Nil for every day.
    package var weekday: Weekday?
    /// Minutes since midnight.
    package var minute: Int
    /// Nil for no limit.
    package var limit: ByteRate?
    package init(weekday: Weekday? = nil, minute: Int, limit: ByteRate?) {
      self.weekday = weekday
      self.minute = minute
      self.limit = limit
    }
  }

  /// The entries as written. Never empty; no two have the same time.
  package let entries: [Entry]

  /// Returns nil without entries, or if two entries begin at the same time of the
  /// same day, or both at the same time of every day.
  package init?(_ entries: [Entry]) {
    let starts = Set(entries.map { Entry(weekday: $0.weekday, minute: $0.minute, limit: nil) })
    guard !entries.isEmpty, starts.count == entries.count else { return nil }
    self.entries = entries
  }

  /// The limit of the entry that began last.
  /// An entry for one weekday takes precedence over one for every day at the same time.
  package func limit(at time: LocalTime) -> ByteRate? {
    // Includes the same weekday a second time: its later times began a week ago.
    for days in 0...7 {
      let day = time.weekday.earlier(by: days)
      let begun = entries.filter { entry in
        (entry.weekday ?? day) == day && (days > 0 || entry.minute <= time.minute)
      }
      let latest = begun.max { ($0.minute, $0.weekday == nil ? 0 : 1) < ($1.minute, $1.weekday == nil ? 0 : 1) }
      if let latest { return latest.limit }
    }
    return nil
  }
}
