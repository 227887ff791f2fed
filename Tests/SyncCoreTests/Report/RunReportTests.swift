// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

/// A plan that has a change of each kind, named after its action.
private func sampleWorld() throws -> World {
  var world = World()
  world.manifest.storage.orphans = .remove
  world.manifest.storage.budget = ByteCount(4000)
  func sized(_ name: String, _ size: Int64) throws -> Item {
    var item = try item(name)
    item.size = .exact(ByteCount(size))
    return item
  }
  try world.name(
    sized("download", 500), sized("resume", 500), sized("adopt", 100), sized("evict", 3000), sized("keep", 100),
    sized("defer", 9000), sized("standing", 1))
  try world.remember(try item("resume"), .queued(Pending(partial: try partialDownload("resume", 200))))
  world.seen.adoptable[try id("adopt")] = Adoptable(file: try stored("adopt", size: 100), proof: .declaredSize)
  try world.remember(try item("evict"), .completed(try stored("evict", size: 3000, age: 200)))
  try world.remember(try item("keep"), .completed(try stored("keep", size: 100, age: 2)))
  try world.remember(try item("standing"), failure(isTemporary: false))
  try world.remember(try item("remove"), .completed(try stored("remove", size: 300)))
  return world
}

@Suite("the report of a run")
struct RunReportTests {
  private func report(_ events: [RunEvent] = []) throws -> RunReport {
    var report = RunReport(runID: "1", name: "car", startedAt: World.start)
    report.fold(.planned(try sampleWorld().plan()))
    for event in events { report.fold(event) }
    return report
  }

  private func line(_ name: String, _ report: RunReport) throws -> RunReport.Line {
    try #require(report.lines.first { $0.id.text == name })
  }

  private func completion(
    _ name: String, fetched: Int64, resumed: Int64 = 0, candidate: Int = 0
  ) throws -> RunEvent {
    var file = try stored(name, size: fetched + resumed)
    file.candidate = candidate
    return .completed(
      try id(name),
      Completion(
        file: file, title: name, fetched: ByteCount(fetched), resumed: ByteCount(resumed), requests: 2, seconds: 1.5,
        difference: candidate > 0 ? .seconds(5) : nil))
  }

  private static let error = ErrorRecord(kind: .http, status: 404, message: "m", at: World.start)

  @Test("begins with what was planned, and nothing of it done")
  func begin() throws {
    let report = try report()
    #expect(
      report.lines.map { "\($0.action) \($0.id) \($0.outcome)" } == [
        "remove remove unchanged", "evict evict unchanged", "download download unchanged", "resume resume unchanged",
        "adopt adopt unchanged", "defer defer deferred",
      ])
    var expected = RunReport.Totals()
    (expected.planned, expected.unchanged, expected.deferred) = (5, 1, 1)
    #expect(report.totals == expected)
    #expect(report.skipped.map(\.id.text) == ["standing"])
    #expect(try line("defer", report).bytes == ByteCount(9000))
  }

  @Test("totals are counted from the lines")
  func totals() throws {
    let report = try report([
      .removed(id("remove"), .orphan, freed: ByteCount(300)), .removed(id("evict"), .evicted, freed: ByteCount(3000)),
      .adopted(id("adopt"), stored("adopt", size: 100), state: .offlinedAndValid),
      .started(id("download"), candidate: 0, offset: .zero),
      .progressed(id("download"), received: ByteCount(5), total: nil),
      .retrying(id("download"), .emptyBody, attempt: 1, wait: .seconds(1)),
      .switched(id("download"), .emptyBody, to: 1), completion("download", fetched: 500, candidate: 1),
      completion("resume", fetched: 300, resumed: 200), .cleaned(files: 2, freed: ByteCount(70)),
      .trashEmptied(files: 1, freed: ByteCount(7)),
    ])
    var expected = RunReport.Totals()
    (expected.planned, expected.unchanged, expected.deferred) = (5, 1, 1)
    (expected.downloaded, expected.resumed, expected.adopted, expected.removed, expected.evicted) = (2, 1, 1, 1, 1)
    (expected.retries, expected.alternativesUsed, expected.cleaned) = (1, 1, 3)
    expected.bytesDownloaded = ByteCount(800)
    expected.bytesResumed = ByteCount(200)
    expected.bytesFreed = ByteCount(3377)
    #expect(report.totals == expected)
    let downloaded = try line("download", report)
    #expect(downloaded.attempts == 2)
    #expect(downloaded.candidate == 1)
    #expect(downloaded.difference == .seconds(5))
    #expect(downloaded.seconds == 1.5)
    #expect(downloaded.path == (try path("mix/download.mp3")))
    #expect(try line("adopt", report).bytes == ByteCount(100))
  }

  @Test("what failed, waited or was paused says so")
  func notDone() throws {
    let report = try report([
      .failed(id("download"), Self.error, host: "cdn.example", isTemporary: true, requests: 4, seconds: 2),
      .deferred(id("resume"), .noRoomToReturn),
      .spent(id("adopt"), Effort(fetched: ByteCount(7), requests: 2, seconds: 3)),
      .paused(id("adopt"), kept: ByteCount(1000)),
    ])
    #expect(report.totals.failed == 1)
    #expect(report.totals.deferred == 2)
    let failed = try line("download", report)
    #expect(failed.error == Self.error)
    #expect(failed.isTemporary)
    #expect(failed.attempts == 4)
    #expect(try line("resume", report).action == .defer)
    #expect(try line("resume", report).reason == .noRoomToReturn)
    let paused = try line("adopt", report)
    #expect(paused.outcome == .paused)
    #expect(paused.bytes == ByteCount(7), "what this run fetched, not what is there")
    #expect(paused.attempts == 2)
    #expect(paused.seconds == 3)
  }

  @Test("an event about an item that was not planned changes no line")
  func unknown() throws {
    #expect(try report([completion("stranger", fetched: 5)]).lines == report().lines)
  }

  @Test("the same warning is said once")
  func warnings() throws {
    let warning = Warning.recovered(.journalTailTorn)
    #expect(try report([.warned(warning), .warned(warning)]).warnings.count { $0 == warning } == 1)
  }

  @Test("recovered items are counted")
  func recovered() throws {
    var world = World()
    try world.name(try item("a"))
    try world.remember(try item("a"), .downloading(Attempt(candidate: 0, attempts: 1)))
    var report = RunReport(runID: "1", name: "car", startedAt: World.start)
    report.fold(.planned(world.plan()))
    #expect(report.totals.recovered == 1)
  }
}

@Suite("what a run's events make of its exit status")
struct StatusOfItemsTests {
  private func status(_ events: [RunEvent], of world: World? = nil) throws -> SyncCore.ExitStatus {
    var world = world ?? World()
    if world.manifest.playlists.isEmpty { try world.name(try item("a"), try item("b")) }
    var report = RunReport(runID: "1", name: "car", startedAt: World.start)
    report.fold(.planned(world.plan()))
    for event in events { report.fold(event) }
    return report.statusOfItems
  }

  private func failed(_ name: String, isTemporary: Bool) throws -> RunEvent {
    let error = ErrorRecord(kind: .http, message: "m", at: World.start)
    return .failed(try id(name), error, host: "cdn.example", isTemporary: isTemporary, requests: 1, seconds: 0)
  }

  private func source(_ outcome: SourceSummary.Outcome) throws -> RunEvent {
    .sourceRead(SourceSummary(playlist: try playlistName("news"), location: "x", outcome: outcome, items: 0))
  }

  @Test("nothing went wrong")
  func ok() throws {
    #expect(try status([]) == .ok)
    #expect(try status([source(.changed), source(.unchanged)]) == .ok)
    #expect(try status([.warned(.recovered(.itemsRequeued(3))), .warned(.recovered(.journalTailTorn))]) == .ok)
    #expect(try status([.deferred(id("a"), .noRoomToReturn)]) == .ok)
  }

  @Test("an item failed")
  func failures() throws {
    #expect(try status([failed("a", isTemporary: true)]) == .temporary)
    #expect(try status([failed("a", isTemporary: false)]) == .partial)
    #expect(try status([failed("a", isTemporary: true), failed("b", isTemporary: false)]) == .partial)
  }

  @Test("an item failed for good in an earlier run and is still not there")
  func standing() throws {
    var world = World()
    try world.name(try item("a"))
    try world.remember(try item("a"), failure(isTemporary: false))
    #expect(try status([], of: world) == .partial)
    try world.remember(try item("a"), .cancelled(at: World.start))
    #expect(try status([], of: world) == .ok)
  }

  @Test("a server asked to wait")
  func waiting() throws {
    #expect(try status([.deferred(id("a"), .askedToWait(until: World.start))]) == .temporary)
    var world = World()
    try world.name(try item("a"))
    try world.remember(try item("a"), failure(isTemporary: true, nextAttemptAt: World.start + .hours(1)))
    #expect(try status([], of: world) == .temporary)
  }

  @Test("a source could not be read: later perhaps, or never as it is")
  func sources() throws {
    for problem in [.empty, .webPage, .unreachable(.emptyBody), .malformed(line: 1, detail: "")] as [SourceProblem] {
      #expect(try status([source(.problem(problem))]) == .temporary)
    }
    for problem in [.excessive("entities"), .unreachable(.http(status: 404))] as [SourceProblem] {
      #expect(try status([source(.problem(problem))]) == .partial)
    }
  }

  @Test("a history is not there, in another program's hands, or none")
  func histories() throws {
    for (problem, isExpected) in [
      (HistoryProblem.missing, { $0 == .ok }), (.busy, { $0 == .temporary }), (.notAFile, { $0 == .partial }),
    ] as [(HistoryProblem, (SyncCore.ExitStatus) -> Bool)] {
      let summary = HistorySummary(source: .mpdStickers, path: "/s", problem: problem)
      #expect(isExpected(try status([.historyRead(summary)])), "\(problem)")
    }
  }

  @Test("the job's own memory was damaged")
  func damage() throws {
    #expect(try status([.warned(.recovered(.journalLinesDamaged(1)))]) == .partial)
    #expect(try status([.warned(.recovered(.restored(from: .previous, problem: nil, keptAside: "x")))]) == .partial)
  }

  @Test("nothing can be written, or the pins do not fit")
  func storage() throws {
    #expect(try status([.storageFailed(.storageFull(ErrnoCode(28))), failed("a", isTemporary: false)]) == .storage)
    #expect(try status([.warned(.pinsOverBudget(lacking: ByteCount(1)))]) == .storage)
  }

  @Test("the plan must not be done")
  func safety() throws {
    var world = World()
    world.manifest.storage.orphans = .remove
    world.options.maxDelete = .count(0)
    try world.name(try item("a"))
    try world.remember(try item("gone"), .completed(try stored("gone")))
    #expect(try status([.storageFailed(.storageFull(ErrnoCode(28)))], of: world) == .safety)
  }
}

@Suite("the storage of a report")
struct StorageSummaryTests {
  @Test("usage is a share of the budget")
  func usage() {
    func summary(_ budget: Int64?) -> StorageSummary {
      StorageSummary(
        budget: budget.map(ByteCount.init), used: ByteCount(250), partial: .zero, trash: .zero, free: .zero)
    }
    #expect(summary(1000).usage == 0.25)
    #expect(summary(0).usage == 1)
    #expect(summary(nil).usage == nil)
  }
}
