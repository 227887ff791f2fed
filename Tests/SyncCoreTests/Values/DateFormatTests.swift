// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a date format")
struct DateFormatTests {
  @Test(
    "strftime's letters are filled in",
    arguments: [
      ("%Y-%m-%d", "2026-01-05"), ("%H.%M.%S", "08.03.07"), ("100%%", "100%"), ("day %d", "day 05"),
      ("%Y%Y", "20262026"),
    ])
  func formatted(format: String, expected: String) throws {
    #expect(CivilTime.accepts(format: format))
    #expect(CivilTime(try time("2026-01-05T08:03:07Z")).formatted(format) == expected)
  }

  @Test("a year has four digits")
  func year() throws { #expect(CivilTime(try time("0033-04-03")).formatted("%Y") == "0033") }

  @Test("other letters, a lone percent sign and a separator are refused", arguments: ["", "%", "%Y-%", "%B", "%Y/%m"])
  func refused(format: String) { #expect(!CivilTime.accepts(format: format)) }
}
