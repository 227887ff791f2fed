// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the outline of a plan")
struct PlanOutlineTests {
  private func step(
    _ name: String, _ action: Step.Action, _ path: String? = nil, _ bytes: Int64? = 10
  ) throws -> OutlinedStep {
    OutlinedStep(
      id: try #require(ItemID(name)), action: action, path: try path.map { try #require(LibraryPath($0)) },
      bytes: bytes.map { ByteCount($0) })
  }

  @Test("has what alters the library, and what becomes of the trash")
  func ofPlan() throws {
    var world = World()
    world.manifest.storage.budget = ByteCount(4000)
    var new = try item("new")
    new.size = .exact(ByteCount(1000))
    try world.name(new, try item("kept"))
    try world.remember(try item("kept"), .completed(try stored("kept", size: 1000)))
    try world.remember(try item("old"), .completed(try stored("old", size: 2500)))
    let outline = PlanOutline(world.plan())
    #expect(outline.steps.map { "\($0.action) \($0.id)" } == ["evict old", "download new"])
    #expect(outline.steps[0].bytes == ByteCount(2500))
    #expect(outline.trash == .kept)
    var plan = world.plan()
    plan.expiresTrash = true
    #expect(PlanOutline(plan).trash == .expired)
    plan.emptiesTrash = true
    #expect(PlanOutline(plan).trash == .emptied)
  }

  @Test("is no different from itself in another order")
  func order() throws {
    let steps = [try step("a", .evict, "mix/a.mp3"), try step("b", .download, "mix/b.mp3", nil)]
    #expect(PlanOutline(steps: steps).difference(to: PlanOutline(steps: steps.reversed())) == nil)
  }

  @Test("differs in a step more, a step less, another action, place or size, and in the trash")
  func differences() throws {
    let a = try step("a", .evict, "mix/a.mp3")
    let b = try step("b", .download, "mix/b.mp3", nil)
    let before = PlanOutline(steps: [a, b])
    var moved = b
    moved.path = LibraryPath("mix/b (2).mp3")
    for (after, expected) in [
      ([a], PlanDifference.dropped(b)), ([a, b, try step("c", .remove)], .added(try step("c", .remove))),
      ([a, moved], .changed(b, moved)),
      ([try step("a", .remove, "mix/a.mp3"), b], .changed(a, try step("a", .remove, "mix/a.mp3"))),
      ([a, try step("b", .download, "mix/b.mp3", 7)], .changed(b, try step("b", .download, "mix/b.mp3", 7))),
      // An added step is reported before a dropped one.
      ([b, try step("c", .evict)], .added(try step("c", .evict))),
    ] {
      #expect(before.difference(to: PlanOutline(steps: after)) == expected)
    }
    #expect(before.difference(to: PlanOutline(steps: [a, b], trash: .emptied)) == .trash(.emptied))
  }

  @Test("its inputs say which of them is another one, the manifest first")
  func inputs() throws {
    func digest(_ letter: String) throws -> SHA256Digest {
      try #require(SHA256Digest(hex: String(repeating: letter, count: 64)))
    }
    let inputs = PlanInputs(
      manifest: "/a.yaml", manifestDigest: try digest("a"), variables: try digest("b"), program: try digest("c"))
    #expect(inputs.staleness(inputs) == nil)
    var now = inputs
    now.program = try digest("f")
    #expect(inputs.staleness(now) == .program)
    now.variables = try digest("f")
    #expect(inputs.staleness(now) == .variables)
    now.manifestDigest = try digest("f")
    #expect(inputs.staleness(now) == .manifest)
    now = inputs
    now.manifest = "/b.yaml"
    #expect(inputs.staleness(now) == .manifest)
  }
}
