// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("Content-Range")
struct ContentRangeTests {
  @Test(
    "the forms of RFC 9110 §14.4",
    arguments: [
      ("bytes 0-0/1", ContentRange.bytes(first: 0, last: 0, total: 1)),
      ("bytes 1000-1999/5000", .bytes(first: 1000, last: 1999, total: 5000)),
      ("Bytes 42-1233/*", .bytes(first: 42, last: 1233, total: nil)), ("bytes */5000", .unsatisfied(total: 5000)),
      ("bytes */0", .unsatisfied(total: 0)), (" bytes  1-2/3 ", .bytes(first: 1, last: 2, total: 3)),
      ("bytes 0-9223372036854775806/9223372036854775807", .bytes(first: 0, last: .max - 1, total: .max)),
      ("bytes 0-9223372036854775807/*", .bytes(first: 0, last: .max, total: nil)),
    ])
  func legal(value: String, expected: ContentRange) { #expect(ContentRange(value) == expected) }

  @Test(
    "anything else is none",
    arguments: [
      "", "bytes", "bytes ", "bytes 1-2", "bytes 1-2/", "bytes -2/3", "bytes 1-/3", "bytes 2-1/3", "bytes 1-3/3",
      "bytes */*", "bytes 1-2/3/4", "bytes 1-2-3/4", "bytes=1-2/3", "items 1-2/3", "bytes +1-2/3", "bytes 1 - 2/3",
      "bytes 0x1-2/3", "bytes 1-2/-3", "bytes 0-1/99999999999999999999", "bytes 1,5-2/3",
    ])
  func refused(value: String) { #expect(ContentRange(value) == nil) }
}
