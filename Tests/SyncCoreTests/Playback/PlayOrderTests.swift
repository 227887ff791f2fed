// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the order of a list that is played")
struct PlayOrderTests {
  private static func ids(_ count: Int) throws -> [ItemID] { try (0..<count).map { try id("i\($0)") } }

  private static func texts(_ order: PlayOrder, _ count: Int, _ step: PlayOrder.Advance = .ended) -> [String] {
    var (order, texts) = (order, [String]())
    for _ in 0..<count {
      texts.append(order.current?.text ?? "-")
      order.advance(step)
    }
    return texts
  }

  @Test("repeat decides about the end of the list and of an item")
  func repeats() throws {
    let items = try Self.ids(3)
    #expect(Self.texts(PlayOrder(items), 5) == ["i0", "i1", "i2", "-", "-"])
    #expect(Self.texts(PlayOrder(items, repeats: .all), 5) == ["i0", "i1", "i2", "i0", "i1"])
    #expect(Self.texts(PlayOrder(items, repeats: .one), 3) == ["i0", "i0", "i0"])
    #expect(Self.texts(PlayOrder(items, repeats: .one), 4, .next) == ["i0", "i1", "i2", "i0"])
    #expect(Self.texts(PlayOrder([], repeats: .all), 2) == ["-", "-"])
  }

  @Test(
    "each round of a shuffled list has every item once, and nothing twice in a row", arguments: 0..<50 as Range<UInt64>)
  func shuffle(_ seed: UInt64) throws {
    for count in 1...7 {
      let items = try Self.ids(count)
      let played = Self.texts(PlayOrder(items, seed: seed, repeats: .all), count * 6)
      for round in 0..<6 {
        #expect(Set(played[round * count..<(round + 1) * count]).count == count, "\(count) \(seed)")
      }
      if count > 1 { #expect(!zip(played, played.dropFirst()).contains { $0 == $1 }, "\(count) \(seed) \(played)") }
      #expect(played == Self.texts(PlayOrder(items, seed: seed, repeats: .all), count * 6))
    }
  }

  @Test("another seed is another order, and a round another one than the last")
  func orders() throws {
    let items = try Self.ids(8)
    let orders = Set((0..<20 as Range<UInt64>).map { Self.texts(PlayOrder(items, seed: $0), 8) })
    #expect(orders.count == 20)
    let rounds = Self.texts(PlayOrder(items, seed: 1, repeats: .all), 16)
    #expect(rounds[..<8] != rounds[8...])
  }

  @Test("previous goes back through all that was played, also across rounds", arguments: [nil, 3] as [UInt64?])
  func history(_ seed: UInt64?) throws {
    var order = PlayOrder(try Self.ids(4), seed: seed, repeats: .all)
    var played: [ItemID?] = []
    for _ in 0..<11 {
      played.append(order.current)
      order.advance(.ended)
    }
    for item in played.reversed() {
      order.goBack()
      #expect(order.current == item)
    }
    order.goBack()
    #expect(order.current == played[0])
  }

  @Test("items that are added come last, and nothing else moves", arguments: [nil, 9] as [UInt64?])
  func add(_ seed: UInt64?) throws {
    var order = PlayOrder(try Self.ids(5), seed: seed)
    let before = Self.texts(order, 5)
    order.advance(.ended)
    order.add([try id("new")])
    #expect(Self.texts(order, 5) == before.dropFirst() + ["new"])
    // A list that was added to at its end goes on there.
    var ended = PlayOrder(try Self.ids(1))
    ended.advance(.ended)
    #expect(ended.current == nil)
    ended.add([try id("new")])
    #expect(ended.current?.text == "new")
  }

  @Test("the place of a list is found again, and another list begins anew")
  func place() throws {
    let list = PlayList(id: "x", items: try Self.ids(6), seed: 5, repeats: .all)
    var order = PlayOrder(list, at: nil)
    for _ in 0..<9 { order.advance(.ended) }
    let now = Timestamp(secondsSince1970: 1_795_000_000)
    let place = PlayPlace(order, in: "x", playback: nil, seenAt: now)
    #expect(PlayOrder(list, at: place) == order)
    #expect(PlayOrder(list, at: PlayPlace(order, in: "y", playback: nil, seenAt: now)) == PlayOrder(list, at: nil))
  }
}
