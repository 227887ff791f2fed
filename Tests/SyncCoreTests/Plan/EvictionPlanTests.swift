// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("room made by command")
struct EvictionPlanTests {
  private func world(_ files: [(name: String, size: Int64, age: Int)]) throws -> World {
    var world = World()
    for file in files {
      try world.name(try item(file.name))
      try world.remember(
        try item(file.name), .completed(try stored(file.name, size: file.size, age: file.age)))
    }
    return world
  }

  private func evict(_ goal: RoomGoal, _ world: World) -> EvictionPlan {
    EvictionPlan(goal, queue: world.queue, seen: world.seen, manifest: world.manifest, now: world.now)
  }

  private func bytes(_ count: Int64) -> RoomGoal { .bytes(ByteCount(count)) }

  @Test("takes who goes first by the score, and no more than is needed")
  func order() throws {
    let world = try world([("a", 1000, 10), ("b", 1000, 30), ("c", 1000, 20)])
    for (goal, victims) in [(1, ["b"]), (1000, ["b"]), (1001, ["b", "c"]), (5000, ["b", "c", "a"])] {
      let eviction = evict(bytes(Int64(goal)), world)
      #expect(eviction.plan.changes.map(\.id.text) == victims)
      #expect(eviction.plan.changes.allSatisfy { $0.action == .evict && $0.reason == .lowestScore })
      #expect(eviction.needed == ByteCount(Int64(goal)))
      #expect(eviction.plan.storage.after == ByteCount(3000 - 1000 * Int64(victims.count)))
      #expect(EvictResult(eviction, nil).lacking == ByteCount(max(0, Int64(goal) - 3000)))
    }
  }

  @Test("says why they go by the score: an age is no use")
  func reasons() throws {
    for score in StoragePolicy.Score.allCases {
      var world = try world([("a", 1000, 10)])
      world.manifest.storage.evict.score = score
      let reason = evict(bytes(1), world).plan.changes.map(\.reason)
      #expect(reason == [score == .oldest ? .longestHere : .lowestScore])
    }
  }

  @Test("goes down to a share of the budget, or does nothing where there is that much room")
  func share() throws {
    var world = try world([("a", 1000, 10), ("b", 1000, 30), ("c", 1000, 20)])
    world.manifest.storage.budget = ByteCount(4000)
    #expect(evict(.share(.percent(75)), world).needed == .zero)
    #expect(evict(.share(.percent(75)), world).plan.changes.isEmpty)
    #expect(evict(.share(.percent(50)), world).needed == ByteCount(1000))
    #expect(evict(.share(.percent(50)), world).plan.changes.map(\.id.text) == ["b"])
    #expect(evict(.share(.percent(0)), world).plan.changes.count == 3)
    world.manifest.storage.budget = nil
    #expect(evict(.share(.percent(0)), world).needed == .zero)
  }

  @Test("empties the trash first, and counts it and the partials as used")
  func trash() throws {
    var world = try world([("a", 1000, 10)])
    world.seen.trashBytes = ByteCount(500)
    world.seen.partials["p"] = .init(size: ByteCount(300), modifiedAt: world.now)
    let little = evict(bytes(500), world)
    #expect(little.plan.emptiesTrash && little.plan.changes.isEmpty)
    #expect(little.plan.storage.before == ByteCount(1800) && little.plan.storage.after == ByteCount(1300))
    #expect(evict(bytes(501), world).plan.changes.map(\.id.text) == ["a"])
    world.manifest.storage.budget = ByteCount(1800)
    #expect(!evict(.share(.percent(100)), world).plan.emptiesTrash)
  }

  @Test("never takes what is pinned, in progress or young, and says how much that is")
  func barred() throws {
    var world = try world([("young", 100, 0), ("old", 100, 40)])
    var named = try item("named")
    named.pin = true
    try world.name(named)
    try world.remember(named, .completed(try stored("named", size: 200, age: 50)))
    try world.remember(try item("marked"), .completed(try stored("marked", size: 300, age: 50)), pinned: true)
    let played = PlayHistory(position: PlaybackPosition(offset: .seconds(60), at: world.now - .days(2)))
    try world.remember(try item("started"), .completed(try stored("started", size: 400, age: 50)), plays: played)
    let given = PlayHistory(position: PlaybackPosition(offset: .seconds(60), at: world.now - .days(31)))
    try world.remember(try item("given-up"), .completed(try stored("given-up", size: 50, age: 60)), plays: given)
    let eviction = evict(bytes(5000), world)
    #expect(Set(eviction.plan.changes.map(\.id.text)) == ["old", "given-up"])
    #expect(eviction.protected[.pinned] == .init(items: 2, bytes: ByteCount(500)))
    #expect(eviction.protected[.inProgress] == .init(items: 1, bytes: ByteCount(400)))
    #expect(eviction.protected[.tooYoung] == .init(items: 1, bytes: ByteCount(100)))
    #expect(EvictResult(eviction, nil).status == .storage)
  }

  @Test("takes orphans first when the manifest says so: who is of no playlist, or is not named by its inline one")
  func orphans() throws {
    var world = try world([("old", 1000, 40)])
    try world.remember(try item("unnamed"), .completed(try stored("unnamed", age: 2)))
    try world.remember(try item("of-gone"), .completed(try stored("of-gone", age: 3)), in: "gone")
    try world.addFeed("news")
    try world.remember(try item("episode"), .completed(try stored("episode", age: 50)), in: "news")
    #expect(evict(bytes(4000), world).plan.changes.map(\.id.text) == ["of-gone", "unnamed", "episode", "old"])
    #expect(evict(bytes(1), world).plan.changes.map(\.reason) == [.orphanEvicted])
    world.manifest.storage.orphans = .keep
    #expect(evict(bytes(4000), world).plan.changes.map(\.id.text) == ["episode", "old", "of-gone", "unnamed"])
  }

  @Test("keeps what a keep rule holds, of a feed without asking it")
  func kept() throws {
    var world = World()
    try world.addFeed("news")
    world.manifest.playlists[0].retain.keepLast = 1
    for (name, age) in [("new", 10), ("old", 20), ("older", 30)] {
      try world.remember(try item(name), .completed(try stored(name, age: age)), in: "news")
    }
    let eviction = evict(bytes(9000), world)
    #expect(eviction.plan.changes.map(\.id.text) == ["older", "old"])
    #expect(eviction.protected == [.kept: .init(items: 1, bytes: ByteCount(1000))])
  }

  @Test("what the next run would remove goes before all that is wanted, and for that reason")
  func removed() throws {
    var world = try world([("old", 1000, 40)])
    try world.remember(try item("unnamed"), .completed(try stored("unnamed", age: 2)))
    world.manifest.storage.orphans = .remove
    #expect(evict(bytes(1), world).plan.changes.map(\.reason) == [.leftManifest])
  }

  @Test("leaves alone what is not the file that was stored, and says how much that is")
  func foreign() throws {
    var world = try world([("changed", 1000, 40), ("gone", 1000, 40), ("link", 1000, 40)])
    world.seen.finished[try id("changed")] = .file(size: ByteCount(7))
    world.seen.finished[try id("gone")] = .missing
    world.seen.finished[try id("link")] = .foreign
    let eviction = evict(bytes(1), world)
    #expect(eviction.plan.changes.isEmpty && eviction.plan.storage.before == .zero)
    #expect(eviction.protected == [.changedByOthers: .init(items: 2, bytes: ByteCount(7))])
  }

  @Test("whatever the library, frees what is needed or takes all that may go, and never a byte file too many")
  func property() throws {
    var random = SeededGenerator(11)
    for _ in 0..<300 {
      let files = (0..<Int.random(in: 0...20, using: &random)).map { number in
        ("f\(number)", Int64.random(in: 1...1000, using: &random), Int.random(in: 0...60, using: &random))
      }
      var world = try world(files)
      world.seen.trashBytes = ByteCount(.random(in: 0...300, using: &random))
      let needed = ByteCount(.random(in: 1...8000, using: &random))
      let eviction = evict(.bytes(needed), world)
      let room = EvictResult(eviction, nil)
      let may = files.filter { $0.2 >= 1 }.map(\.1).reduce(0, +) + world.seen.trashBytes.bytes
      #expect(room.freed >= min(needed, ByteCount(may)))
      if let last = room.lines.last { #expect(room.freed - last.bytes < needed) }
      let scores = eviction.plan.changes.compactMap(\.score)
      #expect(scores == scores.sorted())
    }
  }
}
