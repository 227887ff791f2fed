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
    #expect(plan.downloads.map(\.task.id.text) == ["a"])
    #expect(plan.changes[0].path?.text == "mix/a.mp3")
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
    let queued = ItemState.queued(Pending(partial: try partialDownload("a", 400)))
    for (size, trusts, expected) in [(300, false, 300), (500, false, 400), (500, true, 500), (300, true, 300)] {
      let world = try world(queued) { world in
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
    guard case .failedForGood(let error)? = plan.standing("a") else {
      Issue.record("\(plan.standing)")
      return
    }
    #expect(error.status == 404)
    var redeclared = World()
    try redeclared.name(try item("a", url: "https://other.example/a.mp3"))
    try redeclared.remember(try item("a"), failure(isTemporary: false))
    #expect(redeclared.plan().words == ["download a"])
    #expect(redeclared.plan().reason("a") == .failedBefore)
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
    #expect(plan.standing("a") == .missingAndSkipped)
    try world.carryOut(plan)
    #expect(world.plan().standing("a") == .missingAndSkipped)
    #expect(world.plan().bookkeeping.isEmpty)
  }

  @Test("finished and replaced by somebody: left alone, with a warning", arguments: [true, false])
  func changed(isForeign: Bool) throws {
    let world = try world(.completed(try stored("a"))) { world in
      world.seen.finished[try id("a")] = isForeign ? .foreign : .file(size: ByteCount(7))
    }
    #expect(world.plan().words == ["keep a"])
    #expect(world.plan().reason("a") == .changedByOthers)
    #expect(world.plan().warnings == [.changedByOthers(path: try path("Mix/a.mp3"))])
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

  @Test("a new title of a finished item is remembered")
  func newTitle() throws {
    var renamed = try item("a")
    renamed.title = "Another"
    var world = World()
    try world.name(renamed)
    try world.remember(try item("a"), .completed(try stored("a")))
    let plan = world.plan()
    #expect(plan.words == ["keep a"])
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
      (Removal.Cause.user, nil, Standing.removedByUser), (.lost, Reason.lost, nil), (.orphan, .wantedAgain, nil),
      (.retention, .wantedAgain, nil), (.expired, .wantedAgain, nil), (.evicted, .roomAgain, nil),
    ] as [(Removal.Cause, Reason?, Standing?)])
  func removed(cause: Removal.Cause, reason: Reason?, standing: Standing?) throws {
    let removal = Removal(cause: cause, at: World.start - .days(1), file: try stored("a"))
    let plan = try world(.removed(removal)).plan()
    #expect(plan.reason("a") == reason)
    #expect(plan.standing("a") == standing)
    if reason != nil { #expect(plan.changes[0].bytes == ByteCount(1000)) }
  }

  @Test("evicted: comes back when played or pinned since, else only into spare room")
  func evicted() throws {
    let removal = Removal(cause: .evicted, at: World.start - .days(1), file: try stored("a"))
    func world(playedAgo days: Int?, pinned: Bool = false) throws -> World {
      var world = World()
      world.manifest.storage.budget = ByteCount(1100)
      try world.name(try item("a"))
      let plays = PlayHistory(count: 1, lastPlayedAt: days.map { World.start - .days($0) - .minutes(-1) })
      try world.remember(try item("a"), .removed(removal), pinned: pinned, plays: plays)
      return world
    }
    #expect(try world(playedAgo: 1).plan().reason("a") == .playedSinceEviction)
    #expect(try world(playedAgo: 2).plan().reason("a") == .noRoomToReturn)
    #expect(try world(playedAgo: nil).plan().words == ["defer a"])
    #expect(try world(playedAgo: nil, pinned: true).plan().reason("a") == .wantedAgain)
  }

  @Test("cancelled: left alone")
  func cancelled() throws {
    let plan = try world(.cancelled(at: World.start)).plan()
    #expect(plan.changes.isEmpty)
    #expect(plan.standing("a") == .cancelled)
  }

  @Test("its content lies in its place already: adopted instead of fetched")
  func adopted() throws {
    let adoptable = Adoptable(file: try stored("a", size: 70), proof: .declaredChecksum)
    let removed = ItemState.removed(Removal(cause: .evicted, at: World.start - .days(1), file: nil))
    for state in [nil, failure(isTemporary: true), removed] {
      let plan = try world(state) { $0.seen.adoptable[try id("a")] = adoptable }.plan()
      #expect(plan.words == ["adopt a"])
      #expect(plan.reason("a") == .sameContent(.declaredChecksum))
      #expect(plan.adoptions == [try id("a"): adoptable])
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

@Suite("an item that an interrupted run left")
struct RecoveryTests {
  private func world(_ state: ItemState, isNamed: Bool = true) throws -> World {
    var world = World()
    if isNamed { try world.name(try item("a")) }
    try world.remember(try item("a"), state)
    return world
  }

  @Test("is queued again with its partial")
  func interrupted() throws {
    let partial = try partialDownload("a", 400)
    let attempt = Attempt(candidate: 1, attempts: 2, partial: partial)
    for state in [.downloading(attempt), .retrying(attempt, nextAttemptAt: World.start + .days(1))] as [ItemState] {
      var world = try world(state)
      let plan = world.plan()
      #expect(plan.words == ["resume a"])
      #expect(plan.state("a") == .queued(Pending(partial: partial)))
      #expect(plan.recovered == [try id("a")])
      try world.carryOut(plan)
      #expect(world.plan().recovered.isEmpty)
    }
  }

  @Test("is finished when the rename was done and only the journal missed it")
  func published() throws {
    let file = try stored("a")
    var attempt = Attempt(candidate: 0, attempts: 1)
    attempt.publishing = file
    var world = try world(.downloading(attempt))
    #expect(world.plan().words == ["download a"], "without the file in place it was not published")
    world.seen.published = [try id("a")]
    world.seen.finished[try id("a")] = .file(size: file.size)
    #expect(world.plan().words == ["keep a"])
    #expect(world.plan().state("a") == .completed(file))
    #expect(world.plan().recovered == [try id("a")])
  }

  @Test("paused by a signal, it goes on, which is no recovery")
  func paused() throws {
    let partial = try partialDownload("a", 400)
    let plan = try world(.paused(Attempt(candidate: 0, attempts: 1, partial: partial))).plan()
    #expect(plan.words == ["resume a"])
    #expect(plan.recovered.isEmpty)
  }

  @Test("without a partial and not wanted now, it is recovered once and not at every run")
  func recoveredOnce() throws {
    var world = World()
    try world.addFeed("news")
    try world.remember(
      try item("news:1"), .downloading(Attempt(candidate: 0, attempts: 1)), in: "news")
    let plan = world.plan()
    #expect(plan.recovered == [try id("news:1")])
    #expect(plan.state("news:1") == .queued(Pending()))
    try world.carryOut(plan)
    #expect(world.plan().recovered.isEmpty)
    #expect(world.plan().bookkeeping.isEmpty)
  }
}

@Suite("an item that nobody names any more")
struct UnnamedItemTests {
  private func orphan(_ orphans: StoragePolicy.Orphans, pinned: Bool = false) throws -> World {
    var world = World()
    world.manifest.storage.orphans = orphans
    try world.name(try item("other"))
    try world.remember(try item("a"), .completed(try stored("a")), pinned: pinned)
    return world
  }

  @Test(
    "its file is kept, kept until room is needed, or removed",
    arguments: [
      (StoragePolicy.Orphans.keep, "keep a", Reason.orphanKept), (.evictFirst, "keep a", .orphanKept),
      (.remove, "remove a", .leftManifest),
    ])
  func policies(orphans: StoragePolicy.Orphans, words: String, reason: Reason) throws {
    let plan = try orphan(orphans).plan()
    #expect(plan.words.contains(words))
    #expect(plan.reason("a") == reason)
  }

  @Test("pinned, it stays", arguments: StoragePolicy.Orphans.allCases)
  func pinned(orphans: StoragePolicy.Orphans) throws {
    #expect(try orphan(orphans, pinned: true).plan().words.contains("keep a"))
  }

  @Test("when room is needed it goes before what is wanted, with evict-first alone")
  func evictFirst() throws {
    func victims(_ orphans: StoragePolicy.Orphans) throws -> [String] {
      var world = try orphan(orphans)
      world.manifest.storage.budget = ByteCount(2100)
      // The orphan is played a lot, the wanted file never.
      try world.remember(
        try item("a"), .completed(try stored("a")), plays: PlayHistory(count: 50, lastPlayedAt: World.start))
      try world.name(try item("b"))
      try world.remember(try item("b"), .completed(try stored("b", age: 50)))
      return world.plan().words.filter { $0.hasPrefix("evict") }
    }
    #expect(try victims(.evictFirst) == ["evict a"])
    #expect(try victims(.keep) == ["evict b"])
  }

  @Test("younger than min_age even an orphan is not evicted", arguments: [StoragePolicy.Orphans.keep, .evictFirst])
  func minAge(orphans: StoragePolicy.Orphans) throws {
    var world = try orphan(orphans)
    world.manifest.storage.budget = ByteCount(1000)
    try world.remember(try item("a"), .completed(try stored("a", age: 0)))
    #expect(world.plan().words.contains("keep a"))
  }

  @Test("deleted by somebody, it is lost")
  func lost() throws {
    var world = try orphan(.keep)
    world.seen.finished = [:]
    guard case .removed(let removal)? = world.plan().state("a") else {
      Issue.record("\(world.plan().bookkeeping)")
      return
    }
    #expect(removal.cause == .lost)
  }

  @Test("replaced by somebody, it is never removed")
  func changed() throws {
    var world = try orphan(.remove)
    world.seen.finished[try id("a")] = .file(size: ByteCount(3))
    #expect(world.plan().reason("a") == .changedByOthers)
  }

  @Test("without a file it is forgotten, its partial is swept")
  func dropped() throws {
    let partial = try partialDownload("a", 400)
    for state in [.queued(Pending(partial: partial)), failure(isTemporary: false, partial: partial)] {
      var world = World()
      try world.remember(try item("a"), state)
      #expect(world.plan().bookkeeping == [.itemDropped(try id("a"))])
      #expect(world.plan().strayPartials == ["p-a"])
      #expect(world.plan().storage.after == .zero)
    }
    var cancelled = World()
    try cancelled.remember(try item("a"), .cancelled(at: World.start))
    #expect(cancelled.plan().bookkeeping == [.itemDropped(try id("a"))])
  }

  @Test("the tombstone of a removed file stays")
  func tombstone() throws {
    var world = World()
    try world.remember(try item("a"), .removed(Removal(cause: .user, at: World.start)))
    #expect(world.plan().bookkeeping.isEmpty)
    #expect(world.plan().changes.isEmpty)
  }
}

@Suite("an item of a source")
struct SourceItemTests {
  /// A mirrored feed that has "2" now, and a library with "1" and "2" of it.
  private func world(mirror: Bool) throws -> World {
    var world = World()
    world.manifest.storage.orphans = .remove
    try world.addFeed("news", mirror: mirror)
    for (position, name) in ["1", "2"].enumerated() {
      var known = try item("news:\(name)", url: "https://media.example.net/\(name).mp3")
      known.title = name
      try world.remember(known, .completed(try stored(name)), in: "news", position: position + 1)
      world.queue[known.id]?.matchedBy = .guid
    }
    return world
  }

  @Test("is kept when the source lets it go, removed when the source is mirrored", arguments: [false, true])
  func mirror(isMirror: Bool) throws {
    var world = try world(mirror: isMirror)
    try world.read("news", ["2"])
    let plan = world.plan()
    #expect(plan.reason("news:1") == (isMirror ? .leftManifest : .noLongerInSource))
    #expect(plan.reason("news:2") == .present)
    #expect(plan.words.contains("remove news:1") == isMirror)
  }

  @Test("is never removed because of a source that was not read, or not whole")
  func held() throws {
    let unread = try world(mirror: true)
    #expect(unread.plan().words == ["keep news:1", "keep news:2"])
    #expect(unread.plan().reason("news:1") == .present)
    var cut = unread
    try cut.read("news", ["2"], completeness: .partial(.malformed(line: 3, detail: "")))
    #expect(Set(cut.plan().words) == ["keep news:1", "keep news:2"])
    #expect(cut.plan().bookkeeping.isEmpty)
  }

  @Test("is not forgotten while its source is held")
  func heldQueued() throws {
    var world = World()
    try world.addFeed("news", mirror: true)
    try world.remember(try item("news:1"), failure(isTemporary: true), in: "news")
    #expect(world.plan().bookkeeping.isEmpty)
    try world.read("news", [])
    #expect(world.plan().bookkeeping.contains(.itemDropped(try id("news:1"))))
  }

  @Test("of a playlist that is gone from the manifest is an orphan, held or not")
  func playlistGone() throws {
    var world = try world(mirror: true)
    world.manifest.playlists = []
    #expect(world.plan().words == ["remove news:1", "remove news:2"])
  }

  @Test("that is no longer selected stays, and is not fetched again")
  func notSelected() throws {
    var world = try world(mirror: false)
    world.manifest.playlists[0].select.latest = 1
    try world.read("news", ["3", "2", "1"])
    let plan = world.plan()
    #expect(plan.reason("news:1") == .notSelectedAnymore)
    #expect(plan.words.contains("download news:3"))
    world.seen.finished[try id("news:1")] = nil
    #expect(world.plan().reason("news:1") == nil)
  }

  @Test("that is passed over is not remembered")
  func passedOver() throws {
    var world = World()
    try world.addFeed("news")
    world.manifest.playlists[0].select.initial = .newest(1)
    try world.read("news", ["2", "1"])
    let plan = world.plan()
    #expect(plan.words == ["download news:2"])
    #expect(plan.state("news:1") == nil)
    #expect(plan.bookkeeping.count == 2, "the item and its source")
  }

  @Test("the memory of a source that left the manifest goes")
  func memoryDropped() throws {
    var world = World()
    let news = try playlistName("news")
    world.queue.sources[news] = SourceMemory(changedAt: World.start, checkedAt: World.start, itemCount: 1)
    #expect(world.plan().bookkeeping == [.sourceDropped(news)])
    world.scope = [try playlistName("mix")]
    #expect(world.plan().bookkeeping.isEmpty)
  }
}

@Suite("a run for some playlists only")
struct ScopeTests {
  @Test("does nothing for the others, though they stay as they are")
  func scope() throws {
    var world = World()
    world.manifest.storage.orphans = .remove
    try world.name(try item("a"), in: "one")
    try world.name(try item("b"), try item("c"), in: "two")
    try world.name(try item("shared"), in: "two")
    try world.name(try item("shared"), in: "one")
    try world.remember(try item("c"), .completed(try stored("c")), in: "two", position: 2)
    try world.remember(try item("gone"), .completed(try stored("gone")), in: "two")
    try world.remember(try item("waiting"), failure(isTemporary: true), in: "two")
    world.scope = [try playlistName("one")]
    let plan = world.plan()
    #expect(Set(plan.words) == ["download a", "download shared", "keep c", "keep gone"])
    #expect(plan.state("b") == nil)
    #expect(!plan.bookkeeping.contains(.itemDropped(try id("waiting"))))
    world.scope = nil
    #expect(world.plan().words.contains("remove gone"))
    #expect(world.plan().bookkeeping.contains(.itemDropped(try id("waiting"))))
  }
}
