// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a table of a queue's items")
struct ItemTableTests {
  private func queue(_ names: [String]) throws -> Queue {
    Queue(
      libraryID: "1", savedAt: World.start,
      items: try names.map { QueueItem(item: try item($0), memberships: [], queuedAt: World.start) })
  }

  @Test("is read by id, whatever the place that is guessed")
  func guesses() throws {
    var table = ItemTable<Int>(of: try queue(["a", "b", "c"]))
    table[try id("a"), guess: 0] = 1
    table[try id("c"), guess: 1] = 3
    table[try id("stranger"), guess: 2] = 9
    for guess in [nil, -1, 0, 1, 2, 3] {
      #expect(table[try id("a"), guess: guess] == 1)
      #expect(table[try id("b"), guess: guess] == nil)
      #expect(table[try id("c"), guess: guess] == 3)
      #expect(table[try id("stranger"), guess: guess] == 9)
    }
    #expect(table.sorted.map(\.id.text) == ["a", "c", "stranger"])
    #expect(table.sorted.map(\.value) == [1, 3, 9])
  }

  @Test("what is set to nil is not there")
  func removed() throws {
    var table = ItemTable<Int>(of: try queue(["a"]))
    for name in ["a", "stranger"] {
      table[try id(name)] = 1
      table[try id(name)] = nil
      #expect(table[try id(name)] == nil)
    }
    #expect(table == [:])
  }

  @Test("is the same as another that says the same of the same items, in whatever order")
  func equality() throws {
    var one = ItemTable<Int>(of: try queue(["a", "b"]))
    var other = ItemTable<Int>(of: try queue(["b", "a"]))
    for (place, name) in ["a", "b"].enumerated() {
      one[try id(name)] = place
      other[try id(name)] = place
    }
    #expect(one == other)
    #expect(one == [try id("a"): 0, try id("b"): 1])
    other[try id("b")] = 2
    #expect(one != other)
  }

  @Test("places of a queue that has changed since are looked for")
  func moved() throws {
    var queue = try queue(["a", "b", "c"])
    let before = try #require(queue.position(of: try id("c")))
    queue.remove([try id("a")])
    #expect(queue.position(of: try id("c"), guess: before) == 1)
    #expect(queue.position(of: try id("a"), guess: 0) == nil)
  }
}
