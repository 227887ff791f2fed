// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the protection of files against eviction")
struct EvictionProtectionTests {
  /// An old file for each kind of protection, named by it, and one without protection.
  private func world() throws -> World {
    var world = World()
    try world.addFeed("news")
    for playlist in world.manifest.playlists.indices where world.manifest.playlists[playlist].isListing {
      world.manifest.playlists[playlist].retain.keepLast = 1
    }
    func add(_ name: String, age: Int = 40, pinned: Bool = false, plays: PlayHistory = PlayHistory()) throws {
      try world.name(try item(name))
      try world.remember(try item(name), .completed(try stored(name, age: age)), pinned: pinned, plays: plays)
    }
    try add("free")
    try add("marked", pinned: true)
    try add("young", age: 0)
    try add("started", plays: PlayHistory(position: PlaybackPosition(offset: .seconds(60), at: world.now - .days(2))))
    try add("changed")
    try add("closed")
    var pinned = try item("named")
    pinned.pin = true
    try world.name(pinned)
    try world.remember(pinned, .completed(try stored("named", age: 40)))
    try world.remember(try item("episode"), .completed(try stored("episode", age: 40)), in: "news")
    world.seen.finished[try id("changed")] = .file(size: ByteCount(7))
    world.seen.finished[try id("closed")] = .unreachable
    world.manifest.storage.budget = ByteCount(1000)
    return world
  }

  @Test("a plan, evict and explain agree on which files may go")
  func agreement() throws {
    let world = try world()
    let (plan, reconciliation) = (world.plan(), world.reconciliation())
    let eviction = EvictionPlan(
      .bytes(ByteCount(100_000)), queue: world.queue, seen: world.seen, manifest: world.manifest, now: world.now)
    #expect(eviction.plan.words == ["evict free"])
    var explained: [String: EvictionProtection.Kind] = [:]
    for entry in reconciliation.entries {
      let explanation = try #require(
        Explanation(
          entry.queued.id, in: reconciliation, plan, known: entry.queued, manifest: world.manifest, now: world.now))
      explained[entry.queued.id.text] = explanation.protections.first?.kind
      #expect((explanation.rank != nil) == (entry.queued.id.text == "free"))
    }
    #expect(
      explained == [
        "marked": .pinned, "named": .pinned, "young": .tooYoung, "started": .inProgress, "episode": .kept,
        "changed": .changedByOthers, "closed": .unreachable,
      ])
    #expect(
      Dictionary(grouping: explained.values, by: \.self).mapValues(\.count) == eviction.protected.mapValues(\.items))
  }

  @Test("the strongest protection comes first")
  func order() throws {
    var world = World()
    var pinned = try item("a")
    pinned.pin = true
    try world.name(pinned)
    let position = PlaybackPosition(offset: .seconds(60), at: world.now - .days(2))
    try world.remember(
      pinned, .completed(try stored("a", age: 0)), pinned: true, plays: PlayHistory(position: position))
    let entry = try #require(world.reconciliation().entries.first)
    let policy = world.manifest.storage.evict
    let all = entry.protections(policy, at: world.now)
    #expect(all.dropLast() == [.pinnedByManifest, .pinnedByCommand, .inProgress(position)])
    #expect(all.last?.kind == .tooYoung)
    #expect(entry.protection(policy, at: world.now) == .pinnedByManifest)
    #expect(entry.isProtected(policy, at: world.now))
  }
}
