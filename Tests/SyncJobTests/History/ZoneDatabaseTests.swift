// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncJob
import SyncTestSupport
import Testing

@Suite("the time zones of this machine")
struct ZoneDatabaseTests {
  static var isHere: Bool { (try? FileBytes.read("/usr/share/zoneinfo/Europe/Berlin")) != nil }

  @Test(
    "zones are files of the database, and offsets need none", .enabled(if: isHere),
    arguments: [
      ("Europe/Berlin", true), ("UTC", true), ("+02:00", true), ("Europe", false), ("Europe/Berlik", false),
      ("Mars/X", false),
    ])
  func known(_ text: String, _ isKnown: Bool) throws {
    #expect(ZoneDatabase.knows(try #require(ZoneName(text))) == isKnown)
  }
}
