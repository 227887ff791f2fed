// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("an export of the memory")
struct StateExportTests {
  @Test("what is written is read back, whatever is remembered", arguments: UInt64(0)..<50)
  func roundTrip(seed: UInt64) throws {
    var generator = QueueGenerator(seed: seed)
    let at = Timestamp(secondsSince1970: 1_800_000_000)
    let id = try #require(ItemID("a"))
    let plays: [PlayLog.Line] = [
      .folded(id, until: at - .days(500), total: 3), .play(id, .init(at: at, source: .played, count: 2), total: 5),
      .counter(.init(source: .mpdcron, place: "/m/stats.db", uri: "a \"b\".mp3"), .init(value: 4, lastAt: at)),
    ]
    let export = StateExport(
      name: "car \"2\"", exportedAt: at, queue: generator.queue(), plays: Array(plays.prefix(Int(seed % 4))))
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
