// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a date format")
struct DateFormatTests {
  @Test(
    "strftime's letters are filled in",
    arguments: [
      ("%Y-%m-%d", "2026-01-05"), ("%H.%M.%S", "08.03.07"), ("100%%", "100%"), ("day %d", "day 05"),
      ("%Y%Y", "20262026"), ("%y%j", "26005"), ("%F", "2026-01-05"), ("ü %d", "ü 05"),
    ])
  func formatted(format: String, expected: String) throws {
    #expect(CivilTime.accepts(format: format))
    #expect(CivilTime(try time("2026-01-05T08:03:07Z")).formatted(format) == expected)
  }

  @Test("a year has four digits")
  func year() throws { #expect(CivilTime(try time("0033-04-03")).formatted("%Y") == "0033") }

  @Test("the last day of a year has the highest number", arguments: [("2024-12-31", "366"), ("2025-12-31", "365")])
  func dayOfYear(day: String, expected: String) throws {
    #expect(CivilTime(try time(day)).formatted("%j") == expected)
  }

  @Test("other letters, a lone percent sign and a separator are refused", arguments: ["", "%", "%Y-%", "%B", "%Y/%m"])
  func refused(format: String) { #expect(!CivilTime.accepts(format: format)) }
}
