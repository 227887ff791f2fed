// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a plan, whatever the world")
struct PlanPropertyTests {
  /// A world of up to sixteen items in any state. Sizes are known, ages far from any limit.
  private func world(_ random: inout SeededGenerator) throws -> World {
    var world = World()
    world.manifest.storage.budget = Bool.random(using: &random) ? ByteCount(.random(in: 0...8000, using: &random)) : nil
    world.manifest.storage.minFree = ByteCount(.random(in: 0...500, using: &random))
    world.manifest.storage.orphans = StoragePolicy.Orphans.allCases.randomElement(using: &random) ?? .keep
    world.manifest.storage.onMissing = Bool.random(using: &random) ? .skip : .refetch
    world.manifest.storage.evict.score = StoragePolicy.Score.allCases.randomElement(using: &random) ?? .balanced
    world.manifest.storage.trashKeep = Bool.random(using: &random) ? .zero : .days(7)
    world.seen.freeSpace = ByteCount(.random(in: 0...9000, using: &random))
    world.seen.trashBytes = ByteCount(.random(in: 0...500, using: &random))
    world.seen.expiredTrashBytes = ByteCount(.random(in: 0...world.seen.trashBytes.bytes, using: &random))
    world.seen.trustsPartialLengths = .random(using: &random)
    world.options.mayEvict = Int.random(in: 0..<8, using: &random) > 0
    world.options.isClockPlausible = Int.random(in: 0..<8, using: &random) > 0
    if Bool.random(using: &random) {
      world.seen.partials["stray"] = .init(size: ByteCount(77), modifiedAt: World.start)
    }
    for number in 0..<Int.random(in: 0...16, using: &random) { try add(number, to: &world, &random) }
    return world
  }

  private func add(_ number: Int, to world: inout World, _ random: inout SeededGenerator) throws {
    let name = "item-\(number)"
    let size = Int64.random(in: 1...1500, using: &random)
    var named = try item(name)
    named.size = .exact(ByteCount(size))
    named.pin = Int.random(in: 0..<6, using: &random) == 0
    named.priority = Priority.allCases.randomElement(using: &random)
    if Int.random(in: 0..<5, using: &random) > 0 { try world.name(named) }
    guard let state = try state(name, size: size, &random) else {
      if Int.random(in: 0..<6, using: &random) == 0 {
        world.seen.adoptable[named.id] = Adoptable(file: try stored(name, size: size, age: 0), proof: .declaredSize)
      }
      return
    }
    let plays = PlayHistory(
      count: .random(in: 0...200, using: &random),
      lastPlayedAt: Bool.random(using: &random)
        ? World.start - .days(.random(in: 0...80, using: &random)) - .minutes(30) : nil)
    try world.remember(
      named, state, position: number, pinned: Int.random(in: 0..<8, using: &random) == 0, plays: plays)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: world.seen.finished[named.id] = nil
    case 1 where state.storedFile != nil: world.seen.finished[named.id] = .file(size: ByteCount(size + 1))
    case 2: world.seen.partials["p-" + name] = nil
    default: break
    }
  }

  private func state(_ name: String, size: Int64, _ random: inout SeededGenerator) throws -> ItemState? {
    let partial =
      Bool.random(using: &random)
      ? try partialDownload(name, .random(in: 0...size, using: &random), of: size) : nil
    let age = Int.random(in: 0...60, using: &random)
    let file = try stored(name, size: size, age: age)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2, 3, 4: return .completed(file)
    case 5: return .queued(Pending(partial: partial))
    case 6: return failure(isTemporary: .random(using: &random), partial: partial)
    case 7:
      let cause = Removal.Cause.allCases.randomElement(using: &random) ?? .user
      return .removed(Removal(cause: cause, at: World.start - .days(age) - .minutes(30), file: file))
    case 8: return .downloading(Attempt(candidate: 0, attempts: 1, partial: partial))
    case 9:
      return Bool.random(using: &random)
        ? .paused(Attempt(candidate: 0, attempts: 1, partial: partial)) : .cancelled(at: World.start)
    case 10: return .queued(Pending(partial: partial, nextAttemptAt: World.start + .hours(5)))
    default: return nil
    }
  }

  @Test("carried out exactly, it leaves nothing to do")
  func settles() throws {
    var random = SeededGenerator(12)
    for round in 0..<2500 {
      var world = try world(&random)
      let first = world.plan()
      try world.carryOut(first)
      let second = world.plan()
      guard !second.hasPendingChanges, second.bookkeeping.isEmpty, second.recovered.isEmpty else {
        Issue.record(
          "round \(round): \(first.words), then \(second.words), \(second.bookkeeping.count) changes of the queue")
        return
      }
      #expect(second.storage.before == first.storage.after)
    }
  }

  @Test("each item stands in it once, pinned and young files never go, foreign ones are left alone")
  func protects() throws {
    var random = SeededGenerator(13)
    for _ in 0..<1500 {
      let world = try world(&random)
      let plan = world.plan()
      let ids = plan.changes.map(\.id) + plan.standing.map(\.id)
      #expect(Set(ids).count == ids.count)
      for change in plan.changes where [.evict, .remove].contains(change.action) {
        let entry = try #require(world.queue[change.id])
        let file = try #require(entry.state.storedFile)
        #expect(!entry.pinned)
        #expect(world.seen.finished[change.id] == .file(size: file.size))
        if change.action == .evict { #expect(world.now - file.completedAt >= .hours(24)) }
        #expect(world.options.isClockPlausible)
      }
    }
  }

  @Test("what it fetches fits under trigger and above the floor")
  func fits() throws {
    var random = SeededGenerator(14)
    for _ in 0..<1500 {
      let world = try world(&random)
      let plan = world.plan()
      guard plan.downloads.contains(where: { $0.room > .zero }) else { continue }
      if let budget = world.manifest.storage.budget { #expect(plan.storage.after <= budget * .percent(95)) }
      var after = world
      try after.carryOut(plan)
      #expect(after.seen.freeSpace >= world.manifest.storage.minFree)
    }
  }
}
