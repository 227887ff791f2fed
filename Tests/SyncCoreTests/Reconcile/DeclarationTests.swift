// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("what a declaration says anew")
struct DeclarationTests {
  private static let changes: [(name: String, isOfPlaces: Bool, change: @Sendable (inout Item) throws -> Void)] = [
    ("title", false, { $0.title = "Another" }), ("artist", false, { $0.artist = "Another" }),
    ("no artist", false, { $0.artist = nil }), ("album", false, { $0.album = "Another" }),
    ("duration", false, { $0.duration = .seconds(99) }), ("no duration", false, { $0.duration = nil }),
    ("published", false, { $0.published = World.start }), ("priority", false, { $0.priority = .high }),
    ("url", true, { $0.main = Candidate(url: try RemoteURL("https://media.example/another.mp3")) }),
    ("another alternative", true, { $0.alternatives[0].title = "Another" }),
    ("an alternative's duration", true, { $0.alternatives[0].duration = .seconds(99) }),
    ("an alternative's url", true, { $0.alternatives[0].url = try RemoteURL("https://media.example/c.mp3") }),
    ("no alternative", true, { $0.alternatives = [] }),
  ]

  private static func declared() throws -> Item {
    var item = try item("a")
    (item.artist, item.album, item.duration) = ("The Example", "Roads", .seconds(225))
    (item.published, item.priority) = (World.start - .days(3), .low)
    var alternative = Candidate(url: try RemoteURL("https://media.example/b.mp3"))
    (alternative.title, alternative.duration) = ("The same", .seconds(224))
    item.alternatives = [alternative]
    return item
  }

  private static let states: [(name: String, state: @Sendable () throws -> ItemState)] = [
    ("here", { .completed(try storedFile("mix/a.mp3", completedAt: World.start)) }),
    ("waiting", { .queued(Pending()) }),
  ]

  /// The changes of the queue for an item recorded as `known` and declared by the manifest as `declared`.
  private func told(_ known: Item, _ declared: Item, _ state: ItemState) throws -> [QueueChange] {
    var world = World()
    try world.name(declared)
    try world.remember(known, state)
    return world.reconciliation().bookkeeping
  }

  @Test("nothing, in every state: the queue is told nothing", arguments: states.indices)
  func same(state: Int) throws {
    let item = try Self.declared()
    #expect(try told(item, item, Self.states[state].state()).isEmpty)
  }

  @Test("what the manifest alone keeps: the queue is told nothing")
  func manifestsAffair() throws {
    var item = try Self.declared()
    let known = item
    (item.size, item.checksum, item.pin) = (
      .exact(ByteCount(1000)), Checksum(.sha256, hex: String(repeating: "0", count: 64)), true
    )
    for (_, state) in Self.states { #expect(try told(known, item, state()).isEmpty) }
  }

  @Test("less than a millisecond is nothing new")
  func rounded() throws {
    var item = try Self.declared()
    let known = item
    item.duration = .seconds(225) + .microseconds(300)
    item.alternatives[0].duration = .seconds(224) + .microseconds(300)
    for (_, state) in Self.states { #expect(try told(known, item, state()).isEmpty) }
  }

  @Test(
    "each field: the queue has it as it is now; a file keeps the places that it came from", arguments: changes.indices)
  func new(change index: Int) throws {
    let known = try Self.declared()
    var declared = known
    try Self.changes[index].change(&declared)
    for (name, state) in Self.states {
      let keepsPlaces = Self.changes[index].isOfPlaces && name == "here"
      let told = try told(known, declared, state())
      #expect(told.count == (keepsPlaces ? 0 : 1), "\(Self.changes[index].name), \(name)")
      guard case .item(let queued)? = told.first else { continue }
      #expect(queued.item == declared)
    }
  }

  @Test("another place in the playlist, or another playlist")
  func memberships() throws {
    for (_, state) in Self.states {
      var world = World()
      try world.name(try Self.declared())
      try world.remember(try Self.declared(), state(), position: 2)
      #expect(world.reconciliation().bookkeeping.count == 1)
      world = World()
      try world.name(try Self.declared(), in: "other")
      try world.remember(try Self.declared(), state())
      #expect(world.reconciliation().bookkeeping.count == 1)
    }
  }
}
