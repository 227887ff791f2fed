// SPDX-License-Identifier: Apache-2.0

/// The items of a queue file that stay in their written form until they are asked for
/// (docs/decisions/0074-an-index-of-the-queue-file.md).
package protocol StoredItems: Sendable {
  /// The latest `updatedAt`. Nil if there are no items.
  var latestUpdate: Timestamp? { get }
  /// The items that every opening of a library looks into (`QueueItem.isNotable`), in no particular order.
  var notable: [QueueItem] { get }
  /// True once all items are decoded.
  var areDecoded: Bool { get }
  /// All items. The first call decodes them.
  var all: PositionedItems { get }
  /// Decodes all items, if they are not decoded yet.
  /// - Parameter known: Items to share where they are the same.
  func decodeAll(sharing known: KnownItems)

  func item(_ id: ItemID) -> QueueItem?
  /// The same items with another one in the place of the one that has its id. Nil if there is none with that id.
  func replacing(with item: QueueItem) -> (any StoredItems)?
}

/// Items in their order, with the position of each by the hash of its id, and with the facts about each that decide
/// whether a pass over all of them looks into it.
package struct PositionedItems: Sendable {
  fileprivate struct Mark: Sendable {
    let state: ItemState.Name
    let isNotable: Bool

    init(_ item: QueueItem) { (state, isNotable) = (item.state.name, item.isNotable) }
  }

  /// An item to add. What is derived from it is derived here, so that several threads can do it.
  package struct Entry: Sendable {
    package let item: Boxed<QueueItem>
    package let idHash: Int
    fileprivate let mark: Mark

    package init(_ item: QueueItem) { self.init(Boxed(item)) }

    init(_ item: Boxed<QueueItem>) {
      self.item = item
      idHash = item.wrappedValue.id.hashValue
      mark = Mark(item.wrappedValue)
    }
  }

  package private(set) var items: BoxedArray<QueueItem> = []
  private var positions: PositionTable
  /// A pass over these touches none of the items, most of which are not in the cache of the processor.
  private var marks: [Mark] = []

  /// - Parameter capacity: The number of items for which nothing has to grow.
  package init(capacity: Int = 0) {
    positions = PositionTable(capacity: capacity)
    items.reserveCapacity(capacity)
    marks.reserveCapacity(capacity)
  }

  /// - Precondition: Ids are unique.
  package init(_ items: BoxedArray<QueueItem>) {
    self.init(capacity: items.count)
    for position in items.indices { append(Entry(items.box(at: position))) }
  }

  package var count: Int { marks.count }

  package func position(of id: ItemID) -> Int? { position(of: id, idHash: id.hashValue) }

  /// - Parameter idHash: The `hashValue` of the id.
  package func position(of id: ItemID, idHash: Int) -> Int? {
    positions.position(hash: idHash) { items[$0].id == id }
  }

  /// The positions of the items in one of these states.
  func positions(in states: Set<ItemState.Name>) -> [Int] {
    let wanted = Array(states)
    return marks.indices.filter { wanted.contains(marks[$0].state) }
  }

  /// The items that every opening of a library looks into.
  var notable: [QueueItem] { marks.indices.filter { marks[$0].isNotable }.map { items[$0] } }

  /// Adds an item whose id no other item has.
  package mutating func append(_ entry: Entry) {
    positions.insert(hash: entry.idHash, position: items.count)
    marks.append(entry.mark)
    items.append(entry.item)
  }

  /// Puts an item with the same id into the place of another.
  package mutating func replace(at position: Int, with item: QueueItem) {
    marks[position] = Mark(item)
    items[position] = item
  }

  package mutating func removeAll(where isUnwanted: (QueueItem) -> Bool) {
    var rest = items
    rest.removeAll(where: isUnwanted)
    self = PositionedItems(rest)
  }
}
