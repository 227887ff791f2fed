// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("civil time")
struct CivilTimeTests {
  @Test(
    "known moments have their seconds",
    arguments: [
      ("1970-01-01T00:00:00Z", Int64(0)), ("1969-12-31T23:59:59Z", -1), ("2000-02-29T12:00:00Z", 951_825_600),
      ("2001-09-09T01:46:40Z", 1_000_000_000), ("2038-01-19T03:14:08Z", 2_147_483_648),
      ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
  func known(text: String, seconds: Int64) {
    #expect(Timestamp(secondsSince1970: seconds).rfc3339 == text)
    #expect(Timestamp(rfc3339: text) == Timestamp(secondsSince1970: seconds))
  }

  @Test("every day of four centuries follows the one before, there and back")
  func everyDay() throws {
    let first = try time("1890-01-01")
    var previous: CivilTime?
    for day in 0..<146_097 {
      let moment = Timestamp(secondsSince1970: first.secondsSince1970 + Int64(day) * 86_400)
      let civil = CivilTime(moment)
      guard civil.timestamp == moment, follows(previous, civil) else {
        Issue.record("day \(day) is \(civil)")
        return
      }
      previous = civil
    }
    #expect(previous == CivilTime(year: 2289, month: 12, day: 31))
  }

  private func follows(_ previous: CivilTime?, _ next: CivilTime) -> Bool {
    guard let previous else { return true }
    if next.day == previous.day + 1 { return next.month == previous.month && next.year == previous.year }
    guard next.day == 1, (28...31).contains(previous.day) else { return false }
    return next.month == 1
      ? previous.month == 12 && next.year == previous.year + 1 : next.month == previous.month + 1
  }

  @Test("random moments of ten thousand years come back")
  func roundTrip() {
    var random = SeededGenerator(1)
    for _ in 0..<20_000 {
      let moment = Timestamp(secondsSince1970: .random(in: -62_167_219_200...253_402_300_799, using: &random))
      #expect(CivilTime(moment).timestamp == moment)
      #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
    }
  }

  @Test(
    "a leap year has a 29 February",
    arguments: [(2024, true), (2023, false), (1900, false), (2000, true), (2100, false), (0, true)])
  func leapYear(year: Int, isLeap: Bool) {
    #expect((CivilTime(year: year, month: 2, day: 29) != nil) == isLeap)
    #expect(CivilTime(year: year, month: 2, day: 30) == nil)
  }

  @Test(
    "a field out of its range is refused",
    arguments: [
      [2026, 0, 1, 0, 0, 0], [2026, 13, 1, 0, 0, 0], [2026, 4, 31, 0, 0, 0], [2026, 1, 0, 0, 0, 0],
      [2026, 1, 1, 24, 0, 0], [2026, 1, 1, 0, 60, 0], [2026, 1, 1, 0, 0, 61], [-1, 1, 1, 0, 0, 0],
      [10_000, 1, 1, 0, 0, 0], [2026, 1, 1, -1, 0, 0],
    ])
  func refused(_ f: [Int]) {
    #expect(CivilTime(year: f[0], month: f[1], day: f[2], hour: f[3], minute: f[4], second: f[5]) == nil)
  }

  @Test("a leap second is the second behind it")
  func leapSecond() throws {
    #expect(try time("2016-12-31T23:59:60Z") == time("2017-01-01T00:00:00Z"))
  }
}

@Suite("a timestamp")
struct TimestampTests {
  @Test("part of a second rounds up, so that no wait is cut short")
  func roundsUp() throws {
    let start = try time("2026-01-01T00:00:00Z")
    #expect(try start + .milliseconds(1) == time("2026-01-01T00:00:01Z"))
    #expect(try start + .seconds(2) == time("2026-01-01T00:00:02Z"))
    #expect(try start - .milliseconds(1500) == time("2025-12-31T23:59:59Z"))
    #expect(try start - .days(1) == time("2025-12-31T00:00:00Z"))
  }

  @Test("the distance of the first and last moment that a file system can have is a duration")
  func extremes() {
    let (first, last) = (Timestamp(secondsSince1970: .min), Timestamp(secondsSince1970: .max))
    #expect(last - first > .days(365))
    #expect(first - last < .zero)
  }
}
