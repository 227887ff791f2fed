// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a plan")
struct PlanTests {
  private func sized(_ name: String, _ size: Int64, priority: Priority? = nil, pin: Bool? = nil) throws -> Item {
    var item = try item(name)
    item.size = .exact(ByteCount(size))
    (item.priority, item.pin) = (priority, pin)
    return item
  }

  @Test("fetches first what has the higher priority, else in the order of the manifest; shows that order")
  func priority() throws {
    var world = World()
    try world.name(
      sized("low", 10, priority: .low), sized("one", 10), sized("high", 10, priority: .high), sized("two", 10))
    let plan = world.plan()
    #expect(plan.downloads.map(\.id.text) == ["high", "one", "two", "low"])
    #expect(plan.words == ["download low", "download one", "download high", "download two"])
    #expect(plan.downloads.map(\.priority) == [.high, .normal, .normal, .low])
  }

  @Test("a higher priority gets the room")
  func priorityAndRoom() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(100)
    try world.name(sized("a", 60), sized("b", 60, priority: .high))
    #expect(world.plan().words == ["defer a", "download b"])
    #expect(world.plan().reason("a") == .noRoomInBudget(lacking: ByteCount(25)))
    #expect(world.plan().storage.deferred == ByteCount(60))
    #expect(world.plan().storage.after == ByteCount(60))
  }

  @Test("an item that waits for a file that cannot be examined takes its room when it can be examined again")
  func unreachableVictim() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(1200)
    try world.name(sized("new", 1000))
    try world.remember(try item("old"), .completed(try stored("old", age: 50)))
    world.seen.finished[try id("old")] = .unreachable
    let plan = world.plan()
    #expect(plan.words == ["defer new", "keep old"])
    world.carryOut(plan)
    world.seen.finished[try id("old")] = .file(size: ByteCount(1000))
    #expect(world.plan().words == ["evict old", "download new"])
  }

  @Test("an item that a person asks for does not wait behind one that was evicted later", arguments: [false, true])
  func requestedBeforeAbsent(isRequested: Bool) throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(1500)
    try world.name(sized("asked", 1000), sized("gone", 1000))
    try world.remember(try item("asked"), .queued(Pending(isRequested: isRequested)))
    let removal = Removal(cause: .evicted, at: World.start - .days(1), file: try stored("gone", age: 2))
    try world.remember(try item("gone"), .removed(removal), position: 2)
    #expect(world.plan().words == [isRequested ? "download asked" : "defer asked", "defer gone"])
  }

  @Test("removals and evictions stand before the rest, with what they free")
  func order() throws {
    var world = World()
    world.manifest.storage.orphans = .remove
    world.manifest.storage.trashKeep = .zero
    world.manifest.storage.budget = ByteCount(2400)
    try world.name(sized("new", 1000), sized("old", 1000), sized("older", 1000))
    try world.remember(try item("old"), .completed(try stored("old", age: 5)))
    try world.remember(try item("older"), .completed(try stored("older", age: 50)))
    try world.remember(try item("gone"), .completed(try stored("gone")))
    let plan = world.plan()
    #expect(plan.words == ["remove gone", "evict older", "download new", "keep old"])
    #expect(plan.reason("older") == .lowestScore)
    #expect(plan.changes.map { $0.bytes?.bytes } == [1000, 1000, 1000, 1000])
    #expect(plan.changes.map { $0.score == nil } == [false, false, true, false])
    #expect(plan.storage.before == ByteCount(3000))
    #expect(plan.storage.after == ByteCount(2000))
    #expect(plan.count(.evict) == 1)
    #expect(plan.bytes(.download) == ByteCount(1000))
    #expect(plan.hasPendingChanges)
  }

  @Test("nothing evicts when it may not")
  func noEviction() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(900)
    try world.name(sized("a", 1000))
    try world.remember(try item("a"), .completed(try stored("a")))
    #expect(world.plan().words == ["evict a"])
    world.options.mayEvict = false
    #expect(world.plan().words == ["keep a"])
  }

  @Test("nothing is fetched when it may not")
  func noDownload() throws {
    var world = World()
    try world.name(sized("a", 1000))
    #expect(world.plan().heldBack == 0)
    world.options.mayDownload = false
    #expect(world.plan().heldBack == 1)
    #expect(world.plan().changes.isEmpty)
    #expect(world.plan().downloads.isEmpty)
  }

  @Test("never evicts what is pinned by manifest or command, or younger than min_age")
  func protected() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(4000)
    try world.name(
      sized("manifest", 1000, pin: true), sized("command", 1000), sized("young", 1000), sized("free", 1500))
    try world.remember(try item("manifest"), .completed(try stored("manifest", age: 90)))
    try world.remember(try item("command"), .completed(try stored("command", age: 90)), pinned: true)
    try world.remember(try item("young"), .completed(try stored("young", age: 0)))
    try world.remember(try item("free"), .completed(try stored("free", size: 1500, age: 2)))
    #expect(world.plan().words.filter { $0.hasPrefix("evict") } == ["evict free"])
  }

  @Test("pins over the budget do not keep the trash, and nothing else goes for them")
  func trashBesidePins() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(1000)
    world.seen.trashBytes = ByteCount(300)
    try world.name(sized("a", 1200, pin: true), sized("b", 400))
    try world.remember(try item("a"), .completed(try stored("a", size: 1200)))
    try world.remember(try item("b"), .completed(try stored("b", size: 400)))
    let plan = world.plan()
    #expect(plan.emptiesTrash)
    #expect(plan.count(.evict) == 0 && plan.count(.remove) == 0)
    #expect(plan.storage.pinsOverBudget == ByteCount(200))
  }

  @Test("pins alone over the budget: nothing else is evicted for it, and it is said by how much")
  func pinsOverBudget() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(1500)
    try world.name(sized("a", 1000, pin: true), sized("b", 1000, pin: true), sized("free", 500), sized("new", 10))
    for name in ["a", "b"] { try world.remember(try item(name), .completed(try stored(name))) }
    try world.remember(try item("free"), .completed(try stored("free", size: 500)))
    let plan = world.plan()
    #expect(plan.words == ["keep a", "keep b", "keep free", "defer new"])
    #expect(plan.storage.pinsOverBudget == ByteCount(500))
    #expect(plan.warnings.contains(.pinsOverBudget(lacking: ByteCount(500))))
  }

  @Test("a size is the declared one, else the partial's total, else the hint, else the tombstone's, else unknown")
  func sizes() throws {
    func bytes(_ declared: DeclaredSize?, _ state: ItemState?) throws -> Int64? {
      var named = try item("a")
      named.size = declared
      var world = World()
      try world.name(named)
      if let state { try world.remember(try item("a"), state) }
      return world.plan().changes[0].bytes?.bytes
    }
    let begun = ItemState.queued(Pending(partial: try partialDownload("a", 100, of: 700)))
    let openEnd = ItemState.queued(Pending(partial: try partialDownload("a", 100)))
    let evicted = ItemState.removed(
      Removal(cause: .evicted, at: World.start - .days(8), file: try stored("a", size: 900)))
    let lost = ItemState.removed(Removal(cause: .lost, at: World.start, file: try stored("a", size: 900)))
    #expect(try bytes(nil, nil) == nil)
    #expect(try bytes(.exact(ByteCount(500)), nil) == 500)
    #expect(try bytes(.about(ByteCount(500)), nil) == 500)
    #expect(try bytes(.exact(ByteCount(500)), begun) == 400)
    #expect(try bytes(.about(ByteCount(500)), begun) == 600)
    #expect(try bytes(.about(ByteCount(500)), openEnd) == 400)
    #expect(try bytes(nil, openEnd) == nil)
    #expect(try bytes(nil, evicted) == 900)
    #expect(try bytes(nil, lost) == 900)
    #expect(try bytes(.about(ByteCount(500)), lost) == 500)
  }

  @Test("a size that a server told is believed before a hint, and not beyond what may be fetched")
  func toldSize() throws {
    for (told, bytes) in [(900, 900), (1_000_000, nil)] as [(Int64, Int64?)] {
      var named = try item("a")
      named.size = .about(ByteCount(500))
      var world = World()
      world.manifest.downloads.maxItemSize = ByteCount(10_000)
      try world.name(named)
      try world.remember(try item("a"), .queued(Pending()))
      world.queue[try id("a")]?.requeue(told: ByteCount(told))
      #expect(world.plan().changes[0].bytes == bytes.map(ByteCount.init))
    }
  }

  @Test("what had no room does not get what is left of a file that ranks above it")
  func secondTry() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(1000)
    try world.name(sized("first", 100, priority: .high), sized("favourite", 10), sized("hit", 600))
    // Played so often that only the favourite, played as often, makes it go.
    let often = PlayHistory(count: 100, lastPlayedAt: World.start)
    try world.remember(
      try item("hit"), .completed(try stored("hit", size: 950, age: 2)),
      plays: PlayHistory(count: 50, lastPlayedAt: World.start - .days(1)))
    try world.remember(try item("favourite"), .queued(Pending()), plays: often)
    #expect(world.plan().words == ["evict hit", "defer first", "download favourite"])
    world.carryOut(world.plan())
    #expect(!world.plan().hasPendingChanges)
  }

  @Test("expired trash and stray partials go, others' partials stay")
  func sweeping() throws {
    var world = World()
    try world.name(sized("a", 1000))
    try world.remember(try item("a"), .queued(Pending(partial: try partialDownload("a", 100))))
    world.seen.partials["stray"] = .init(size: ByteCount(50), modifiedAt: World.start)
    (world.seen.trashBytes, world.seen.expiredTrashBytes) = (ByteCount(30), ByteCount(20))
    let plan = world.plan()
    #expect(plan.strayPartials == ["stray"])
    #expect(plan.expiresTrash)
    #expect(!plan.emptiesTrash)
    #expect(plan.storage.before == ByteCount(180))
    // 1000 of the item and 10 of the trash.
    #expect(plan.storage.after == ByteCount(1010))
    #expect(plan.storage.partial == ByteCount(150))
    #expect(plan.storage.trash == ByteCount(30))
  }

  @Test("an old partial goes unless it is being continued")
  func oldPartial() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(500)
    try world.name(sized("a", 1000))
    try world.remember(try item("a"), .queued(Pending(partial: try partialDownload("a", 100))))
    world.seen.partials["p-a"]?.modifiedAt = World.start - .days(7) - .seconds(1)
    #expect(world.plan().words == ["defer a"])
    #expect(world.plan().strayPartials == ["p-a"])
    world.options.isClockPlausible = false
    #expect(world.plan().strayPartials.isEmpty)
    world.options.isClockPlausible = true
    world.manifest.storage.budget = nil
    #expect(world.plan().words == ["resume a"])
    #expect(world.plan().strayPartials.isEmpty)
  }

  @Test("what is removed into the trash still counts, until the trash is emptied for room")
  func removalsAndTrash() throws {
    var world = World()
    world.manifest.storage.orphans = .remove
    world.manifest.storage.budget = ByteCount(2000)
    try world.name(sized("new", 800))
    try world.remember(try item("gone"), .completed(try stored("gone")))
    let roomy = world.plan()
    #expect(roomy.words == ["remove gone", "download new"])
    #expect(!roomy.emptiesTrash)
    #expect(roomy.storage.after == ByteCount(1800))
    world.manifest.storage.budget = ByteCount(1000)
    let tight = world.plan()
    #expect(tight.words == ["remove gone", "download new"])
    #expect(tight.emptiesTrash)
    #expect(tight.storage.after == ByteCount(800))
  }

  @Test("an implausible clock evicts, removes and expires nothing, nor builds on it")
  func implausibleClock() throws {
    var world = World()
    world.options.isClockPlausible = false
    world.manifest.storage.orphans = .remove
    world.manifest.storage.budget = ByteCount(2000)
    (world.seen.trashBytes, world.seen.expiredTrashBytes) = (ByteCount(1000), ByteCount(500))
    try world.name(sized("new", 100), sized("old", 1000))
    try world.remember(try item("old"), .completed(try stored("old", age: 300)))
    try world.remember(try item("gone"), .completed(try stored("gone")))
    let plan = world.plan()
    #expect(plan.words == ["defer new", "keep old", "keep gone"])
    #expect(!plan.emptiesTrash)
    #expect(!plan.expiresTrash)
    #expect(plan.storage.after == plan.storage.before)
  }

  @Test("warns of usage, of free space, of pins")
  func warnings() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(1200)
    world.manifest.storage.minFree = ByteCount(100)
    try world.name(sized("a", 1000))
    try world.remember(try item("a"), .completed(try stored("a")))
    #expect(world.plan().warnings == [.usageAboveWarning(used: ByteCount(1000), budget: ByteCount(1200))])
    world.manifest.storage.budget = ByteCount(1250)
    #expect(world.plan().warnings.isEmpty, "at warn_at exactly")
    world.seen.freeSpace = ByteCount(99)
    #expect(world.plan().warnings == [.freeSpaceBelowMinimum(free: ByteCount(99), minimum: ByteCount(100))])
  }

  @Test("too many removals stop it")
  func maxDelete() throws {
    var world = World()
    world.manifest.storage.orphans = .remove
    for number in 0..<12 {
      try world.remember(try item("gone-\(number)"), .completed(try stored("gone-\(number)")))
    }
    world.options.maxDelete = .count(12)
    #expect(world.plan().safetyStop == nil)
    world.options.maxDelete = .count(11)
    #expect(world.plan().safetyStop == .tooManyRemovals(count: 12, limit: 11, finished: 12))
    world.options.maxDelete = .share(.percent(25))
    #expect(world.plan().safetyStop == .tooManyRemovals(count: 12, limit: 10, finished: 12))
    world.manifest.storage.orphans = .evictFirst
    #expect(world.plan().safetyStop == nil)
  }

  @Test("evictions for room are no removals that stop it")
  func evictionsDoNotStop() throws {
    var world = World()
    world.options.maxDelete = .count(0)
    world.manifest.storage.budget = ByteCount(100)
    try world.name(sized("a", 1000))
    try world.remember(try item("a"), .completed(try stored("a")))
    #expect(world.plan().words == ["evict a"])
    #expect(world.plan().safetyStop == nil)
  }

  @Test(
    "a limit by share is never below ten",
    arguments: [(0, 10), (40, 10), (44, 11), (1000, 250)])
  func shareLimit(finished: Int, limit: Int) {
    #expect(StoragePolicy.DeleteLimit.share(.percent(25)).count(of: finished) == limit)
    #expect(StoragePolicy.DeleteLimit.count(3).count(of: finished) == 3)
  }

  @Test(
    "a shortage has its reason",
    arguments: [
      (RoomShortage.budget(lacking: ByteCount(1)), Reason.noRoomInBudget(lacking: ByteCount(1))),
      (.freeSpace(lacking: ByteCount(2)), .noFreeSpace(lacking: ByteCount(2))), (.noRoomToReturn, .noRoomToReturn),
    ])
  func shortages(shortage: RoomShortage, reason: Reason) { #expect(shortage.reason == reason) }

  @Test("a transfer's task has the candidates in their order, what is declared, and what is here")
  func task() throws {
    var named = try item(
      "a", duration: .seconds(100), alternatives: [candidate("https://b.example/", duration: .seconds(103))])
    (named.size, named.checksum) = (.exact(ByteCount(1000)), Checksum(.md5, hex: String(repeating: "0", count: 32)))
    var world = World()
    try world.name(named)
    let partial = try partialDownload("a", 400)
    try world.remember(try item("a"), .queued(Pending(partial: partial)))
    let download = world.plan().downloads[0]
    var task = TransferTask(
      id: named.id, candidates: AlternativePolicy().order(of: named), declaredSize: named.size,
      checksum: named.checksum, partial: partial)
    task.duration = .seconds(100)
    #expect(download.task == task)
    #expect(download.task.candidates.count == 2)
    #expect((download.present, download.room) == (ByteCount(400), ByteCount(600)))
    #expect(!download.isFromSource)
  }

  @Test("of a partial, what can't be built on is not counted beside what comes over it", arguments: [400, 700, 1000])
  func longerPartial(present: Int64) throws {
    var named = try item("a")
    named.size = .exact(ByteCount(1000))
    var world = World()
    world.manifest.storage.budget = ByteCount(1060)
    try world.name(named)
    try world.remember(try item("a"), .queued(Pending(partial: try partialDownload("a", 400))))
    world.seen.partials["p-a"]?.size = ByteCount(present)
    let plan = world.plan()
    #expect(plan.words == ["resume a"])
    #expect(plan.changes[0].bytes == ByteCount(600))
    #expect(plan.storage.after == ByteCount(1000))
    #expect(plan.downloads[0].room == ByteCount(1000 - present))
  }
}
