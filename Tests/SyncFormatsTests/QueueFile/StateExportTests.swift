// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("an export of the memory")
struct StateExportTests {
  @Test("what is written is read back, whatever is remembered", arguments: UInt64(0)..<50)
  func roundTrip(seed: UInt64) throws {
    var generator = QueueGenerator(seed: seed)
    let export = StateExport(
      name: "car \"2\"", exportedAt: Timestamp(secondsSince1970: 1_800_000_000), queue: generator.queue())
    #expect(try StateExport.decode(export.encode()) == export)
  }

  @Test(
    "what is no export is refused with the reason",
    arguments: [
      ("", QueueFileProblem.blank), ("[1]", .wrongFormat(found: nil)), ("{}", .wrongFormat(found: nil)),
      (#"{"format":"syncjob-queue"}"#, .wrongFormat(found: "syncjob-queue")),
      (#"{"format":"syncjob-state","version":2,"queue":7}"#, .newerVersion(found: 2, known: 1)),
      (#"{"format":"syncjob-state","version":0}"#, .impossibleVersion(0)),
      (#"{"format":"syncjob-state"}"#, .missingField(.file, field: "version")),
      (#"{"format":"syncjob-state","version":1}"#, .missingField(.file, field: "exported_at")),
      (
        #"{"format":"syncjob-state","version":1,"exported_at":"2027-01-15T08:00:00Z"}"#,
        .missingField(.file, field: "queue")
      ),
    ])
  func refused(_ text: String, _ problem: QueueFileProblem) {
    #expect(throws: problem) { try StateExport.decode(Array(text.utf8)) }
  }
}
