// SPDX-License-Identifier: Apache-2.0

/// Something about the items of a queue, in its order: like a dictionary by id, but whoever knows where an item stands need
/// not look for it. Of a million items that was a good part of a plan's time.
package struct ItemTable<Value: Equatable & Sendable>: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  private let queue: Queue?
  /// At the places of the queue's items.
  private var values: [Value?]
  /// Of items that the queue does not know.
  private var others: [ItemID: Value] = [:]

  package init(of queue: Queue) {
    self.queue = queue
    values = Array(repeating: nil, count: queue.items.count)
  }

  package init(dictionaryLiteral pairs: (ItemID, Value)...) {
    queue = nil
    values = []
    for (id, value) in pairs { others[id] = value }
  }

  /// - Parameter guess: its place in the queue, or in one that was much the same.
  package subscript(id: ItemID, guess guess: Int? = nil) -> Value? {
    get {
      guard let place = queue?.position(of: id, guess: guess) else { return others[id] }
      return values[place]
    }
    set {
      guard let place = queue?.position(of: id, guess: guess) else {
        others[id] = newValue
        return
      }
      values[place] = newValue
    }
  }

  /// All there are, by id.
  package var sorted: [(id: ItemID, value: Value)] {
    let ofQueue = values.indices.compactMap { place in
      values[place].flatMap { value in queue.map { (id: $0.items[place].id, value: value) } }
    }
    return (ofQueue + others.map { (id: $0.key, value: $0.value) }).sorted { $0.id < $1.id }
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.sorted.elementsEqual(right.sorted) { $0.id == $1.id && $0.value == $1.value }
  }
}
