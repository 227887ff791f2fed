// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import SyncFormats
import SyncTestSupport
import Testing

@testable import SyncDisk

@Suite("The indexes of long queue files") struct QueueIndexStoreTests {
  private typealias Work = StateWorkshop

  private static let program = SHA256Digest(hex: String(repeating: "2c", count: 32))!

  private func indexes(_ files: MemoryFileSystem, program: SHA256Digest = program) throws -> QueueIndexStore {
    let cache = try #require(UserCache(["XDG_CACHE_HOME": "/cache"], files))
    return QueueIndexStore(cache, program: program, minimumFree: .zero)
  }

  /// A queue file of more than 1 MiB.
  private static func items(_ count: Int = 3000) throws -> [QueueItem] {
    try (0..<count).map { number in
      var item = try Work.item("item-\(number)", title: String(repeating: "Long title ", count: 20))
      item.updatedAt = Work.now + .seconds(number)
      if number == 17 { item.pinned = true }
      return item
    }
  }

  /// A library with a long queue and its index.
  private func long(_ count: Int = 3000) async throws -> (work: Work, indexes: QueueIndexStore, bytes: [UInt8]) {
    let files = MemoryFileSystem()
    let (work, indexes) = (Work(files), try indexes(files))
    let store = try await work.store(indexes: indexes)
    try store.record(try Self.items(count).map { .item($0) }, now: .now)
    try store.close(now: Work.now)
    return (work, indexes, try #require(try work.bytes(.queue)))
  }

  @Test("are made of each long queue file that a run writes, and give the same items") func made() async throws {
    let (work, indexes, bytes) = try await long()
    let items = try #require(indexes.read(bytes, in: try work.folder())).items
    #expect(!items.areDecoded)
    let whole = try QueueFile.read(bytes).queue
    #expect(items.notable.map(\.id.text) == ["item-17"])
    #expect(items.latestUpdate == whole.items.map(\.updatedAt).max())
    #expect(items.item(whole.items[1234].id) == whole.items[1234])
    #expect(items.item(try #require(ItemID("another"))) == nil)
    #expect(!items.areDecoded)
    #expect(items.all.items == whole.items && items.areDecoded)
    #expect(items.item(whole.items[1234].id) == whole.items[1234])
    #expect(items.notable.map(\.id.text) == ["item-17"])
  }

  @Test("are made by the first reading where there is none") func madeLater() async throws {
    let (work, _, bytes) = try await long()
    guard let files = work.files as? MemoryFileSystem else { return }
    let other = try indexes(files, program: try #require(SHA256Digest(hex: String(repeating: "2d", count: 32))))
    // Another build of the program does not use the first one's.
    #expect(other.read(bytes, in: try work.folder()) == nil)
    try await work.store(indexes: other).close(now: Work.now)
    #expect(other.read(bytes, in: try work.folder()) != nil)
  }

  @Test("are not used for another queue file, however small the difference") func otherFile() async throws {
    let (work, indexes, bytes) = try await long()
    for position in stride(from: 0, to: bytes.count, by: 9973) {
      var changed = bytes
      changed[position] ^= 1
      #expect(indexes.read(changed, in: try work.folder()) == nil)
    }
  }

  @Test("are not made of short files, and of those with many items that each opening looks into") func notMade()
    async throws
  {
    let (work, indexes, bytes) = try await long(2)
    let short = try work.folder()
    #expect(bytes.count < QueueIndexStore.threshold && indexes.read(bytes, in: short) == nil)
    let (other, otherIndexes, _) = try await long()
    let store = try await other.store(indexes: otherIndexes)
    let pinned = try Self.items().prefix(1001).map { item in
      var item = item
      item.pinned = true
      return item
    }
    try store.record(pinned.map { .item($0) }, now: .now)
    try store.close(now: Work.now)
    let (folder, written) = (try other.folder(), try #require(try other.bytes(.queue)))
    #expect(otherIndexes.read(written, in: folder) == nil)
  }

  @Test("are not made of a queue in which two items have one file") func twoOwners() async throws {
    let (work, indexes, _) = try await long(2)
    var items = try Self.items()
    let file = StoredFile(
      path: try #require(LibraryPath("a.mp3")), size: ByteCount(1), sha256: Self.program, completedAt: Work.now)
    items[1].complete(file)
    items[2].complete(file)
    let queue = Queue(libraryID: Work.libraryID, savedAt: Work.now, items: items)
    let bytes = QueueFile.encode(queue)
    indexes.write(bytes, queue, in: try work.folder())
    #expect(indexes.read(bytes, in: try work.folder()) == nil)
  }

  @Test("let a run copy the lines of the items that it did not change", arguments: 0..<4 as Range<UInt64>)
  func copied(_ seed: UInt64) async throws {
    let (work, indexes, bytes) = try await long()
    var random = SplitMix64(seed: seed)
    // A journal that a command left is part of what has changed.
    if seed.isMultiple(of: 2) {
      let store = try await work.store(indexes: indexes)
      try store.record(try changes(&random), now: .now)
      try store.close(now: Work.now, closingJournalFrom: .zero)
    }
    let store = try await work.store(indexes: indexes)
    try store.record(try changes(&random), now: .now)
    let expected = store.queue
    try store.close(now: Work.now)
    let written = try #require(try work.bytes(.queue))
    let whole = try QueueFile.decode(written)
    #expect(written != bytes && written == QueueFile.encode(whole) && whole.items == expected.items)
    let next = try #require(indexes.read(written, in: try work.folder()))
    #expect(next.items.all.items == expected.items)
    #expect(next.items.index == QueueIndex(written, expected.items))
  }

  /// Changes of some items: dropped, edited, added, and dropped and added again.
  private func changes(_ random: inout SplitMix64) throws -> [QueueChange] {
    var changes: [QueueChange] = []
    for step in 0..<20 {
      let id = try #require(ItemID("item-\(Int.random(in: 0..<3010, using: &random))"))
      var item = try Work.item(id.text)
      item.updatedAt = Work.now + .seconds(step)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: changes.append(.itemDropped(id))
      case 1: changes += [.itemDropped(id), .item(item)]
      default: changes.append(.item(item))
      }
    }
    return changes
  }

  @Test("let no run copy a line from a file that took the place of the one it opened") func exchanged() async throws {
    let (work, indexes, bytes) = try await long()
    var other = try QueueFile.decode(bytes)
    let id = try #require(ItemID("item-100"))
    var item = try #require(other[id])
    let store = try await work.store(indexes: indexes)
    item.updatedAt = Work.now + .seconds(9)
    other[id] = item
    let foreign = QueueFile.encode(other)
    try work.replace(.queue, foreign)
    indexes.write(foreign, other, in: try work.folder())
    try store.record([.item(try Work.item("item-5"))], now: .now)
    let expected = store.queue
    try store.close(now: Work.now)
    #expect(try QueueFile.decode(try #require(try work.bytes(.queue))).items == expected.items)
  }

  @Test("let a command leave the same journal as a whole reading, without decoding the rest") func command()
    async throws
  {
    let (work, indexes, bytes) = try await long()
    var changed = try #require(try QueueFile.read(bytes).queue.items.first { $0.id.text == "item-5" })
    changed.pinned = true
    let store = try await work.store(indexes: indexes)
    try store.record([.item(changed)], now: .now)
    #expect(store.queue[changed.id] == changed)
    #expect(store.changes.items.map(\.after) == [changed])
    try store.close(now: Work.now, closingJournalFrom: .zero)
    #expect(store.decisions[changed.id]?.isPinned == true)
    #expect(store.decisions[try #require(ItemID("item-17"))]?.isPinned == true)
    let seen = try #require(try work.read())
    var expected = try QueueFile.read(bytes).queue
    expected[changed.id] = changed
    #expect(seen.queue == expected && seen.recovery.isEmpty && !seen.isInterrupted)
  }
}

@Suite("A queue with stored items") struct StoredQueueTests {
  /// The same queue, decoded and stored.
  private func queues(_ count: Int = 40) throws -> (decoded: Queue, stored: Queue) {
    let items = try (0..<count).map { try StateWorkshop.item("item-\($0)") }
    let decoded = Queue(libraryID: "library", generation: 2, savedAt: StateWorkshop.now, items: items)
    let bytes = QueueFile.encode(decoded)
    let index = try #require(QueueIndex(bytes, decoded.items))
    return (decoded, try QueueFile.read(bytes, by: index, items: QueueFileItems(bytes, index)).queue)
  }

  @Test("behaves as one with decoded items, whatever changes", arguments: 0..<100 as Range<UInt64>)
  func same(_ seed: UInt64) throws {
    var (decoded, stored) = try queues()
    let before = stored
    var random = SplitMix64(seed: seed)
    for step in 0..<12 {
      let id = try #require(ItemID("item-\(Int.random(in: 0..<44, using: &random))"))
      let new = try StateWorkshop.item(id.text)
      var item = decoded[id] ?? new
      (item.pinned, item.updatedAt) = (Bool.random(using: &random), StateWorkshop.now + .seconds(step))
      switch Int.random(in: 0..<9, using: &random) {
      case 0: (decoded[id], stored[id]) = (nil, nil)
      case 1:
        decoded.remove([id])
        stored.remove([id])
      case 2: stored.decodeAll()
      case 3: #expect(stored.items == decoded.items)
      default: (decoded[id], stored[id]) = (item, item)
      }
      #expect(stored[id] == decoded[id])
      #expect(stored.latestTime == decoded.latestTime)
      #expect(Set(stored.notableItems.map(\.id)) == Set(decoded.notableItems.map(\.id)))
      #expect(stored.position(of: id) == decoded.position(of: id))
    }
    #expect(stored == decoded)
    // The items were shared, and the copy is as it was.
    let untouched = try queues().decoded
    #expect(before == untouched)
  }
}
