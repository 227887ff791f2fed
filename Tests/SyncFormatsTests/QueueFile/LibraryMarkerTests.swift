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
    #expect(
      text
        == #"{"format":"syncjob-library","version":1,"id":"00112233445566778899aabbccddeeff","created_at":"2025-11-21T06:00:03Z"}"#
        + "\n")
    #expect(try LibraryMarker.decode(Array(text.utf8)) == marker)
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
