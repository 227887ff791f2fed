// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncTestSupport
import Testing

@testable import SyncFormats

/// Reads the parts one after another, in reverse, and counts them.
private final class ReverseParts: PartRunner {
  let width: Int

  init(width: Int = 3) { self.width = width }

  func run<Part: Sendable, Value: Sendable>(_ parts: [Part], _ work: @Sendable (Part) -> Value) -> [Value] {
    parts.reversed().map(work).reversed()
  }
}

@Suite("Queue files that are read in parts") struct WrittenItemsTests {
  /// A file of about 600 KiB.
  private static let queue = queue(items: 2000)
  private static let bytes = QueueFile.encode(queue)

  private static func queue(items count: Int) -> Queue {
    var queue = Queue(libraryID: "library", generation: 3, savedAt: Timestamp(secondsSince1970: 1_700_000_000))
    guard case .success(let address) = Result(catching: { try RemoteURL("https://example.org/media/file.mp3") }) else {
      return queue
    }
    for number in 0..<count {
      let id = ItemID("item-\(number)")!
      var item = QueueItem(
        item: Item(
          id: id, title: "Träck \"\(number)\"\n",
          main: Candidate(url: address)),
        memberships: [Membership(playlist: PlaylistName("night")!, position: number + 1)],
        queuedAt: Timestamp(secondsSince1970: 1_700_000_000 + Int64(number)))
      if number.isMultiple(of: 2) {
        item.complete(
          StoredFile(
            path: LibraryPath("Night/Track \(number).mp3")!, size: ByteCount(Int64(number)),
            sha256: SHA256Digest(hex: String(repeating: "0f", count: 32))!,
            completedAt: Timestamp(secondsSince1970: 1_700_000_000)))
      }
      queue[id] = item
    }
    return queue
  }

  private func parts(of bytes: [UInt8], width: Int = 3) -> WrittenItems? {
    let name = Array("\"items\":".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) else { return nil }
    return WrittenItems(bytes, at: start + name.count, in: ReverseParts(width: width))
  }

  @Test(arguments: 2...8) func `every item is found, whatever the number of parts`(width: Int) throws {
    let reading = try QueueFile.read(Self.bytes, in: ReverseParts(width: width))
    #expect(reading.isSound)
    #expect(reading == (try QueueFile.read(Self.bytes)))
    #expect(reading.queue.items.count == 2000)
    #expect(reading.queue == Self.queue)
    #expect(reading.queue.items.indices.allSatisfy { reading.queue.position(of: reading.queue.items[$0].id) == $0 })
  }

  @Test func `a file of the program is read in as many parts as fit`() throws {
    #expect(try #require(parts(of: Self.bytes)).parts.count == 3)
    #expect(try #require(parts(of: Self.bytes, width: 100)).parts.count == Self.bytes.count / (128 << 10))
  }

  @Test(arguments: [
    (#"{"id":"item-7","#, #" {"id":"item-7","#),
    (#"{"id":"item-7","#, "\n{\"id\":\"item-7\","), (#"{"id":"item-7","#, #"{"id":7,"#),
    (#"{"id":"item-7","#, #"{"id":"item-7",,"#), (#"{"id":"item-7","#, #"null,{"id":"item-7","#),
  ]) func `a file with a line of another form is read as one document`(written: String, edited: String) throws {
    let text = String(decoding: Self.bytes, as: UTF8.self)
    let bytes = Array(text.replacing(written, with: edited, maxReplacements: 1).utf8)
    #expect(parts(of: bytes) == nil)
    expectSameReading(bytes)
  }

  @Test func `a line that a person broke is one item`() throws {
    let text = String(decoding: Self.bytes, as: UTF8.self)
    let bytes = Array(text.replacing(#"{"id":"item-7","#, with: "{\n\"id\":\"item-7\",\n", maxReplacements: 1).utf8)
    #expect(try #require(parts(of: bytes)).parts.joined().count == 2000)
    expectSameReading(bytes)
  }

  @Test(arguments: 0..<4) func `damage is judged as in one document`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<8 {
      var bytes = Self.bytes
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.remove(at: Int.random(in: bytes.indices, using: &random))
      case 2: bytes.insert(UInt8.random(in: 9...127, using: &random), at: Int.random(in: bytes.indices, using: &random))
      default:
        let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        let (one, other) = (Int.random(in: 3..<900, using: &random), Int.random(in: 900..<1900, using: &random))
        var edited = lines
        edited[one] = lines[other]
        bytes = Array(edited.joined(separator: [10]))
      }
      expectSameReading(bytes)
    }
  }

  private func expectSameReading(_ bytes: [UInt8], _ place: SourceLocation = #_sourceLocation) {
    func reading(_ parts: (any PartRunner)?) -> Result<QueueFileReading, QueueFileProblem> {
      do throws(QueueFileProblem) { return .success(try QueueFile.read(bytes, in: parts)) } catch {
        return .failure(error)
      }
    }
    let (whole, inParts) = (reading(nil), reading(ReverseParts()))
    #expect(whole == inParts, sourceLocation: place)
  }
}
