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
    let reading = try StateExport.read(export.encode())
    #expect(reading.export == export)
    #expect(reading.edited.isEmpty && !reading.isEditedOutside)
  }

  @Test("an edited item is named, and so is an edit outside of the items")
  func edited() throws {
    let id = try #require(ItemID("a"))
    let item = QueueItem(
      item: Item(id: id, title: "A", main: Candidate(url: try RemoteURL("https://h.example/a"))), memberships: [],
      queuedAt: Timestamp(secondsSince1970: 1_763_704_800))
    let queue = Queue(libraryID: "lib", generation: 3, savedAt: item.queuedAt, items: [item])
    let text = String(
      decoding: StateExport(name: "car", exportedAt: queue.savedAt, queue: queue).encode(), as: UTF8.self)
    let line = "{\"id\":\"\(id.text)\""
    let pinned = try StateExport.read(Array(text.replacing(line, with: "\(line),\"x\":1").utf8))
    #expect(pinned.edited == [id] && !pinned.isEditedOutside)
    #expect(pinned.export.queue[id]?.unknownFields.contains { $0.name == "x" } == true)
    let outside = try StateExport.read(Array(text.replacing("\"saved_at\":\"2", with: "\"saved_at\":\"1").utf8))
    #expect(outside.edited.isEmpty && outside.isEditedOutside)
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
    #expect(throws: problem) { try StateExport.read(Array(text.utf8)) }
  }
}
