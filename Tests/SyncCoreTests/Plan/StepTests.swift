// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the steps of a plan")
struct StepTests {
  @Test("steps are in the order of the manifest, downloads in the order of fetching")
  func orders() throws {
    var world = World()
    var (late, early) = (try item("late"), try item("early"))
    (late.priority, early.priority) = (.low, .high)
    try world.name(late, early)
    let plan = world.plan()
    #expect(plan.words == ["download late", "download early"])
    #expect(plan.downloads.map(\.id.text) == ["early", "late"])
    #expect(plan.fetches.map(\.path.text) == ["mix/early.mp3", "mix/late.mp3"])
  }

  @Test("an item that the run leaves alone has a step without an action")
  func skipped() throws {
    var world = World()
    try world.name(try item("dead"))
    try world.remember(try item("dead"), failure(isTemporary: false))
    let plan = world.plan()
    #expect(plan.steps.map(\.action) == [nil])
    #expect(plan.steps.map(\.bytes) == [nil] && plan.steps.map(\.path) == [nil])
    #expect(plan.skipped.map(\.id.text) == ["dead"])
    #expect(!plan.hasPendingChanges && Step.Action.allCases.allSatisfy { plan.count($0) == 0 })
  }

  @Test("a file that leaves has its place, its size and the cause of its tombstone")
  func removals() throws {
    var world = World()
    world.manifest.storage.orphans = .remove
    try world.name(try item("old"))
    try world.remember(try item("old"), .completed(try stored("old", age: 40)))
    try world.remember(try item("gone"), .completed(try stored("gone")))
    let removed = world.plan().removals
    #expect(removed.map(\.item.queued.id.text) == ["gone"] && removed.map(\.cause) == [.orphan])
    #expect(removed.map(\.path.text) == ["mix/gone.mp3"] && removed.map(\.size) == [ByteCount(1000)])
    world.manifest.storage.orphans = .keep
    let evicted = EvictionPlan(
      .bytes(ByteCount(1)), queue: world.queue, seen: world.seen, manifest: world.manifest, now: world.now
    ).plan.removals
    #expect(evicted.map(\.item.queued.id.text) == ["old"] && evicted.map(\.cause) == [.evicted])
    #expect(evicted.map(\.path.text) == ["mix/old.mp3"] && evicted.map(\.size) == [ByteCount(1000)])
  }

  @Test("an adoption has its file")
  func adoptions() throws {
    var world = World()
    try world.name(try item("here"))
    let file = try stored("here")
    world.seen.adoptable[try id("here")] = Adoptable(file: file, proof: .declaredSize)
    let plan = world.plan()
    #expect(plan.adoptions.map(\.file) == [file])
    #expect(plan.reason("here") == .sameContent(.declaredSize))
  }
}
