// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the file of decisions")
struct DecisionsFileTests {
  private func decisions() throws -> Decisions {
    var pinned = Decisions.Entry(id: try #require(ItemID("a")))
    pinned.isPinned = true
    // A decision of a command that this version does not have.
    pinned.unknownFields = [UnknownField(name: "mood", json: Array("2".utf8))]
    var removed = Decisions.Entry(id: try #require(ItemID("b")))
    removed.removal = Removal(cause: .user, at: Timestamp(secondsSince1970: 1_763_704_803), turn: 2)
    return Decisions([pinned, removed])
  }

  @Test("what is written is read back, with what this version does not know")
  func roundTrip() throws {
    let bytes = DecisionsFile.encode(try decisions())
    let reading = try DecisionsFile.read(bytes)
    #expect(reading.decisions == (try decisions()) && reading.problem == nil)
    #expect(DecisionsFile.encode(reading.decisions) == bytes)
  }

  @Test("each flipped bit is noticed, and costs at most the entry that it is in")
  func flippedBits() throws {
    let decisions = try decisions()
    let bytes = DecisionsFile.encode(decisions)
    for index in bytes.indices.dropLast() {
      let touched = try ["a", "b"].first { id in
        let start = try #require(bytes.firstRange(of: Array("{\"id\":\"\(id)\"".utf8))?.lowerBound)
        let end = try #require(bytes[start...].firstIndex(of: UInt8(ascii: "\n")))
        return (start..<end).contains(index)
      }
      let untouched = decisions.entries.filter { $0.key.text != touched }
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        let reading = try DecisionsFile.read(damaged)
        #expect(reading.problem != nil, "bit \(bit) of byte \(index)")
        for (id, entry) in untouched {
          #expect(reading.decisions[id] == entry, "\(id), by bit \(bit) of byte \(index)")
        }
        // A damaged entry is left out instead of being misread.
        for (id, entry) in reading.decisions.entries { #expect(decisions[id] == entry, "bit \(bit) of byte \(index)") }
      }
    }
  }

  @Test("each cut is noticed, and the entries before it still count")
  func cuts() throws {
    let decisions = try decisions()
    let bytes = DecisionsFile.encode(decisions)
    let second = try #require(bytes.firstRange(of: Array("{\"id\":\"b\"".utf8))?.lowerBound)
    for index in bytes.indices.dropLast() {
      let reading = try DecisionsFile.read(Array(bytes[..<index]))
      #expect(reading.problem != nil, "\(index)")
      if index >= second { #expect(!reading.decisions.entries.isEmpty, "\(index)") }
    }
  }

  @Test("a file of a later version is refused and not taken for a damaged one")
  func laterVersion() throws {
    let text = String(decoding: DecisionsFile.encode(try decisions()), as: UTF8.self)
    let later = text.replacing("\"version\":1", with: "\"version\":2").replacing("\"count\":2", with: "\"count\":3")
    #expect(throws: QueueFileProblem.newerVersion(found: 2, known: 1)) { try DecisionsFile.read(Array(later.utf8)) }
  }
}
