// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@testable import SyncCore

@Suite("the report of making room")
struct RoomReportTests {
  private func room(_ needed: Int64, budget: ByteCount? = nil) throws -> EvictResult {
    let manifest = Manifest(name: "car", library: LibrarySettings(path: "/library"))
    var eviction = EvictionPlan(
      .bytes(ByteCount(needed)), queue: Queue(libraryID: "", savedAt: ReportSamples.start),
      seen: LibraryObservation(freeSpace: .zero), manifest: manifest, now: ReportSamples.start)
    eviction.plan.steps = [
      try ReportSamples.step("a", .evict, .lowestScore, bytes: 1024, path: "mix/A\u{202E}.mp3", score: 0.5),
      try ReportSamples.step("b", .evict, .orphanEvicted, bytes: 2048, path: "mix/B.mp3", score: 0.25),
    ]
    eviction.plan.storage.before = ByteCount(8192)
    eviction.plan.storage.budget = budget
    eviction.protected = [
      .pinned: .init(items: 1, bytes: ByteCount(100)), .inProgress: .init(items: 2, bytes: ByteCount(200)),
      .kept: .init(items: 1, bytes: ByteCount(300)), .tooYoung: .init(items: 3, bytes: ByteCount(400)),
    ]
    return EvictResult(eviction, nil)
  }

  private func text(_ room: EvictResult) -> String { room.text(StoragePolicy(), style: TextStyle(hasColor: false)) }

  @Test("says what goes, and what stays and why when that is not enough")
  func people() throws {
    #expect(
      text(try room(3000)) == #"""
          - mix/A\u{202E}.mp3  1.00 KiB  least used, and room is needed
          - mix/B.mp3          2.00 KiB  no playlist names it, and room is needed
        would evict 2 items, freeing 3.00 KiB

        """#)
    #expect(
      text(try room(4096)).hasSuffix(
        "\n1.00 KiB could not be freed: 1 item (100 B) is pinned, 2 items (200 B) are in progress, "
          + "1 item (300 B) is kept by retain, 3 items (400 B) are younger than storage.evict.min_age (1 d)\n"))
  }

  @Test("what others changed and what is unfinished is named: the library is not empty")
  func leftAlone() throws {
    var room = try room(4096)
    room.eviction.protected = [.changedByOthers: .init(items: 1, bytes: ByteCount(100))]
    room.eviction.plan.storage.partial = ByteCount(2048)
    #expect(
      text(room).hasSuffix(
        "\n1.00 KiB could not be freed: 1 item (100 B) was changed by others and not removed, "
          + "2.00 KiB are unfinished, for runs to go on with\n"))
    room.eviction.protected = [.changedByOthers: .init(items: 2)]
    room.eviction.plan.storage.partial = .zero
    #expect(
      text(room).hasSuffix("could not be freed: 2 items were changed by others and not removed\n"))
  }

  @Test("with the trash it names that, too, and without any need what the library holds")
  func others() throws {
    var room = try room(10)
    room.trash = ByteCount(512)
    room.isDryRun = false
    #expect(text(room).hasPrefix("  - the trash             512 B  goes first\n  - mix/A"))
    #expect(text(room).hasSuffix("evicted 2 items and the trash, freeing 3.50 KiB\n"))
    room.lines = []
    #expect(text(room) == "  - the trash  512 B  goes first\nevicted the trash, freeing 512 B\n")
    room.eviction.needed = .zero
    (room.trash, room.eviction.plan.storage.after) = (.zero, ByteCount(8192))
    #expect(text(room) == "nothing to evict: the library holds 8.00 KiB\n")
    room.eviction.plan.storage.budget = ByteCount(16384)
    #expect(text(room) == "nothing to evict: the library holds 8.00 KiB, 50 % of its budget\n")
  }

  @Test("as JSON it has the same")
  func json() throws {
    let expected =
      #"{"format":"syncjob-evict","version":1,"dry_run":true,"bytes_needed":4096,"bytes_freed":3072,"#
      + #""bytes_lacking":1024,"evicted":[{"id":"a","path":"mix/A\u202e.mp3","bytes":1024,"#
      + #""reason":"lowest_score","reason_text":"least used, and room is needed","score":0.5},{"id":"b","path":"mix/B.mp3","bytes":2048,"#
      + #""reason":"orphan_evicted","reason_text":"no playlist names it, and room is needed","score":0.25}],"trash":0,"protected":{"#
      + #""pinned":{"items":1,"bytes":100},"in_progress":{"items":2,"bytes":200},"kept":{"items":1,"bytes":300},"#
      + #""too_young":{"items":3,"bytes":400}}}"# + "\n"
    #expect(String(decoding: try room(4096).json(), as: UTF8.self) == expected)
  }
}
