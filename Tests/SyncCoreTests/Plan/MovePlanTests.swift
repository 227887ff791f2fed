// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a plan of names")
struct MovePlanTests {
  private func titled(_ name: String, _ title: String) throws -> Item {
    var item = try item(name)
    item.title = title
    return item
  }

  /// Items with their titles in one playlist; those with a path are in the library there.
  private func world(_ items: [(name: String, title: String, path: String?)]) throws -> World {
    var world = World()
    for (name, title, path) in items {
      let item = try titled(name, title)
      try world.name(item)
      guard let path else { continue }
      try world.remember(item, .completed(try storedFile(path, completedAt: World.start - .days(9))))
    }
    return world
  }

  private func paths(_ plan: Plan) -> [String] { plan.changes.compactMap { $0.path?.text } }

  @Test("moves what lies elsewhere than it belongs, and says from where")
  func moves() throws {
    let plan = try world([("a", "Night", "mix/Day.mp3"), ("b", "B", "mix/B.mp3")]).plan()
    #expect(plan.words == ["move a", "keep b"])
    #expect(plan.reason("a") == .placedElsewhere(from: try path("mix/Day.mp3")))
    #expect(paths(plan) == ["mix/Night.mp3", "mix/B.mp3"])
    #expect(plan.hasPendingChanges)
    #expect(plan.downloads.isEmpty)
  }

  @Test("leaves nothing to do once it is carried out")
  func settles() throws {
    var world = try world([("a", "Night", "mix/Day.mp3"), ("b", "Day", "mix/Night.mp3"), ("c", "day", nil)])
    world.carryOut(world.plan())
    #expect(world.plan().words == ["keep a", "keep b", "keep c"])
    #expect(world.queue[try id("c")]?.state.storedFile?.path.text == "mix/day [\(try id("c").tag)].mp3")
  }

  @Test("gives a name to who comes first in the manifest, whatever is fetched first")
  func firstInManifest() throws {
    var world = try world([("a", "Night", nil), ("b", "night", nil)])
    world.manifest.downloads.order = .smallest
    let plan = world.plan()
    #expect(paths(plan) == ["mix/Night.mp3", "mix/night [\(try id("b").tag)].mp3"])
    #expect(Set(plan.downloads.map(\.nameAttempt)) == [0, 1])
  }

  @Test("takes no name from whom it belongs to")
  func owner() throws {
    let plan = try world([("a", "Night", nil), ("b", "NIGHT", "mix/NIGHT.mp3")]).plan()
    #expect(paths(plan) == ["mix/Night [\(try id("a").tag)].mp3", "mix/NIGHT.mp3"])
  }

  @Test("gives a name that is left to somebody else")
  func vacated() throws {
    let plan = try world([("a", "Night", nil), ("b", "Day", "mix/Night.mp3")]).plan()
    #expect(plan.words == ["download a", "move b"])
    #expect(paths(plan) == ["mix/Night.mp3", "mix/Day.mp3"])
  }

  @Test("a name that was set apart once stays when the other goes")
  func setApart() throws {
    let place = "mix/Night [\(try id("b").tag)].mp3"
    #expect(try world([("b", "Night", place)]).plan().words == ["keep b"])
    // Under another title it is no reminder of anything.
    #expect(paths(try world([("b", "Day", place)]).plan()) == ["mix/Day.mp3"])
  }

  @Test("tells two apart that the new place of the library holds for one")
  func doubles() throws {
    var world = try world([("a", "Night", "mix/Night.mp3"), ("b", "night", "mix/night.mp3"), ("c", "C:", "mix/C:.mp3")])
    world.manifest.library.profile = .posix
    #expect(world.plan().words == ["keep a", "keep b", "keep c"])
    world.manifest.library.profile = .fat
    #expect(paths(world.plan()) == ["mix/Night.mp3", "mix/night [\(try id("b").tag)].mp3", "mix/C_.mp3"])
  }

  @Test("keeps the extension that the file's first bytes gave it, and asks the URL where there is none")
  func extensions() throws {
    let plan = try world([
      ("a", "Night", "x/Day.ogg"), ("b", "B", "x/B"), ("c", "C", "x/v1.Beta"), ("d", "D", "x/D.bin"),
    ]).plan()
    #expect(paths(plan) == ["mix/Night.ogg", "mix/B.mp3", "mix/C.mp3", "mix/D.bin"])
  }

  @Test("leaves orphans, what others changed, and playlists that the run is not about where they are")
  func stays() throws {
    var world = try world([("a", "Night", "mix/Day.mp3"), ("b", "B", "x/B.mp3")])
    world.seen.finished[try id("b")] = .foreign
    try world.remember(try item("o"), .completed(try stored("gone", in: "x")))
    #expect(world.plan().words == ["move a", "keep b", "keep o"])
    world.scope = [try playlistName("other")]
    #expect(world.plan().count(.move) == 0)
  }

  @Test("moves nothing that has to go for room")
  func evicted() throws {
    var world = try world([("a", "Night", "mix/Day.mp3"), ("b", "B", nil)])
    world.manifest.storage.budget = ByteCount(1000)
    world.manifest.storage.evict.minAge = .zero
    var wanted = try titled("b", "B")
    (wanted.size, wanted.pin) = (.exact(ByteCount(900)), true)
    world.manifest.playlists[0].source = .items([try titled("a", "Night"), wanted])
    #expect(world.plan().words == ["evict a", "download b"])
  }
}
