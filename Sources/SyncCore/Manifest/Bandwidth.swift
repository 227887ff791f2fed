// SPDX-License-Identifier: Apache-2.0

/// How much all transfers together may receive in a second: always the same, or by the hours of the week.
package enum Bandwidth: Hashable, Sendable {
  case unlimited
  case rate(ByteRate)
  case timetable(Timetable)

  /// The limit at a moment of the local clock; nil for none.
  package func limit(at time: LocalTime) -> ByteRate? {
    switch self {
    case .unlimited: nil
    case .rate(let rate): rate
    case .timetable(let timetable): timetable.limit(at: time)
    }
  }
}

/// Bytes a second.
package struct ByteRate: Hashable, Comparable, Sendable {
  /// Below this a transfer would wait longer for one piece than servers have patience.
  package static let lowest = ByteRate(1 << 10)

  package let bytesPerSecond: Int64

  /// - Precondition: more than nothing.
  package init(_ bytesPerSecond: Int64) {
    precondition(bytesPerSecond > 0, "a rate of nothing would never end")
    self.bytesPerSecond = bytesPerSecond
  }

  package static func < (a: Self, b: Self) -> Bool { a.bytesPerSecond < b.bytesPerSecond }
}

package enum Weekday: Int, CaseIterable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// So many days earlier, at most a week.
  func earlier(by days: Int) -> Weekday { Self.allCases[(rawValue + 7 - days % 7) % 7] }
}

/// A moment as a clock on the wall shows it: what a timetable is written for. A clock that is put forward or back shows
/// another time, and with it another entry may hold; nothing has to be known of that here.
package struct LocalTime: Hashable, Sendable {
  package var weekday: Weekday
  /// Since midnight, as shown: below 1440.
  package var minute: Int
  package init(_ weekday: Weekday, minute: Int) {
    self.weekday = weekday
    self.minute = minute
  }
}

/// Limits that begin at times of the day: each holds until the next one begins, over midnight and over the week's end.
package struct Timetable: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// Nil: every day.
    package var weekday: Weekday?
    /// Since midnight.
    package var minute: Int
    /// Nil: no limit.
    package var limit: ByteRate?
    package init(weekday: Weekday? = nil, minute: Int, limit: ByteRate?) {
      self.weekday = weekday
      self.minute = minute
      self.limit = limit
    }
  }

  /// As written; never empty, no two at one time.
  package let entries: [Entry]

  /// Nil without entries, or when two begin at one time of one day, or both at one time of every day.
  package init?(_ entries: [Entry]) {
    let starts = Set(entries.map { Entry(weekday: $0.weekday, minute: $0.minute, limit: nil) })
    guard !entries.isEmpty, starts.count == entries.count else { return nil }
    self.entries = entries
  }

  /// The entry that began last. What is written for one weekday counts before what is written for all at the same time.
  package func limit(at time: LocalTime) -> ByteRate? {
    // The same weekday once more: its later times began a week ago.
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
