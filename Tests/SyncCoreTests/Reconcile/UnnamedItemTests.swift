// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

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

  @Test("kept like any other it goes for its score, and the reason says that")
  func keptReason() throws {
    var world = try orphan(.keep)
    world.manifest.storage.budget = ByteCount(900)
    #expect(world.plan().changes.filter { $0.action == .evict }.map(\.reason) == [.lowestScore])
    world.manifest.storage.orphans = .evictFirst
    #expect(world.plan().changes.filter { $0.action == .evict }.map(\.reason) == [.orphanEvicted])
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

  @Test("lost outside the scope of the run, it leaves nothing of its upgrade, which a tombstone cannot have")
  func lostWithUpgrade() throws {
    var world = try orphan(.keep)
    let partial = try partialDownload("a", 500)
    world.queue[try id("a")]?.upgrade = Upgrade(.quality(.high), state: .queued(Pending(partial: partial)))
    world.scope = [try playlistName("another")]
    world.seen.finished = [:]
    world.carryOut(world.plan())
    let item = try #require(world.queue[try id("a")])
    #expect(item.state.name == .removed && item.upgrade == nil)
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
