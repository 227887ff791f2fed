// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

/// A plan and a run with one item of each kind, for texts that are asserted whole.
struct ReportSamples {
  static let start = Timestamp(secondsSince1970: 1_800_000_000)

  static func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

  static func change(
    _ name: String, _ action: Change.Action, _ reason: Reason, bytes: Int64?, path: String? = nil, score: Double? = nil
  ) throws -> Change {
    let url = try RemoteURL("https://anna:secret@a.example/\(name).mp3?token=secret")
    var item = Item(id: try id(name), title: name.uppercased(), main: Candidate(url: url))
    item.duration = .milliseconds(225_250)
    let playlist = try #require(PlaylistName("mix"))
    return Change(
      Boxed(QueueItem(item: item, memberships: [Membership(playlist: playlist, position: 1)], queuedAt: start)),
      action, reason, bytes: bytes.map(ByteCount.init), path: path.flatMap { LibraryPath($0) }, score: score)
  }

  static func plan() throws -> Plan {
    var plan = Plan(
      generatedAt: start,
      changes: [
        try change("gone", .remove, .leftManifest, bytes: 300, path: "mix/GONE.mp3"),
        try change("old", .evict, .lowestScore, bytes: 3 << 20, path: "mix/OLD.mp3", score: 0.25),
        try change("new", .download, .new, bytes: 8_600_000, path: "mix/NEW.mp3"),
        try change("begun", .resume, .partialKept(ByteCount(1 << 20)), bytes: 1 << 20, path: "mix/日本.mp3"),
        try change("there", .adopt, .sameContent(.declaredSize), bytes: 100, path: "mix/THERE.mp3"),
        try change("large", .defer, .noRoomInBudget(lacking: ByteCount(512)), bytes: 1 << 30, path: "mix/LARGE.mp3"),
        try change("wait", .defer, .askedToWait(until: start), bytes: nil),
        try change("kept", .keep, .present, bytes: 5000, path: "mix/KEPT.mp3", score: 0.7),
      ], bookkeeping: [],
      storage: StorageForecast(
        budget: ByteCount(20 << 20), before: ByteCount(10 << 20), after: ByteCount(16 << 20), partial: .zero,
        trash: .zero, free: ByteCount(1 << 30), deferred: ByteCount(1 << 30)))
    plan.standing = [
      StandingItem(id: try id("dead"), title: "Dead\n", standing: .failedForGood(error(isTemporary: false))),
      StandingItem(id: try id("off"), title: "Off", standing: .cancelled),
    ]
    plan.warnings = [.recovered(.journalTailTorn)]
    return plan
  }

  static func error(isTemporary: Bool) -> ErrorRecord {
    ErrorRecord(
      kind: isTemporary ? .timeout : .http, status: isTemporary ? nil : 404,
      message: isTemporary ? "less than 1 KiB came in 30 s" : "the server answered 404 (not found)", at: start)
  }

  static func file(_ name: String, size: Int64, candidate: Int = 0, confidence: StoredFile.Confidence = .normal) throws
    -> StoredFile
  {
    StoredFile(
      path: try #require(LibraryPath("mix/\(name).mp3")), size: ByteCount(size),
      sha256: try #require(SHA256Digest(hex: String(repeating: "0", count: 64))), completedAt: start,
      candidate: candidate, confidence: confidence)
  }

  static func report() throws -> RunReport {
    var report = RunReport(runID: "r1", name: "car", startedAt: start)
    let events: [RunEvent] = [
      .sourceRead(
        SourceSummary(
          playlist: try #require(PlaylistName("news")), location: "https://a.example/rss", outcome: .changed, items: 3)),
      .sourceRead(
        SourceSummary(
          playlist: try #require(PlaylistName("talk")), location: "/x.rss", outcome: .problem(.empty), items: 0)),
      .planned(try plan()), .removed(try id("gone"), .orphan, freed: ByteCount(300)),
      .removed(try id("old"), .evicted, freed: ByteCount(3 << 20)),
      .adopted(try id("there"), try file("THERE", size: 100)),
      .retrying(try id("new"), .emptyBody, attempt: 1, wait: .seconds(1)),
      .completed(
        try id("new"),
        Completion(
          file: try file("NEW", size: 8_600_000, candidate: 1, confidence: .low), title: "NEW",
          fetched: ByteCount(7_551_424),
          resumed: ByteCount(1 << 20), requests: 2, seconds: 1.23456, difference: .seconds(25))),
      .failed(try id("begun"), error(isTemporary: true), isTemporary: true, requests: 4, seconds: 61),
      .cleaned(files: 1, freed: ByteCount(7)),
    ]
    for event in events { report.fold(event) }
    report.finishedAt = start + .seconds(125)
    report.seconds = 125.0004
    report.status = report.statusOfItems
    report.storage = StorageSummary(
      budget: ByteCount(20 << 20), used: ByteCount(15 << 20), partial: ByteCount(1 << 20), trash: ByteCount(300),
      free: ByteCount(1 << 30))
    return report
  }
}
