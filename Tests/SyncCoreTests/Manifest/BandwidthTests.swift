// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("bandwidth by the clock on the wall")
struct BandwidthTests {
  private static let slow = ByteRate(1 << 10)
  private static let fast = ByteRate(1 << 20)

  private static func entry(_ hour: Int, _ minute: Int, _ limit: ByteRate?) -> Timetable.Entry {
    Timetable.Entry(minute: hour * 60 + minute, limit: limit)
  }

  private static func entry(_ day: Weekday, _ hour: Int, _ minute: Int, _ limit: ByteRate?) -> Timetable.Entry {
    Timetable.Entry(weekday: day, minute: hour * 60 + minute, limit: limit)
  }

  private static let workday = [entry(8, 0, slow), entry(23, 0, nil)]
  private static let week = [entry(.monday, 8, 30, slow), entry(.friday, 18, 0, fast), entry(.sunday, 12, 0, nil)]
  private static let mixed = [entry(8, 0, slow), entry(.saturday, 8, 0, fast), entry(20, 0, nil)]

  @Test(
    "each entry holds until the next one begins, over midnight and over the week's end",
    arguments: [
      (workday, Weekday.tuesday, 8, 0, slow), (workday, .tuesday, 22, 59, slow), (workday, .tuesday, 23, 0, nil),
      // After midnight the last entry of the day before applies.
      (workday, .tuesday, 0, 0, nil), (workday, .tuesday, 7, 59, nil),
      (week, .monday, 8, 29, nil), (week, .monday, 8, 30, slow), (week, .friday, 17, 59, slow),
      (week, .friday, 18, 0, fast), (week, .sunday, 11, 59, fast), (week, .sunday, 12, 0, nil),
      // The same across the end of the week.
      (week, .monday, 0, 0, nil),
      // A single entry applies from the same day of the week before.
      ([entry(.monday, 8, 30, slow)], .monday, 8, 29, slow), ([entry(.monday, 8, 30, slow)], .sunday, 0, 0, slow),
      // An entry for a day precedes one for all days.
      (mixed, .saturday, 8, 0, fast), (mixed, .saturday, 19, 59, fast), (mixed, .saturday, 20, 0, nil),
      (mixed, .sunday, 8, 0, slow), (mixed, .sunday, 7, 59, nil),
      // A clock put forward from 2:00 to 3:00 shows 3:00 next. One put back shows 2:00 to 2:59 twice.
      ([entry(2, 30, slow), entry(4, 0, nil)], .sunday, 1, 59, nil),
      ([entry(2, 30, slow), entry(4, 0, nil)], .sunday, 3, 0, slow),
      ([entry(2, 30, slow), entry(4, 0, nil)], .sunday, 2, 0, nil),
    ] as [([Timetable.Entry], Weekday, Int, Int, ByteRate?)])
  func limit(entries: [Timetable.Entry], day: Weekday, hour: Int, minute: Int, expected: ByteRate?) throws {
    let moment = LocalTime(day, minute: hour * 60 + minute)
    let timetable = try #require(Timetable(entries))
    #expect(Bandwidth.timetable(timetable).limit(at: moment) == expected)
    // The written order of the entries does not matter.
    #expect(try #require(Timetable(entries.reversed())).limit(at: moment) == expected)
  }

  @Test("a rate holds always, and off is no limit")
  func constant() {
    let noon = LocalTime(.monday, minute: 720)
    #expect(Bandwidth.rate(Self.slow).limit(at: noon) == Self.slow)
    #expect(Bandwidth.unlimited.limit(at: noon) == nil)
  }

  @Test("no timetable has two entries at one time, or none at all")
  func duplicates() {
    #expect(Timetable([]) == nil)
    #expect(Timetable([Self.entry(8, 0, Self.slow), Self.entry(8, 0, nil)]) == nil)
    #expect(Timetable([Self.entry(.monday, 8, 0, Self.slow), Self.entry(.monday, 8, 0, nil)]) == nil)
    #expect(Timetable([Self.entry(8, 0, Self.slow), Self.entry(.monday, 8, 0, nil)]) != nil)
  }
}
