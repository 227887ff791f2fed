// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

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
      try world.remember(known, .completed(try stored(name, in: "news")), in: "news", position: position + 1)
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

  @Test("of a feed of which nothing was ever wanted, the next reading is the first one")
  func firstAgain() throws {
    var world = World()
    try world.addFeed("news")
    world.manifest.playlists[0].select.initial = .count(2)
    try world.read("news", [])
    world.carryOut(world.plan())
    #expect(!world.queue.sources.isEmpty)
    try world.read("news", ["5", "4", "3", "2", "1"])
    world.carryOut(world.plan())
    #expect(world.queue.items.map(\.id.text).sorted() == ["news:4", "news:5"])
    try world.read("news", ["6", "5", "4", "3", "2", "1"])
    #expect(world.plan().steps(where: { $0 == .download }).map(\.id.text) == ["news:6"])
  }

  @Test("that waits and is not wanted any more is forgotten, unless it is pinned, was played, or its source is held")
  func notWaiting() throws {
    var world = World()
    try world.addFeed("news")
    world.manifest.playlists[0].select.latest = 1
    let states: [(name: String, state: ItemState)] = [
      ("queued", .queued(Pending())), ("partial", .queued(Pending(partial: try partialDownload("partial", 10)))),
      ("temporary", failure(isTemporary: true)), ("lasting", failure(isTemporary: false)),
    ]
    for (name, state) in states {
      try world.remember(try item("news:\(name)", url: "https://media.example.net/\(name).mp3"), state, in: "news")
    }
    let (pinned, played) = ("https://media.example.net/pinned.mp3", "https://media.example.net/played.mp3")
    try world.remember(try item("news:pinned", url: pinned), .queued(Pending()), in: "news", pinned: true)
    try world.remember(
      try item("news:played", url: played), .queued(Pending()), in: "news", plays: PlayHistory(count: 1))
    for entry in world.queue.items { world.queue[entry.id]?.matchedBy = .guid }
    let names = ["newest", "queued", "partial", "temporary", "lasting", "pinned", "played"]
    try world.read("news", names, completeness: .partial(.malformed(line: 3, detail: "")))
    func dropped() -> Set<String> {
      Set(world.plan().bookkeeping.compactMap { if case .itemDropped(let id) = $0 { id.text } else { nil } })
    }
    #expect(dropped() == [])
    try world.read("news", names)
    #expect(dropped() == ["news:queued", "news:partial", "news:temporary", "news:lasting"])
    #expect(world.plan().unselected.count == 6)
    let plan = world.plan()
    world.carryOut(plan)
    #expect(world.plan().bookkeeping.isEmpty, "\(world.plan().bookkeeping)")
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
    world.manifest.playlists[0].select.initial = .count(1)
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
    world.queue.sources[news] = SourceState(changedAt: World.start, checkedAt: World.start, itemCount: 1)
    #expect(world.plan().bookkeeping == [.sourceDropped(news)])
    world.scope = [try playlistName("mix")]
    #expect(world.plan().bookkeeping.isEmpty)
  }
}
