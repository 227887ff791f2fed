// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore
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

@Suite("Reading the items of a queue file") struct KnownItemTests {
  private func manifest(_ items: [Item]) throws -> Manifest {
    var manifest = Manifest(name: "m", library: LibrarySettings(path: "/library"))
    for (number, part) in stride(from: 0, to: items.count, by: 3).enumerated() {
      let name = try #require(PlaylistName("p\(number)"))
      let list = items[part..<min(part + 3, items.count)]
      manifest.playlists.append(Playlist(name: name, source: .items(BoxedArray(list))))
    }
    return manifest
  }

  @Test("beside a manifest gives the same items, wherever the manifest has them", arguments: 0..<60 as Range<UInt64>)
  func same(_ seed: UInt64) throws {
    var generator = QueueGenerator(seed: seed)
    let queue = generator.queue()
    let bytes = QueueFile.encode(queue)
    guard let index = QueueIndex(bytes, queue.items) else { return }
    var declared = queue.items.map(\.item)
    for position in declared.indices where position % 3 == 1 { declared[position].title += "x" }
    if seed % 2 == 1 { declared.reverse() }
    if seed % 4 == 3 { declared.removeFirst(declared.count / 2) }
    let finder = KnownItemFinder(KnownItems(try manifest(declared)), expecting: Int(seed % 5))
    var reader = QueueLineReader(bytes, sharing: finder)
    for position in queue.items.indices {
      #expect(reader.item(in: index.range(ofLine: position)) == queue.items[position])
    }
  }

  @Test("shares an item that is declared to the byte as it is recorded, and no other")
  func shared() throws {
    let id = try #require(ItemID("caf\u{E9}-with-a-long-name"))
    let main = Candidate(url: try RemoteURL("https://a.example/a-long-path/file.mp3"))
    let recorded = Item(id: id, title: "Caf\u{E9} with a long title", main: main)
    let queue = Queue(
      libraryID: "1", savedAt: Timestamp(secondsSince1970: 0),
      items: [QueueItem(item: recorded, memberships: [], queuedAt: Timestamp(secondsSince1970: 0))])
    let bytes = QueueFile.encode(queue)
    let index = try #require(QueueIndex(bytes, queue.items))
    func read(_ declared: Item) throws -> (QueueItem, Boxed<Item>) {
      let manifest = try manifest([declared])
      var reader = QueueLineReader(bytes, sharing: KnownItemFinder(KnownItems(manifest), expecting: 0))
      let item = reader.item(in: index.range(ofLine: 0))
      return (try #require(item), manifest.playlists[0].source.inlineItems.box(at: 0))
    }
    let (item, box) = try read(recorded)
    #expect(item.$item.box === box.box)
    var others = [recorded, recorded, recorded, recorded]
    others[0].title = "Cafe\u{301} with a long title"
    others[1].main.url = try RemoteURL("https://user:secret@a.example/a-long-path/file.mp3")
    others[2].size = .exact(ByteCount(1))
    others[3].album = "Another"
    for other in others {
      let (item, box) = try read(other)
      #expect(item.$item.box !== box.box)
      #expect(item.item == recorded && item.item.title.utf8.elementsEqual(recorded.title.utf8))
      #expect(item.item.main.url.login == nil)
    }
  }
}

/// Items that are decoded already.
private struct FixedItems: StoredItems {
  let all: PositionedItems
  var areDecoded: Bool { true }
  var latestUpdate: Timestamp? { all.items.map(\.updatedAt).max() }
  var notable: [QueueItem] { all.items.filter(\.isNotable) }
  func decodeAll(sharing known: KnownItems) {}
  func item(_ id: ItemID) -> QueueItem? { all.position(of: id).map { all.items[$0] } }
  func replacing(with item: QueueItem) -> (any StoredItems)? { nil }
}
