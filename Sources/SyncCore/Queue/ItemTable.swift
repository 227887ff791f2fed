// SPDX-License-Identifier: Apache-2.0

/// Values for the items of a queue, in its order. It works like a dictionary by id, but a caller that knows an item's
/// position skips the lookup. For a million items the lookups took a good part of the planning time.
package struct ItemTable<Value: Equatable & Sendable>: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  private let queue: Queue?
  /// The values at the positions of the queue's items.
  private var values: [Value?]
  /// The values of items that are not in the queue.
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

  /// - Parameter guess: The item's position in this queue or in a similar one.
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

  /// The value of the item at this position of the queue.
  package subscript(position position: Int) -> Value? {
    get { values[position] }
    set { values[position] = newValue }
  }

  /// All values, sorted by id.
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
