// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the library's marker")
struct LibraryMarkerTests {
  @Test("it is read back as it was written")
  func roundTrip() throws {
    let marker = try #require(
      LibraryMarker(id: "00112233445566778899aabbccddeeff", createdAt: Timestamp(secondsSince1970: 1_763_704_803)))
    let text = String(decoding: marker.encode(), as: UTF8.self)
    let start =
      #"{"format":"syncjob-library","version":1,"id":"00112233445566778899aabbccddeeff","created_at":"2025-11-21T06:00:03Z""#
    #expect(text.hasPrefix(start + #","crc":""#) && text.hasSuffix("\"}\n"))
    // Older versions wrote no check.
    #expect(try LibraryMarker.decode(Array("\(start)}\n".utf8)) == marker)
    #expect(try LibraryMarker.decode(Array(text.utf8)) == marker)
  }

  @Test("no flipped bit is believed")
  func flippedBits() throws {
    var generator = SystemRandomNumberGenerator()
    var marker = LibraryMarker(createdAt: Timestamp(secondsSince1970: 1_763_704_803), using: &generator)
    marker.manifest = "car"
    let bytes = marker.encode()
    // The last byte is the end of the line.
    for position in 0..<(bytes.count - 1) {
      for bit in 0..<8 as Range<UInt8> {
        var flipped = bytes
        flipped[position] ^= 1 << bit
        #expect(throws: QueueFileProblem.self, "byte \(position), bit \(bit)") { try LibraryMarker.decode(flipped) }
      }
    }
  }

  @Test("a damaged version is damage, and not a later version")
  func damagedVersion() throws {
    var generator = SystemRandomNumberGenerator()
    let bytes = LibraryMarker(createdAt: Timestamp(secondsSince1970: 1_763_704_803), using: &generator).encode()
    let text = String(decoding: bytes, as: UTF8.self)
    let start = try #require(text.firstRange(of: "\"version\":1"))
    let other = text[..<start.lowerBound] + "\"version\":3" + text[start.upperBound...]
    #expect(throws: QueueFileProblem.wrongSeal) { try LibraryMarker.decode(Array(other.utf8)) }
  }

  @Test("two new ones differ")
  func random() {
    var generator = SystemRandomNumberGenerator()
    let now = Timestamp(secondsSince1970: 0)
    let ids = (0..<50).map { _ in LibraryMarker(createdAt: now, using: &generator).id }
    #expect(Set(ids).count == 50)
    #expect(Set(ids.map(\.utf8.count)) == [32])
  }

  @Test(
    "what is no marker says why",
    arguments: [
      ("", QueueFileProblem.blank), ("\0", .blank),
      (#"{"format":"syncjob-queue"}"#, .wrongFormat(found: "syncjob-queue")),
      (#"{"format":"syncjob-library","version":2}"#, .newerVersion(found: 2, known: 1)),
      (#"{"format":"syncjob-library","version":1}"#, .missingField(.file, field: "id")),
      (
        #"{"format":"syncjob-library","version":1,"id":"X","created_at":"2026-01-01T00:00:00Z"}"#,
        .badField(.file, field: "id")
      ),
    ])
  func refusals(_ text: String, _ problem: QueueFileProblem) {
    #expect(throws: problem) { try LibraryMarker.decode(Array(text.utf8)) }
  }
}
