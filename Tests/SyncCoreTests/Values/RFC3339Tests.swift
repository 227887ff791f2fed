// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("RFC 3339")
struct RFC3339Tests {
  @Test(
    "every legal form is the same moment",
    arguments: [
      "2026-11-21T06:00:03Z", "2026-11-21t06:00:03z", "2026-11-21 06:00:03Z", "2026-11-21T06:00:03.999999Z",
      "2026-11-21T07:00:03+01:00", "2026-11-20T18:30:03-11:30", "2026-11-21T06:00:03+00:00",
      "2026-11-21T06:00:03-00:00", "2026-11-21T06:00:03.5+00:00",
    ])
  func legal(text: String) throws {
    #expect(try #require(Timestamp(rfc3339: text)).rfc3339 == "2026-11-21T06:00:03Z")
  }

  @Test("a plain date is its midnight")
  func date() throws { #expect(try time("2026-01-05") == time("2026-01-05T00:00:00Z")) }

  @Test(
    "anything else is refused",
    arguments: [
      "", "2026", "2026-1-5", "2026-01-05T", "2026-01-05T10:00", "2026-01-05T10:00Z", "2026-01-05T10:00:00",
      "2026-01-05X10:00:00Z", "2026-01-05T10:00:00.Z", "2026-01-05T10:00:00+1:00", "2026-01-05T10:00:00+0100",
      "2026-01-05T10:00:00+24:00", "2026-01-05T10:00:00+01:60", "2026-01-05T10:00:00Zx", "2026-13-01",
      "2026-02-30", "+026-01-05", "2026/01/05", "２０２６-01-05", " 2026-01-05", "2026-01-05 ",
      "2026-01-05T10:00:00 Z", "2026-01-05T10-00-00Z",
    ])
  func refused(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

  @Test(
    "a moment that could not be written again is refused",
    arguments: ["0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z"])
  func outOfRange(text: String) { #expect(Timestamp(rfc3339: text) == nil) }
}
