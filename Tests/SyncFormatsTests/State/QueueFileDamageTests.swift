// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncTestSupport
import Testing

/// A queue file proves itself: any change of its bytes is noticed.
@Suite("a damaged queue file")
struct QueueFileDamageTests {
  private let bytes: [UInt8]
  private let queue: Queue

  init() throws {
    func item(_ id: String, _ digest: Character, plays: Int) throws -> QueueItem {
      let file = StoredFile(
        path: try #require(LibraryPath("m/\(id).mp3")), size: ByteCount(77),
        sha256: try #require(SHA256Digest(hex: String(repeating: digest, count: 64))),
        completedAt: Timestamp(secondsSince1970: 1_763_704_803))
      return QueueItem(
        item: Item(
          id: try #require(ItemID(id)), title: "T\(id)", main: Candidate(url: try RemoteURL("https://h.example/\(id)"))),
        memberships: [], state: .completed(file), plays: PlayHistory(count: plays),
        queuedAt: Timestamp(secondsSince1970: 1_763_704_800))
    }
    var queue = Queue(
      libraryID: "lib", generation: 12, savedAt: Timestamp(secondsSince1970: 1_763_704_803),
      items: [try item("e1", "a", plays: 3), try item("e2", "b", plays: 0), try item("e3", "c", plays: 0)])
    queue.sources[try #require(PlaylistName("news"))] = SourceState(
      etag: "x", changedAt: queue.savedAt, checkedAt: queue.savedAt, itemCount: 3)
    self.queue = queue
    bytes = QueueFile.encode(queue)
    #expect(try QueueFile.read(bytes).isSound)
  }

  /// True if the reader notices that the bytes were changed after they were written.
  private func notices(_ damaged: [UInt8]) -> Bool {
    do throws(QueueFileProblem) { return try !QueueFile.read(damaged).isSound } catch { return true }
  }

  private var lines: [[UInt8]] { bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) } }

  private func file(_ lines: [[UInt8]]) -> [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [10] }

  @Test("each flipped bit is noticed")
  func flippedBits() {
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        if !notices(damaged) { Issue.record("bit \(bit) of byte \(index)") }
      }
    }
  }

  @Test("a damaged digit of the version is damage, and not a file of a later version")
  func damagedVersion() throws {
    let digit = try #require(bytes.firstRange(of: Array("\"version\":".utf8))).upperBound
    for version in [3, 5, 9] {
      var damaged = bytes
      damaged[digit] = UInt8(ascii: "0") + UInt8(version)
      let reading = try QueueFile.read(damaged)
      #expect(reading.queue == queue && !reading.isSound)
      // A file of a later version has a check of its own contents.
      let text = String(decoding: bytes, as: UTF8.self)
      let later = text.replacing("\"version\":1", with: "\"version\":\(version)").replacing(
        "\"count\"", with: "\"sum\"")
      #expect(throws: QueueFileProblem.newerVersion(found: version, known: 1)) { try QueueFile.read(Array(later.utf8)) }
    }
  }

  @Test("each lost block is noticed")
  func lostBlocks() {
    // The places where JSON may continue as if nothing had been there: before and after the separators of fields and
    // lines.
    let separators = bytes.indices.filter { ",{}[]:\n\"".utf8.contains(bytes[$0]) }
    for (number, start) in separators.enumerated() {
      for end in Torture.share(of: separators[number...], atMost: 30) {
        for (from, to) in [(start, end), (start + 1, end + 1), (start, end + 1)] where from < to && to < bytes.count {
          if !notices(Array(bytes[..<from] + bytes[to...])) { Issue.record("\(from)..<\(to)") }
        }
      }
    }
    for length in [1, 2, 3, 5, 8, 64, 128, 512] {
      for start in bytes.indices where start + length < bytes.count {
        if !notices(Array(bytes[..<start] + bytes[(start + length)...])) { Issue.record("\(start), \(length)") }
      }
    }
  }

  @Test("two lines that became one are noticed, whatever is missing between them")
  func joinedLines() {
    let lines = lines
    for first in lines.indices {
      for second in lines.indices where second > first {
        for head in [10, lines[first].count / 3, lines[first].count / 2, lines[first].count - 3] {
          for tail in [3, lines[second].count / 2, lines[second].count - 6] where head > 0 && tail > 0 {
            let joined = lines[first].prefix(head) + lines[second].suffix(tail)
            let damaged = file(lines[..<first] + [Array(joined)] + lines[(second + 1)...])
            #expect(notices(damaged) || damaged == bytes, "\(first) \(second) \(head) \(tail)")
          }
        }
      }
    }
  }

  @Test("lines that are lost, doubled or swapped are noticed")
  func wholeLines() {
    let lines = lines
    for index in lines.indices {
      var (lost, doubled) = (lines, lines)
      lost.remove(at: index)
      doubled.insert(lines[index], at: index)
      #expect(notices(file(lost)) && notices(file(doubled)), "line \(index)")
      for other in lines.indices where other != index {
        var swapped = lines
        swapped.swapAt(index, other)
        #expect(notices(file(swapped)), "lines \(index) and \(other)")
      }
    }
  }

  @Test("fields that two lines exchange are noticed")
  func exchangedFields() throws {
    for field in ["path", "size", "sha256", "url", "title", "id", "crc"] {
      var texts = lines.map { String(decoding: $0, as: UTF8.self) }
      let items = texts.indices.filter { texts[$0].hasPrefix("{\"id\"") }
      func value(_ line: Int) throws -> Range<String.Index> {
        let name = try #require(texts[line].firstRange(of: "\"\(field)\":"))
        let rest = texts[line][name.upperBound...]
        return name.upperBound..<(rest.firstIndex { $0 == "," || $0 == "}" } ?? rest.endIndex)
      }
      let (first, second) = (String(texts[items[0]][try value(items[0])]), String(texts[items[1]][try value(items[1])]))
      texts[items[0]].replaceSubrange(try value(items[0]), with: second)
      texts[items[1]].replaceSubrange(try value(items[1]), with: first)
      let exchanged = file(texts.map { Array($0.utf8) })
      #expect(notices(exchanged) || first == second, "\(field)")
    }
  }

  @Test("a line that does not match its check is doubtful alone, and the others are not")
  func oneLine() throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let place = try #require(text.firstRange(of: "\"title\":\"Te2\""))
    let edited = text[..<place.lowerBound] + "\"title\":\"Mine\"" + text[place.upperBound...]
    let reading = try QueueFile.read(Array(edited.utf8))
    #expect(reading.doubtful == [try #require(ItemID("e2"))])
    #expect(reading.isWhole && !reading.isSound && reading.problem == nil)
    #expect(throws: QueueFileProblem.wrongCheck(.item(id: "e2", position: 2))) {
      try QueueFile.decode(Array(edited.utf8))
    }
  }

  @Test("of two lines with one id or one file the one that is whole stands, in whatever order they come")
  func contradictions() throws {
    let lines = lines
    let item = try #require(lines.firstIndex { $0.starts(with: Array("{\"id\":\"e1\"".utf8)) })
    // Without the comma after it.
    let whole = String(decoding: lines[item].dropLast(), as: UTF8.self)
    let place = try #require(whole.firstRange(of: "\"id\":\"e1\""))
    var renamed = whole
    renamed.replaceSubrange(place, with: "\"id\":\"e9\"")
    // A second entry with a wrong check, for another item or for the same one.
    let others = [renamed, whole.replacingLast("\"}", by: "0\"}")]
    for other in others {
      for pair: [String] in [[other, whole], [whole, other]] {
        var damaged = lines
        damaged.replaceSubrange(item...item, with: pair.map { Array($0.utf8) + [UInt8(ascii: ",")] })
        let reading = try QueueFile.read(file(damaged))
        #expect(reading.queue.items.map(\.id.text).sorted() == ["e1", "e2", "e3"])
        #expect(reading.doubtful.isEmpty && reading.problem != nil && !reading.isSound)
      }
    }
  }
}

extension String {
  fileprivate func replacingLast(_ end: String, by other: String) -> String {
    hasSuffix(end) ? dropLast(end.count) + other : self
  }
}
