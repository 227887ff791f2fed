// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
  private static let now = Timestamp(secondsSince1970: 784_111_777 - 90)

  @Test(
    "is seconds or a date, at most a year, never negative",
    arguments: [
      ("0", Duration.zero), ("2", .seconds(2)), ("31536000", .days(365)), ("31536001", .days(365)),
      ("99999999999999999999999", .days(365)), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(90)),
      ("Sun, 06 Nov 1984 08:49:37 GMT", .zero), ("Fri, 31 Dec 9999 23:59:59 GMT", .days(365)),
    ])
  func legal(value: String, wait: Duration) { #expect(RetryAfter.wait(value, now: Self.now) == wait) }

  @Test("garbage asks for nothing", arguments: ["", "-5", "+5", "1.5", "soon", "5 minutes", "５", "1e9", " 5"])
  func garbage(value: String) { #expect(RetryAfter.wait(value, now: Self.now) == nil) }
}
