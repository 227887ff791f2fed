// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("why a file does not come back from the trash")
struct UndoWordsTests {
  private static let item = ItemID("night-drive")!
  private static let path = LibraryPath("Road/Night Drive.mp3")!

  @Test(
    "each cause has a name and a sentence of its own",
    arguments: [
      (.taken, "taken", "another file is in its place"),
      (.takenBy(item), "taken_by_item", "\"night-drive\" has its file in this place now"),
      (.obstructed, "obstructed", "something that is not a folder is in the way of its folder"),
      (.changed(item), "changed", "it is not what \"night-drive\" had here when it was removed"),
      (
        .hasItAgain(item, path), "has_it_again", "\"night-drive\" has the same file already: Road/Night Drive.mp3"
      ),
      (
        .unknown, "unknown",
        "no item that is marked as removed has this path and these contents (after retry an item is not)"
      ),
      (.missing, "missing", "it is not in the trash any more: that was emptied, or somebody took it"),
      (.expired(after: .days(7)), "expired", "it is not in the trash any more: storage.trash.keep is 7 d"),
      (
        .refused, "refused", "it may not be moved; check who owns the folders and who may write there"
      ),
      (
        .otherFileSystem, "other_file_system",
        "its folder is on another file system than the trash; copy it yourself, or unmount the folder"
      ),
    ] as [(UndoResult.Obstacle, String, String)])
  func causes(obstacle: UndoResult.Obstacle, name: String, words: String) {
    #expect(obstacle.name == name)
    #expect(obstacle.words == words)
  }

  @Test("what was removed later than what came back is told apart, within one second, too")
  func later() {
    let time = Timestamp(secondsSince1970: 1_800_000_000)
    var undoing = UndoResult(removedAt: time)
    for isLater in [true, false] {
      undoing.kept.append(
        UndoResult.Kept(path: Self.path, size: ByteCount(1), obstacle: .taken, removedAt: time, isLater: isLater))
    }
    let text = undoing.text(style: TextStyle(hasColor: false))
    #expect(text.hasSuffix(": 1 left in the trash, 1 of later removals left in the trash\n"), "\(text)")
  }
}
