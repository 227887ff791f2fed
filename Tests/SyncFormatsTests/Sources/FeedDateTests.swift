// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("dates and durations of feeds")
struct FeedDateTests {
  @Test(
    "a date in any spelling gives its moment",
    arguments: [
      ("Mon, 05 Jan 2026 08:30:00 +0000", "2026-01-05T08:30:00Z"),
      ("Mon, 05 Jan 2026 08:30:00 GMT", "2026-01-05T08:30:00Z"),
      ("Mon, 5 Jan 2026 08:30 GMT", "2026-01-05T08:30:00Z"),
      ("05 Jan 2026 08:30:00 UT", "2026-01-05T08:30:00Z"),
      ("Mon 05 Jan 2026 08:30:00 Z", "2026-01-05T08:30:00Z"),
      ("Thur, 05 January 26 8:30:00 EST", "2026-01-05T13:30:00Z"),
      ("Monday, 5 Sept 1999 08:30:00 PDT", "1999-09-05T15:30:00Z"),
      ("05 Jan 99 08:30:00 +0100", "1999-01-05T07:30:00Z"), ("05 Jan 049 08:30:00", "2049-01-05T08:30:00Z"),
      ("Mon, 05 Jan 2026 08:30:00 +01:00", "2026-01-05T07:30:00Z"),
      ("Mon, 05 Jan 2026 08:30:00 GMT+0530", "2026-01-05T03:00:00Z"),
      ("Mon, 05 Jan 2026 08:30:00 -0330", "2026-01-05T12:00:00Z"),
      ("Mon, 05 Jan 2026 08:30:00+0100", "2026-01-05T07:30:00Z"),
      ("Mon, 05 Jan 2026 08:30:00 +0100 (CET)", "2026-01-05T07:30:00Z"),
      ("Mon, 05 Jan 2026 08:30:00 CEST", "2026-01-05T06:30:00Z"),
      ("Mon, 05 Jan 2026 08:30:00 XYZ", "2026-01-05T08:30:00Z"), ("Mon, 05 Jan 2026", "2026-01-05T00:00:00Z"),
      ("Mon,05 Jan 2026 08:30:00", "2026-01-05T08:30:00Z"), ("MON, 05 JAN 2026 08:30:00 gmt", "2026-01-05T08:30:00Z"),
      ("Mon Jan  5 08:30:00 2026", "2026-01-05T08:30:00Z"), ("January 5, 2026", "2026-01-05T00:00:00Z"),
      ("Wed, 31 Dec 2025 23:59:60 +0000", "2026-01-01T00:00:00Z"),
      ("  5 Mar 2026 00:00:00 -0000\n", "2026-03-05T00:00:00Z"),
      ("2026-01-05T08:30:00Z", "2026-01-05T08:30:00Z"), ("2026-01-05T08:30:00.123+01:00", "2026-01-05T07:30:00Z"),
      ("2026-01-05 08:30:00", "2026-01-05T08:30:00Z"), ("2026-01-05T08:30+0100", "2026-01-05T07:30:00Z"),
      ("2026-01-05 08:30:00 EST", "2026-01-05T13:30:00Z"), ("2026-01-05", "2026-01-05T00:00:00Z"),
    ])
  func dates(text: String, expected: String) {
    #expect(Timestamp(feedText: text)?.rfc3339 == expected)
  }

  @Test(
    "what is no date is none",
    arguments: [
      "", "yesterday", "Mon", "05 Jan", "Jan 2026", "30 Feb 2026", "05 Foo 2026", "05 Jan 2026 25:00:00",
      "05 Jan 2026 8",
      "05 Jan 2026 08:30:00 +9900", "2026-13-05", "2026-1-5", "2026-01-05T", "2026-01-05Tnoon", "05/01/2026",
      "1767601800",
      "5 Jan 2026 8:30:00:00", "5 Jan 2026 8:30 9:30", "5 Jan 2026 08:30:00 GMT GMT", "5 Jan 2026 :",
      "99999999999999999999 Jan 2026",
    ])
  func noDates(text: String) {
    // An empty rest behind the `T` still tells the day.
    #expect(Timestamp(feedText: text) == (text == "2026-01-05T" ? Timestamp(rfc3339: "2026-01-05") : nil))
  }

  @Test(
    "a duration in any spelling gives its length",
    arguments: [
      ("1:02:03", .seconds(3723)), ("01:02:03", .seconds(3723)), ("62:03", .seconds(3723)), ("3723", .seconds(3723)),
      (" 3723 ", .seconds(3723)), ("00:00:30", .seconds(30)), ("3:45.5", .milliseconds(225_500)),
      ("12.25", .milliseconds(12_250)), ("12.", .seconds(12)), ("1:75:00", .seconds(8100)),
      ("1: 02 :03", .seconds(3723)),
      ("12.123456", .milliseconds(12_123)), ("0.5", .milliseconds(500)),
    ] as [(String, Duration)])
  func durations(text: String, expected: Duration) {
    #expect(Duration(feedText: text) == expected)
  }

  @Test(
    "what is no duration is none",
    arguments: [
      "", "0", "00:00", "0:00:00", "-5", "+5", "1:-2", "abc", "12 min", "1:2:3:4", ":", "1:", ":30", "1::2", "1e3", "٣",
      "12.5.5", "1.5:00", "99999999999999999999", "0x10",
    ])
  func noDurations(text: String) {
    #expect(Duration(feedText: text) == nil)
  }
}
