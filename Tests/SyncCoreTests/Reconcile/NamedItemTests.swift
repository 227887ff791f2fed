// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("an item that the manifest names")
struct NamedItemTests {
  /// A world with one named item in a state.
  private func world(_ state: ItemState?, change: (inout World) throws -> Void = { _ in }) throws -> World {
    var world = World()
    try world.name(try item("a"))
    if let state { try world.remember(try item("a"), state) }
    try change(&world)
    return world
  }

  @Test("new: fetched, and remembered as queued")
  func new() throws {
    let plan = try world(nil).plan()
    #expect(plan.words == ["download a"])
    #expect(plan.reason("a") == .new)
    #expect(plan.state("a") == .queued(Pending()))
    #expect(plan.downloads.map(\.id.text) == ["a"])
    #expect(plan.changes[0].path?.text == "mix/a.mp3")
  }

  @Test("put back by command: says so, whatever it was before")
  func requested() throws {
    let file = try storedFile("mix/a.mp3", completedAt: World.start)
    for state in [
      ItemState.removed(Removal(cause: .user, at: World.start, file: file)), .cancelled(at: World.start),
      failure(isTemporary: false),
    ] {
      let known = QueueItem(item: try item("a"), memberships: [], state: state, queuedAt: World.start)
      let retried = try #require(try QueueEdit.retry.applied(to: known, now: World.start))
      #expect(try world(retried.state).plan().reason("a") == .requested)
    }
  }

  @Test("begun: continued with what can be trusted")
  func resumed() throws {
    let partial = try partialDownload("a", 400, of: 1000)
    let queued = ItemState.queued(Pending(partial: partial))
    let plan = try world(queued).plan()
    #expect(plan.words == ["resume a"])
    #expect(plan.reason("a") == .partialKept(ByteCount(400)))
    #expect(plan.changes[0].bytes == ByteCount(600))
    #expect(plan.downloads[0].task.partial == partial)
    #expect(plan.bookkeeping.isEmpty)
  }

  @Test("begun, and the file is shorter, longer or gone")
  func trustedLength() throws {
    let partial = try partialDownload("a", 400)
    let queued = ItemState.queued(Pending(partial: partial))
    let killed = ItemState.downloading(Attempt(candidate: 0, attempts: 1, partial: partial))
    // Only a run that was killed left more than it said.
    for (state, size, trusts, expected) in [
      (queued, 300, false, 300), (queued, 500, false, 400), (queued, 500, true, 400), (queued, 300, true, 300),
      (killed, 300, false, 300), (killed, 500, false, 400), (killed, 500, true, 500), (killed, 300, true, 300),
    ] {
      let world = try world(state) { world in
        world.seen.partials["p-a"]?.size = ByteCount(Int64(size))
        world.seen.trustsPartialLengths = trusts
      }
      #expect(world.plan().downloads[0].task.partial?.received == ByteCount(Int64(expected)))
    }
    let gone = try world(queued) { $0.seen.partials = [:] }
    #expect(gone.plan().words == ["download a"])
    #expect(gone.plan().state("a") == .queued(Pending()))
  }

  @Test("failed for the time being: tried again, with its partial")
  func failedTemporarily() throws {
    #expect(try world(failure(isTemporary: true)).plan().reason("a") == .failedBefore)
    let partial = try partialDownload("a", 400)
    #expect(try world(failure(isTemporary: true, partial: partial)).plan().words == ["resume a"])
  }

  @Test("asked to wait: waits until then")
  func waiting() throws {
    let later = World.start + .minutes(5)
    for state in [.queued(Pending(nextAttemptAt: later)), failure(isTemporary: true, nextAttemptAt: later)] {
      var world = try world(state)
      #expect(world.plan().words == ["defer a"])
      #expect(world.plan().reason("a") == .askedToWait(until: later))
      #expect(world.plan().downloads.isEmpty)
      world.now = later
      #expect(world.plan().words == ["download a"])
    }
  }

  @Test("failed for good: left alone, until it is declared otherwise")
  func failedForGood() throws {
    let plan = try world(failure(isTemporary: false)).plan()
    #expect(plan.changes.isEmpty)
    guard case .failedForGood(let error)? = plan.skipReason("a") else {
      Issue.record("\(plan.skipped)")
      return
    }
    #expect(error.status == 404)
    var redeclared = World()
    try redeclared.name(try item("a", url: "https://other.example/a.mp3"))
    try redeclared.remember(try item("a"), failure(isTemporary: false))
    #expect(redeclared.plan().words == ["download a"])
    #expect(redeclared.plan().reason("a") == .inputsChanged)
    var alternative = World()
    try alternative.name(try item("a", alternatives: [candidate("https://other.example/a.mp3")]))
    try alternative.remember(try item("a"), failure(isTemporary: false))
    #expect(alternative.plan().words == ["download a"])
  }

  @Test("a new place makes the wait that the old one asked for void")
  func redeclaredWait() throws {
    var world = World()
    try world.name(try item("a", url: "https://other.example/a.mp3"))
    try world.remember(try item("a"), failure(isTemporary: true, nextAttemptAt: World.start + .hours(1)))
    #expect(world.plan().words == ["download a"])
  }

  @Test("finished and there: kept")
  func present() throws {
    let plan = try world(.completed(try stored("a"))).plan()
    #expect(plan.words == ["keep a"])
    #expect(plan.reason("a") == .present)
    #expect(plan.bookkeeping.isEmpty)
    #expect(!plan.hasPendingChanges)
  }

  @Test("finished and deleted by somebody: fetched again, with the room that it took")
  func missing() throws {
    let plan = try world(.completed(try stored("a"))) { $0.seen.finished = [:] }.plan()
    #expect(plan.words == ["download a"])
    #expect(plan.reason("a") == .lost)
    #expect(plan.changes[0].bytes == ByteCount(1000))
    #expect(plan.state("a") == .queued(Pending()))
  }

  @Test("finished, deleted and to be skipped: stays away, at every run")
  func missingSkipped() throws {
    var world = try world(.completed(try stored("a"))) { world in
      world.seen.finished = [:]
      world.manifest.storage.onMissing = .skip
    }
    let plan = world.plan()
    #expect(plan.changes.isEmpty)
    #expect(plan.skipReason("a") == .missingAndSkipped)
    world.carryOut(plan)
    #expect(world.plan().skipReason("a") == .missingAndSkipped)
    #expect(world.plan().bookkeeping.isEmpty)
  }

  @Test("finished and replaced by somebody: left alone, with a warning", arguments: [true, false])
  func changed(isForeign: Bool) throws {
    let world = try world(.completed(try stored("a"))) { world in
      world.seen.finished[try id("a")] = isForeign ? .foreign : .file(size: ByteCount(7))
    }
    #expect(world.plan().words == ["keep a"])
    #expect(world.plan().reason("a") == .changedByOthers)
    #expect(world.plan().warnings == [.changedByOthers(path: try path("mix/a.mp3"))])
    #expect(world.reconciliation().changedByOthers == [try id("a")])
  }

  @Test("a new URL of a finished item fetches nothing")
  func newURL() throws {
    var world = World()
    try world.name(try item("a", url: "https://other.example/a.mp3"))
    try world.remember(try item("a"), .completed(try stored("a")))
    #expect(world.plan().words == ["keep a"])
    #expect(world.plan().bookkeeping.isEmpty)
  }

  @Test("a new title of a finished item is remembered, and moves its file")
  func newTitle() throws {
    var renamed = try item("a")
    renamed.title = "Another"
    var world = World()
    try world.name(renamed)
    try world.remember(try item("a"), .completed(try stored("a")))
    let plan = world.plan()
    #expect(plan.words == ["move a"])
    guard case .item(let entry)? = plan.bookkeeping.first else {
      Issue.record("\(plan.bookkeeping)")
      return
    }
    #expect(entry.item.title == "Another")
    #expect(entry.updatedAt == World.start)
  }

  @Test(
    "removed: by whom decides",
    arguments: [
      (Removal.Cause.user, nil, SkipReason.removedByUser), (.lost, Reason.lost, nil), (.orphan, .wantedAgain, nil),
      (.retention, .wantedAgain, nil), (.expired, .wantedAgain, nil), (.evicted, .roomAgain, nil),
    ] as [(Removal.Cause, Reason?, SkipReason?)])
  func removed(cause: Removal.Cause, reason: Reason?, skipped: SkipReason?) throws {
    let removal = Removal(cause: cause, at: World.start - .days(7), file: try stored("a"))
    let plan = try world(.removed(removal)).plan()
    #expect(plan.reason("a") == reason)
    #expect(plan.skipReason("a") == skipped)
    if reason != nil { #expect(plan.changes[0].bytes == ByteCount(1000)) }
  }

  @Test("evicted: stays away for a week, but for who plays it or asks for it")
  func evictedLately() throws {
    let removal = Removal(cause: .evicted, at: World.start - .days(7) + .seconds(1), file: try stored("a"))
    #expect(try world(.removed(removal)).plan().reason("a") == .evictedLately(until: World.start + .seconds(1)))
    #expect(try world(.removed(removal)).plan().changes[0].bytes == ByteCount(1000))
    #expect(try world(.queued(Pending())).plan().words == ["download a"])
  }

  @Test("evicted: comes back when played or pinned since, else only into spare room")
  func evicted() throws {
    let removal = Removal(cause: .evicted, at: World.start - .days(8), file: try stored("a"))
    func world(playedAgo days: Int?, pinned: Bool = false) throws -> World {
      var world = World()
      world.manifest.storage.budget = ByteCount(1100)
      try world.name(try item("a"))
      let plays = PlayHistory(count: 1, lastPlayedAt: days.map { World.start - .days($0) - .minutes(-1) })
      try world.remember(try item("a"), .removed(removal), pinned: pinned, plays: plays)
      return world
    }
    #expect(try world(playedAgo: 8).plan().reason("a") == .playedSinceEviction)
    #expect(try world(playedAgo: 9).plan().reason("a") == .noRoomToReturn)
    #expect(try world(playedAgo: nil).plan().words == ["defer a"])
    #expect(try world(playedAgo: nil, pinned: true).plan().reason("a") == .wantedAgain)
  }

  @Test(
    "evicted and played, and no room: its size is known to the run after that as well, as long as its URL is the same")
  func evictedWithoutRoom() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(1000)
    try world.name(try item("a"))
    let removal = Removal(cause: .evicted, at: World.start - .days(8), file: try stored("a", size: 2000))
    let plays = PlayHistory(count: 1, lastPlayedAt: World.start - .days(1))
    try world.remember(try item("a"), .removed(removal), plays: plays)
    for _ in 0..<3 {
      let plan = world.plan()
      #expect(plan.words == ["defer a"])
      #expect(plan.changes[0].bytes == ByteCount(2000))
      world.carryOut(plan)
    }
    #expect(world.plan().bookkeeping.isEmpty)
    world.manifest.playlists = []
    try world.name(try item("a", url: "https://media.example.net/smaller.mp3"))
    #expect(world.plan().words == ["download a"])
  }

  @Test("cancelled: left alone")
  func cancelled() throws {
    let plan = try world(.cancelled(at: World.start)).plan()
    #expect(plan.changes.isEmpty)
    #expect(plan.skipReason("a") == .cancelled)
  }

  @Test("its content lies in its place already: adopted instead of fetched")
  func adopted() throws {
    let adoptable = Adoptable(file: try stored("a", size: 70), proof: .declaredChecksum)
    let removed = ItemState.removed(Removal(cause: .evicted, at: World.start - .days(1), file: nil))
    for state in [nil, failure(isTemporary: true), removed] {
      let plan = try world(state) { $0.seen.adoptable[try id("a")] = adoptable }.plan()
      #expect(plan.words == ["adopt a"])
      #expect(plan.reason("a") == .sameContent(.declaredChecksum))
      #expect(plan.adoptions.map(\.file) == [adoptable.file])
      #expect(plan.adoptions.map(\.item.queued.id) == [try id("a")])
      #expect(plan.storage.after == ByteCount(70))
    }
  }

  @Test("adopted bytes count against the budget of what is fetched beside them")
  func adoptedBytes() throws {
    var other = try item("b")
    other.size = .exact(ByteCount(500))
    var world = World()
    world.manifest.storage.budget = ByteCount(1000)
    try world.name(try item("a"), other)
    world.seen.adoptable[try id("a")] = Adoptable(file: try stored("a", size: 600), proof: .declaredSize)
    #expect(world.plan().words == ["adopt a", "defer b"])
    #expect(world.plan().reason("b") == .noRoomInBudget(lacking: ByteCount(150)))
  }
}
