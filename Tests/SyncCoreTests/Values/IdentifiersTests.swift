// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("an item's id")
struct ItemIDTests {
  @Test("is any short text without control characters", arguments: ["a", "night-drive", "é 🎵", "-rf", "../..", "a/b"])
  func legal(text: String) { #expect(ItemID(text)?.text == text) }

  @Test(
    "is refused when empty, too long or with control characters",
    arguments: ["", "a\nb", "\u{1B}[0m", "a\u{9B}", "a\u{7F}", "a\0", String(repeating: "x", count: 513)])
  func refused(text: String) { #expect(ItemID(text) == nil) }

  @Test("may have 512 bytes")
  func longest() { #expect(ItemID(String(repeating: "x", count: 512)) != nil) }

  @Test("is ordered by bytes, whatever the locale")
  func order() throws {
    let ids = try ["b", "B", "é", "a", "Z", "aa"].map(id)
    #expect(ids.sorted().map(\.text) == ["B", "Z", "a", "aa", "b", "é"])
  }
}

@Suite("a playlist's name")
struct PlaylistNameTests {
  @Test("is made of small letters, digits, points, dashes and underscores", arguments: ["a", "0", "a.b-c_d", "9lives"])
  func legal(text: String) { #expect(PlaylistName(text)?.text == text) }

  @Test(
    "anything else is refused",
    arguments: ["", "A", "-a", ".a", "_a", "a b", "a/b/c", "ä", "a\n", String(repeating: "a", count: 129)])
  func refused(text: String) { #expect(PlaylistName(text) == nil) }
}
