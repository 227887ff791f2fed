// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

/// A plan and a run with one item of each kind, for texts that are asserted whole.
struct ReportSamples {
  static let start = Timestamp(secondsSince1970: 1_800_000_000)

  static func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

  static func queued(_ name: String, title: String? = nil, file: StoredFile? = nil) throws -> Boxed<QueueItem> {
    let url = try RemoteURL("https://anna:secret@a.example/\(name).mp3?token=secret")
    var item = Item(id: try id(name), title: title ?? name.uppercased(), main: Candidate(url: url))
    item.duration = .milliseconds(225_250)
    let playlist = try #require(PlaylistName("mix"))
    var queued = QueueItem(item: item, memberships: [Membership(playlist: playlist, position: 1)], queuedAt: start)
    if let file { queued.complete(file) }
    return Boxed(queued)
  }

  /// A step with an action. An action on a file that is known has bytes and a path.
  static func step(
    _ name: String, _ action: Step.Action, _ reason: Reason, bytes: Int64?, path: String? = nil, score: Double? = nil,
    title: String? = nil
  ) throws -> Step {
    let item = PlannedItem(try queued(name, title: title), reason, score: score)
    let (size, known) = (bytes.map(ByteCount.init), path.flatMap { LibraryPath($0) })
    let place = try known ?? #require(LibraryPath("mix/\(name.uppercased()).mp3"))
    let file = StoredFile(path: place, size: size ?? .zero, sha256: .simulated, completedAt: start)
    switch action {
    case .download, .resume, .upgrade:
      var fetch = FetchStep(
        item, bytes: size, path: place, try download(item.queued.item),
        turn: FetchTurn(.manifest, priority: .normal, published: nil, bytes: .zero, position: 0))
      fetch.isResumed = action == .resume
      return action == .upgrade ? .upgrade(fetch) : .download(fetch)
    case .adopt: return .adopt(AdoptionStep(item, file))
    case .move:
      let download = try download(item.queued.item)
      let move = PlannedMove(
        id: item.queued.id, to: .layout(download.layout, download.fields, fileExtension: "mp3"))
      return .move(MoveStep(item, path: place, size: file.size, move))
    case .remove: return .remove(RemovalStep(item, path: place, size: file.size, cause: .orphan))
    case .evict: return .evict(RemovalStep(item, path: place, size: file.size, cause: .evicted))
    case .push: return .push(PushStep(item, of: try #require(PlaylistName("mix"))))
    case .defer: return .defer(DeferralStep(item, bytes: size, path: known))
    case .keep: return .keep(PlannedItem(try queued(name, title: title, file: file), reason, score: score))
    }
  }

  private static func download(_ item: Item) throws -> PlannedDownload {
    PlannedDownload(
      task: TransferTask(id: item.id, candidates: [RankedCandidate(candidate: item.main, confidence: .normal)]),
      priority: .normal, layout: try LayoutTemplate("{title}.{ext}"),
      fields: LayoutFields(playlist: "mix", item: Boxed(item), position: 1), isFromSource: false, playlists: [],
      room: .zero, present: .zero)
  }

  static func plan() throws -> Plan {
    var plan = Plan(
      generatedAt: start,
      steps: [
        try step("gone", .remove, .leftManifest, bytes: 300, path: "mix/GONE.mp3"),
        try step("old", .evict, .lowestScore, bytes: 3 << 20, path: "mix/OLD.mp3", score: 0.25),
        try step("new", .download, .new, bytes: 8_600_000, path: "mix/NEW.mp3"),
        try step("begun", .resume, .partialKept(ByteCount(1 << 20)), bytes: 1 << 20, path: "mix/日本.mp3"),
        try step("there", .adopt, .sameContent(.declaredSize), bytes: 100, path: "mix/THERE.mp3"),
        try step("large", .defer, .noRoomInBudget(lacking: ByteCount(512)), bytes: 1 << 30, path: "mix/LARGE.mp3"),
        try step("wait", .defer, .askedToWait(until: start), bytes: nil),
        try step("kept", .keep, .present, bytes: 5000, path: "mix/KEPT.mp3", score: 0.7),
        .skip(
          SkippedItem(try queued("dead", title: "Dead\n"), .failedForGood(error(isTemporary: false)))),
        .skip(SkippedItem(try queued("off", title: "Off"), .cancelled)),
      ], bookkeeping: [],
      storage: StorageForecast(
        budget: ByteCount(20 << 20), before: ByteCount(10 << 20), after: ByteCount(16 << 20), partial: .zero,
        trash: .zero, free: ByteCount(1 << 30), deferred: ByteCount(1 << 30)))
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
      .adopted(try id("there"), try file("THERE", size: 100), state: .offlinedAndValid),
      .retrying(try id("new"), .emptyBody, attempt: 1, wait: .seconds(1)),
      .completed(
        try id("new"),
        Completion(
          file: try file("NEW", size: 8_600_000, candidate: 1, confidence: .low), title: "NEW",
          fetched: ByteCount(7_551_424),
          resumed: ByteCount(1 << 20), requests: 2, seconds: 1.23456, difference: .seconds(25))),
      .failed(
        try id("begun"), error(isTemporary: true), host: "cdn.example", isTemporary: true, requests: 4, seconds: 61),
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

extension Plan {
  /// The steps with an action. The items that no run fetches stay when they are replaced.
  var actions: [Step] {
    get { steps.filter { $0.action != nil } }
    set { steps = newValue + steps.filter { $0.action == nil } }
  }
}
