// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

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
      world.carryOut(plan)
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

  @Test("paused by a person, it stays so with its partial, however old that is")
  func paused() throws {
    let partial = try partialDownload("a", 400)
    for age in [0, 30] {
      var world = try world(.paused(Pending(partial: partial)))
      world.seen.partials[partial.name]?.modifiedAt = World.start - .days(age)
      let plan = world.plan()
      #expect(plan.words.isEmpty && plan.skipped.map(\.reason) == [.paused])
      #expect(plan.recovered.isEmpty)
      #expect(plan.strayPartials.isEmpty, "\(age) days")
    }
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
    world.carryOut(plan)
    #expect(world.plan().recovered.isEmpty)
    #expect(world.plan().bookkeeping.isEmpty)
  }
}
