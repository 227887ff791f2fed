// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("words about edits of the queue")
struct EditWordsTests {
  @Test("name the item, what stays as it is, and why")
  func words() throws {
    let id = try #require(ItemID("night"))
    let path = try #require(LibraryPath("mix/Night.mp3"))
    #expect(
      EditWords.pinnedByManifest(id) == #""night" is pinned by the manifest; remove its `pin` there"#)
    #expect(
      EditWords.keptFile(id, path) == #""mix/Night.mp3" stays: it is not the file that was fetched for "night""#)
  }
}
