// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import SyncFormats
import SyncTestSupport
import Testing

@testable import SyncDisk

/// A queue file whose checks fail is held against what was recorded, and against the media.
@Suite("a queue file in doubt")
struct DoubtfulQueueTests {
  private typealias Work = StateWorkshop

  private static func file(_ name: String, _ digest: Character) throws -> StoredFile {
    StoredFile(
      path: try #require(LibraryPath("m/\(name).mp3")), size: ByteCount(77),
      sha256: try #require(SHA256Digest(hex: String(repeating: digest, count: 64))), completedAt: Work.now)
  }

  /// Two finished items, one that failed and one that waits, by two runs.
  private static func library() async throws -> Work {
    let work = Work()
    try await work.run([
      .item(try Work.item("e1", .completed(try file("e1", "a")))), .item(try Work.failed("e3")),
    ])
    try await work.run([
      .item(try Work.item("e2", .completed(try file("e2", "b")))), .item(try Work.item("e4")),
    ])
    return work
  }

  private func read(_ work: Work, media: [StoredFile]) throws -> LoadedQueue? {
    LoadedQueue(
      try StateReading(
        try work.folder(), libraryID: Work.libraryID, bootID: Work.bootID, rebuilds: true,
        holds: { file in media.contains { $0.path == file.path && $0.sha256 == file.sha256 && $0.size == file.size } }))
  }

  private static func media() throws -> [StoredFile] { [try file("e1", "a"), try file("e2", "b")] }

  private func edited(_ work: Work, _ changes: (String, String)...) throws {
    var text = String(decoding: try #require(try work.bytes(.queue)), as: UTF8.self)
    for (old, new) in changes { text.replaceSubrange(try #require(text.firstRange(of: old)), with: new) }
    try work.replace(.queue, Array(text.utf8))
  }

  private func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

  @Test("after any flipped bit each file is still its item's, nothing is forgotten, and it is told")
  func flippedBits() async throws {
    let work = try await Self.library()
    let good = try #require(try work.bytes(.queue))
    let queue = try #require(try work.read()?.queue)
    let folder = try work.folder()
    var chance = SplitMix64(seed: Torture.seed)
    for index in good.indices {
      for bit in Torture.share(of: Array(0..<8), atMost: 1, &chance) {
        var damaged = good
        damaged[index] ^= 1 << UInt8(bit)
        try work.replace(.queue, damaged)
        let opened: LoadedQueue?
        do throws(StateError) {
          opened = LoadedQueue(
            try StateReading(folder, libraryID: Work.libraryID, bootID: Work.bootID, rebuilds: true))
        } catch {
          // A version that does not exist yet.
          guard case .newerVersion = error else { throw error }
          continue
        }
        let found = try #require(opened)
        #expect(!found.recovery.notes.isEmpty, "bit \(bit) of byte \(index) is taken in silence")
        #expect(found.queue.items.map(\.id) == queue.items.map(\.id), "bit \(bit) of byte \(index)")
        #expect(found.queue.items.map(\.state) == queue.items.map(\.state), "bit \(bit) of byte \(index)")
        #expect(found.queue.libraryID == queue.libraryID && found.recovery.loss == nil)
      }
    }
  }

  @Test("an edit that no file contradicts is taken, told, and has a check from then on")
  func edit() async throws {
    let work = try await Self.library()
    try edited(work, (#""id":"e2","state":"completed""#, #""id":"e2","state":"completed","pinned":true"#))
    let opened = try #require(try read(work, media: Self.media()))
    #expect(opened.recovery.notes == [.linesEdited([try id("e2")])])
    #expect(opened.queue[try id("e2")]?.pinned == true)
    try await work.store().close(now: Work.now)
    #expect(try work.read()?.recovery.isEmpty == true)
    #expect(try work.read()?.queue[try id("e2")]?.pinned == true)
    // And so it is once the file is lost.
    try work.replace(.queue, [])
    #expect(try work.read()?.queue[try id("e2")]?.pinned == true)
  }

  @Test("a line without a check that says what was recorded is believed")
  func checkMissing() async throws {
    let work = try await Self.library()
    let text = String(decoding: try #require(try work.bytes(.queue)), as: UTF8.self)
    let check = try #require(text.firstRange(of: #","crc":""#))
    try edited(work, (String(text[check.lowerBound...].prefix(17)), ""))
    #expect(try read(work, media: [])?.recovery.notes == [.checksRenewed])
  }

  @Test("files that two lines exchanged go back to their items, though each fits what is there")
  func exchanged() async throws {
    let work = try await Self.library()
    let (a, b) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
    try edited(
      work, ("m/e1.mp3", "m/x.mp3"), ("m/e2.mp3", "m/e1.mp3"), ("m/x.mp3", "m/e2.mp3"), (a, "A"), (b, a), ("A", b))
    let opened = try #require(try read(work, media: Self.media()))
    #expect(opened.recovery.notes == [.linesRestored([try id("e1"), try id("e2")])])
    #expect(opened.queue[try id("e1")]?.state == .completed(try Self.file("e1", "a")))
  }

  @Test("a person who moved a file and wrote down where it is now is believed")
  func movedByHand() async throws {
    let work = try await Self.library()
    try edited(work, ("m/e1.mp3", "m/moved.mp3"))
    let opened = try #require(
      try read(work, media: [try Self.file("moved", "a"), try Self.file("e2", "b")]))
    #expect(opened.recovery.notes == [.linesEdited([try id("e1")])])
    #expect(opened.queue[try id("e1")]?.state.storedFile?.path.text == "m/moved.mp3")
  }

  @Test("a line that is lost comes back, and one that nobody knows is believed when its file is there")
  func comingAndGoing() async throws {
    let work = try await Self.library()
    var lines = try #require(try work.bytes(.queue)).split(separator: 10, omittingEmptySubsequences: false)
    let place = try #require(lines.firstIndex { $0.starts(with: Array(#"{"id":"e2""#.utf8)) })
    let line = lines.remove(at: place)
    try work.replace(.queue, Array(lines.joined(separator: [10])))
    #expect(try read(work, media: [])?.recovery.notes == [.linesRestored([try id("e2")])])
    var other = String(decoding: line, as: UTF8.self)
    for (old, new) in [("e2", "e9"), ("m/e2", "m/e9")] {
      other.replaceSubrange(try #require(other.firstRange(of: old)), with: new)
    }
    lines.insert(line, at: place)
    lines.insert(Array(other.utf8)[...], at: place)
    try work.replace(.queue, Array(lines.joined(separator: [10])))
    #expect(try read(work, media: [])?.queue[try id("e9")] == nil)
    #expect(try read(work, media: [try Self.file("e9", "b")])?.recovery.notes == [.linesEdited([try id("e9")])])
  }

  @Test("with no earlier copy a doubtful line with a file is left to the library, and the others stay")
  func alone() async throws {
    let work = try await Self.library()
    for file in [StateFolder.File.previous, .previousJournal] {
      try work.files.removeFile(try work.folder().place(file))
    }
    try edited(work, ("m/e1.mp3", "m/e7.mp3"))
    let opened = try #require(try read(work, media: Self.media()))
    #expect(opened.recovery.notes == [.linesLost([try id("e1")], problem: nil)])
    #expect(opened.recovery.loss == .lines)
    #expect(Work.ids(opened.queue) == ["e3", "e2", "e4"])
    let store = try await work.store()
    #expect(store.opened.recovery.keptAside.count == 1)
    try store.close(now: Work.now)
    #expect(try work.read()?.recovery.isEmpty == true)
  }

  @Test("a journal that follows a queue file in doubt loses nothing")
  func withJournal() async throws {
    let work = try await Self.library()
    let store = try await work.store()
    try store.record([.item(try Work.item("e5")), .item(try Work.failed("e1"))], now: .now)
    try store.sync()
    let after = Work(try #require(work.files as? MemoryFileSystem).afterKill())
    try edited(after, (#""generation":2"#, #""generation":6"#), ("m/e2.mp3", "m/e8.mp3"))
    let opened = try #require(try read(after, media: Self.media()))
    #expect(Work.ids(opened.queue) == ["e1", "e3", "e2", "e4", "e5"])
    #expect(opened.queue[try id("e1")]?.state.name == .failed)
    #expect(opened.queue[try id("e2")]?.state == .completed(try Self.file("e2", "b")))
  }

  @Test("a file of an earlier version gets its checks when it is first opened")
  func earlierVersion() async throws {
    let work = try await Self.library()
    let good = try #require(try work.bytes(.queue))
    let queue = try #require(try work.read()?.queue)
    var text = String(decoding: good, as: UTF8.self)
    for _ in queue.items {
      let check = try #require(text.firstRange(of: #","crc":""#))
      text.replaceSubrange(check.lowerBound..<text.index(check.lowerBound, offsetBy: 17), with: "")
    }
    let end = try #require(text.firstRange(of: ",\n\"count\""))
    try work.replace(.queue, Array((text[..<end.lowerBound] + "}\n").utf8))
    #expect(try read(work, media: [])?.recovery.isEmpty == true)
    try await work.store().close(now: Work.now)
    #expect(try work.bytes(.queue) == good)
  }
}
