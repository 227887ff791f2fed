// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("Indexes of queue files") struct QueueIndexTests {
  private static let key = SHA256Digest(hex: String(repeating: "1a", count: 32))!

  /// A queue with items in all kinds of states.
  private static func queue(_ seed: UInt64) -> Queue {
    var generator = QueueGenerator(seed: seed)
    return generator.queue()
  }

  @Test("find each item by its id, and nothing by another id", arguments: 0..<50 as Range<UInt64>)
  func find(_ seed: UInt64) throws {
    let queue = Self.queue(seed)
    let bytes = QueueFile.encode(queue)
    guard let index = QueueIndex(bytes, queue.items) else {
      #expect(queue.items.isEmpty)
      return
    }
    #expect(index.count == queue.items.count)
    for position in queue.items.indices {
      #expect(QueueFile.item(bytes, in: index.range(ofLine: position)) == queue.items[position])
      #expect(index.lines(of: queue.items[position].id).contains(position))
    }
    #expect(index.lines(of: try #require(ItemID("no such item"))).isEmpty)
    #expect(index.notable == queue.items.indices.filter { queue.items[$0].isNotable })
    #expect(max(queue.savedAt, index.latestUpdate ?? queue.savedAt) == queue.latestTime)
  }

  @Test("are read as they were written", arguments: 0..<50 as Range<UInt64>)
  func roundTrip(_ seed: UInt64) {
    let queue = Self.queue(seed)
    let bytes = QueueFile.encode(queue)
    guard let index = QueueIndex(bytes, queue.items) else { return }
    #expect(QueueIndex(index.encode(key: Self.key), key: Self.key, fileSize: bytes.count) == index)
  }

  @Test("do not count if they are damaged, cut, or those of another file") func damaged() throws {
    let queue = try #require((0..<50).lazy.map(Self.queue).first { $0.items.count > 2 })
    let bytes = QueueFile.encode(queue)
    let written = try #require(QueueIndex(bytes, queue.items)).encode(key: Self.key)
    for position in written.indices {
      var changed = written
      changed[position] ^= 1 << UInt8(position % 8)
      #expect(QueueIndex(changed, key: Self.key, fileSize: bytes.count) == nil)
      #expect(QueueIndex(Array(written[..<position]), key: Self.key, fileSize: bytes.count) == nil)
    }
    let other = try #require(SHA256Digest(hex: String(repeating: "1b", count: 32)))
    #expect(QueueIndex(written, key: other, fileSize: bytes.count) == nil)
    #expect(QueueIndex(written, key: Self.key, fileSize: bytes.count / 2) == nil)
  }

  @Test("are not made of a file of another layout") func otherLayout() throws {
    let queue = try #require((0..<50).lazy.map(Self.queue).first { $0.items.count > 2 })
    let text = String(decoding: QueueFile.encode(queue), as: UTF8.self)
    let joined = Array(text.split(separator: "\n").joined().utf8)
    #expect(QueueIndex(joined, queue.items) == nil)
    #expect(QueueIndex(Array(text.utf8), BoxedArray(queue.items.dropLast())) == nil)
  }

  @Test("read the rest of a file as a whole reading does", arguments: 0..<50 as Range<UInt64>)
  func rest(_ seed: UInt64) throws {
    let queue = Self.queue(seed)
    let bytes = QueueFile.encode(queue)
    guard let index = QueueIndex(bytes, queue.items) else { return }
    let items = FixedItems(all: PositionedItems(queue.items))
    let reading = try QueueFile.read(bytes, by: index, items: items)
    let whole = try QueueFile.read(bytes)
    #expect(reading.isSound && reading == whole)
  }
}

/// Items that are decoded already.
private struct FixedItems: StoredItems {
  let all: PositionedItems
  var areDecoded: Bool { true }
  var latestUpdate: Timestamp? { all.items.map(\.updatedAt).max() }
  var notable: [QueueItem] { all.items.filter(\.isNotable) }
  func item(_ id: ItemID) -> QueueItem? { all.position(of: id).map { all.items[$0] } }
  func replacing(with item: QueueItem) -> (any StoredItems)? { nil }
}
