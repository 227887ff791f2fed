// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("what an item is called")
struct ItemNamesTests {
  @Test(
    "its title, or its id where the title shows nothing",
    arguments: [
      ("Night Drive", "Night Drive"), ("", "night-drive"), (" \t\u{A0}\u{2003}", "night-drive"),
      ("\u{1B}[2J", "\\u{1B}[2J"), ("\u{200B}", "night-drive"),
    ])
  func called(_ title: String, _ shown: String) throws {
    #expect(try #require(ItemID("night-drive")).called(title) == shown)
  }
}
