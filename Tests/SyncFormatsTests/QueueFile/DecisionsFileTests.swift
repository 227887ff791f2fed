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
    pinned.unknownFields = [UnknownField(name: "choice", json: Array("2".utf8))]
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

  @Test("each flipped bit and each cut is noticed, and the lines that are whole still count")
  func damage() throws {
    let bytes = DecisionsFile.encode(try decisions())
    let lineBreak = try #require(bytes.firstRange(of: Array("\n{\"id\":\"b\"".utf8))?.lowerBound)
    for index in bytes.indices.dropLast() {
      let cut = try DecisionsFile.read(Array(bytes[..<index]))
      #expect(cut.problem != nil)
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        do throws(QueueFileProblem) {
          let reading = try DecisionsFile.read(damaged)
          #expect(reading.problem != nil, "bit \(bit) of byte \(index)")
          // Without the line break between them two lines are one, which is not whole.
          if index != lineBreak { #expect(!reading.decisions.entries.isEmpty, "bit \(bit) of byte \(index)") }
        } catch {
          guard case .newerVersion = error else {
            Issue.record(error)
            continue
          }
        }
      }
    }
  }
}
