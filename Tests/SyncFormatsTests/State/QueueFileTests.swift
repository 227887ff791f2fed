// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the queue file")
struct QueueFileTests {
  @Test("what is written is read back, for queues of every shape", arguments: 0..<60)
  func roundTrip(_ seed: UInt64) throws {
    var generator = QueueGenerator(seed: seed)
    let queue = generator.queue()
    let bytes = QueueFile.encode(queue)
    #expect(try QueueFile.decode(bytes) == queue)
    #expect(QueueFile.encode(try QueueFile.decode(bytes)) == bytes)
  }

  @Test("one item stands on one line, with its fields in the order of the manual and a check")
  func layout() throws {
    let url = try RemoteURL("https://media.example/night.mp3")
    var item = Item(id: try #require(ItemID("night")), title: "Night Drive", main: Candidate(url: url))
    item.duration = .milliseconds(225_500)
    item.alternatives = [Candidate(url: try RemoteURL("https://b.example/n.mp3"), duration: .seconds(230))]
    let file = StoredFile(
      path: try #require(LibraryPath("Mix/Night Drive.mp3")), size: ByteCount(8_600_000),
      sha256: try #require(SHA256Digest(hex: String(repeating: "a", count: 64))),
      completedAt: Timestamp(secondsSince1970: 1_763_704_803))
    let queue = Queue(
      libraryID: "lib", generation: 12, savedAt: Timestamp(secondsSince1970: 1_763_704_803),
      items: [
        QueueItem(
          item: item, memberships: [.init(playlist: try #require(PlaylistName("mix")), position: 1)],
          state: .completed(file), plays: PlayHistory(count: 3), queuedAt: Timestamp(secondsSince1970: 1_763_704_800))
      ])
    #expect(
      String(decoding: QueueFile.encode(queue), as: UTF8.self) == """
        {"format":"syncjob-queue","version":1,"generation":12,"library_id":"lib","saved_at":"2025-11-21T06:00:03Z",
        "sources":{},
        "items":[
        {"id":"night","state":"completed","playlists":[{"name":"mix","position":1}],"title":"Night Drive",\
        "duration":225.5,"url":"https://media.example/night.mp3","candidates":[{"url":"https://media.example/night.mp3"},\
        {"url":"https://b.example/n.mp3","duration":230}],"path":"Mix/Night Drive.mp3","size":8600000,\
        "sha256":"\(String(repeating: "a", count: 64))","completed_at":"2025-11-21T06:00:03Z",\
        "queued_at":"2025-11-21T06:00:00Z","updated_at":"2025-11-21T06:00:00Z","play_count":3,"crc":"84ab6a22"}
        ],
        "count":1,"crc":"79e2454a"}

        """)
  }

  private static let head =
    #"{"format":"syncjob-queue","version":1,"generation":1,"library_id":"l","saved_at":"2026-01-01T00:00:00Z","items":["#

  private static func decode(item: String) throws(QueueFileProblem) -> Queue {
    try QueueFile.decode(Array("\(head)\(item)]}".utf8))
  }

  private static let legal = #""url":"https://h.example/a","queued_at":"2026-01-01T00:00:00Z""#

  @Test(
    "fields that do not make an item are refused with the item's name",
    arguments: [
      (#"{"state":"queued",\#(legal)}"#, QueueFileProblem.missingField(.item(id: nil, position: 1), field: "id")),
      (#"{"id":"a",\#(legal)}"#, .missingField(.item(id: "a", position: 1), field: "state")),
      (
        #"{"id":"a","state":"queued","queued_at":"2026-01-01T00:00:00Z"}"#,
        .missingField(.item(id: "a", position: 1), field: "url")
      ),
      (
        #"{"id":"a","state":"queued","url":"https://h.example/a"}"#,
        .missingField(.item(id: "a", position: 1), field: "queued_at")
      ),
      (#"{"id":"a","state":"asleep",\#(legal)}"#, .badField(.item(id: "a", position: 1), field: "state")),
      (#"{"id":"a","state":"completed",\#(legal)}"#, .missingField(.item(id: "a", position: 1), field: "path")),
      (#"{"id":"a","state":"failed",\#(legal)}"#, .missingField(.item(id: "a", position: 1), field: "error")),
      (#"{"id":"a","state":"removed",\#(legal)}"#, .missingField(.item(id: "a", position: 1), field: "removed")),
      (
        #"{"id":"a","state":"retrying",\#(legal)}"#,
        .missingField(.item(id: "a", position: 1), field: "next_attempt_at")
      ),
      (#"{"id":"a","state":"cancelled",\#(legal)}"#, .missingField(.item(id: "a", position: 1), field: "cancelled_at")),
      (
        #"{"id":"a","state":"queued","path":"b",\#(legal)}"#,
        .misplacedField(.item(id: "a", position: 1), field: "path", state: .queued)
      ),
      (
        #"{"id":"a","state":"queued","bytes_received":5,\#(legal)}"#,
        .misplacedField(.item(id: "a", position: 1), field: "bytes_received", state: .queued)
      ),
      (
        #"{"id":"a","state":"queued","partial":"../x",\#(legal)}"#,
        .badField(.item(id: "a", position: 1), field: "partial")
      ),
      (
        #"{"id":"a","state":"queued","duration":-1,\#(legal)}"#,
        .badField(.item(id: "a", position: 1), field: "duration")
      ),
      (
        #"{"id":"a","state":"queued","play_count":-1,\#(legal)}"#,
        .badField(.item(id: "a", position: 1), field: "play_count")
      ),
      (
        #"{"id":"a","state":"queued","title":"b","title":"c",\#(legal)}"#,
        .repeatedField(.item(id: "a", position: 1), field: "title")
      ),
      (
        #"{"id":"a","state":"queued","validator":{"etag":"b","etag":"c"},\#(legal)}"#,
        .repeatedField(.item(id: "a", position: 1), field: "etag")
      ),
      (
        #"{"id":"a","x":1,"state":"queued","x":2,\#(legal)}"#,
        .repeatedField(.item(id: "a", position: 1), field: "x")
      ),
      (#"{"id":"a","state":"queued","title":7,\#(legal)}"#, .badField(.item(id: "a", position: 1), field: "title")),
      (#"{"id":"a","state":"queued",\#(legal)},{"id":"a","state":"queued",\#(legal)}"#, .duplicateID(ItemID("a")!)),
      (
        #"{"id":"a","state":"queued","candidates":[{"url":"https://o.example/"}],\#(legal)}"#,
        .badField(.item(id: "a", position: 1), field: "candidates")
      ),
    ])
  func refusals(_ item: String, _ problem: QueueFileProblem) {
    #expect(throws: problem) { try Self.decode(item: item) }
  }

  @Test("a file without any check is one of an earlier version, and is read")
  func unchecked() throws {
    let reading = try QueueFile.read(Array(#"\#(Self.head){"id":"a","state":"queued",\#(Self.legal)}]}"#.utf8))
    #expect(reading.isUnchecked && reading.isSound)
    #expect(reading.queue.items.map(\.id.text) == ["a"])
  }

  @Test("two spellings of one letter are one id, and no crash")
  func canonicalEquivalence() {
    let items = ["e\u{301}", "\u{E9}"].map { #"{"id":"\#($0)","state":"queued",\#(Self.legal)}"# }
    #expect(throws: QueueFileProblem.duplicateID(ItemID("\u{E9}")!)) {
      try Self.decode(item: items.joined(separator: ","))
    }
  }

  @Test(
    "files that are no queue file say what they are",
    arguments: [
      ("", QueueFileProblem.blank), ("\0\0\0\0", .blank), (" \n", .blank), ("[]", .wrongFormat(found: nil)),
      ("{}", .wrongFormat(found: nil)), (#"{"format":"tar"}"#, .wrongFormat(found: "tar")),
      (#"{"format":"syncjob-queue","version":0}"#, .impossibleVersion(0)),
      (#"{"format":"syncjob-queue","version":1}"#, .missingField(.file, field: "generation")),
      (
        // 2^53: the next number could not be read again.
        #"{"format":"syncjob-queue","version":1,"generation":9007199254740992}"#,
        .badField(.file, field: "generation")
      ),
    ])
  func notAQueueFile(_ text: String, _ problem: QueueFileProblem) {
    #expect(throws: problem) { try QueueFile.decode(Array(text.utf8)) }
  }

  @Test(
    "a newer version is named wherever it stands and whatever comes with it",
    arguments: [
      #"{"format":"syncjob-queue","version":7,"generation":"x"}"#,
      #"{"format":"syncjob-queue","items":[{"id":5}],"version":7}"#,
      #"{"version":7,"generation":[],"format":"syncjob-queue"}"#,
    ])
  func newer(_ text: String) {
    #expect(throws: QueueFileProblem.newerVersion(found: 7, known: 1)) { try QueueFile.decode(Array(text.utf8)) }
  }

  @Test("what is not JSON is refused with line and column")
  func notJSON() {
    let text = "{\"format\":\"syncjob-queue\",\n \"version\":1,,}"
    guard
      case .notJSON(_, line: 2, column: 14)? = #expect(
        throws: QueueFileProblem.self, performing: { try QueueFile.decode(Array(text.utf8)) })
    else {
      Issue.record("another problem")
      return
    }
  }

  @Test("no cut of a file is taken for a file")
  func truncation() {
    var generator = QueueGenerator(seed: 3)
    let bytes = QueueFile.encode(generator.queue())
    // The last byte is the line's end: a file without it is whole.
    for length in 0..<bytes.count - 1 {
      #expect(throws: QueueFileProblem.self) { try QueueFile.decode(Array(bytes[..<length])) }
    }
  }

  @Test("times that RFC 3339 cannot write do not spoil the file")
  func extremeTimes() throws {
    let queue = Queue(libraryID: "l", generation: 1, savedAt: Timestamp(secondsSince1970: .max))
    #expect(try QueueFile.decode(QueueFile.encode(queue)).savedAt.rfc3339 == "9999-12-31T23:59:59Z")
  }

  @Test("metadata stays under 1 KB an item, and little above in the middle of a transfer with every field")
  func size() throws {
    var generator = QueueGenerator(seed: 1)
    let empty = Queue(libraryID: "l", savedAt: Timestamp(secondsSince1970: 0))
    var sizes: [Int] = []
    for _ in 0..<100 {
      guard var item = generator.queueItem(try #require(ItemID("an-item"))) else { continue }
      // Fields of a newer version are its own, and an item has the facts about a lost file only while it is lost.
      (item.unknownFields, item.lostFile) = ([], nil)
      var queue = empty
      queue[item.id] = item
      sizes.append(QueueFile.encode(queue).count - QueueFile.encode(empty).count)
    }
    #expect(sizes.count > 90)
    #expect(sizes.reduce(0, +) / sizes.count < 1000)
    // A transfer with a partial and an announced file that passed a checksum, three candidates with their titles, and a
    // licence.
    #expect(sizes.max() ?? 0 < 1800)
  }
}
