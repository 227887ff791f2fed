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
      EditWords.keptFile(id, .notOurs(path))
        == #""mix/Night.mp3" stays: it is not the file that was fetched for "night"; move it away yourself"#)
    #expect(
      EditWords.keptFile(id, .refused(path, FileError(.move, "/x", code: .eacces)))
        == #""mix/Night.mp3" cannot be removed and stays: permission denied; check who owns it and who may write there"#
    )
    #expect(
      EditWords.keptFile(id, .refused(path, FileError(.move, "/x", code: .exdev)))
        == #""mix/Night.mp3" stays: its folder is on another file system than the trash; remove it yourself, or"#
        + " unmount the folder")
  }
}
