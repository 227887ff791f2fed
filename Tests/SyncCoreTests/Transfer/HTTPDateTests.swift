// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("an HTTP date")
struct HTTPDateTests {
  @Test(
    "its three forms are one moment",
    arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func forms(value: String) throws { #expect(try Timestamp(httpDate: value) == time("1994-11-06T08:49:37Z")) }

  @Test("two digits are a year of this century up to 69", arguments: [("69", 2069), ("70", 1970), ("00", 2000)])
  func century(digits: String, year: Int) throws {
    #expect(try Timestamp(httpDate: "Sunday, 06-Nov-\(digits) 08:49:37 GMT") == time("\(year)-11-06T08:49:37Z"))
  }

  @Test(
    "anything else is none",
    arguments: [
      "", "garbage", "120", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 31 Feb 1994 08:49:37 GMT",
      "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, x6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
      "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
    ])
  func refused(value: String) { #expect(Timestamp(httpDate: value) == nil) }
}
