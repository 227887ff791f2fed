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

  func item(_ id: ItemID) -> QueueItem?
  /// The same items with another one in the place of the one that has its id. Nil if there is none with that id.
  func replacing(with item: QueueItem) -> (any StoredItems)?
}

/// Items in their order, with the position of each by the hash of its id.
package struct PositionedItems: Sendable {
  package var items: BoxedArray<QueueItem>
  package var positions: PositionTable

  package init(items: BoxedArray<QueueItem> = [], positions: PositionTable = PositionTable()) {
    (self.items, self.positions) = (items, positions)
  }

  /// - Precondition: Ids are unique.
  package init(_ items: BoxedArray<QueueItem>) {
    self.items = items
    positions = PositionTable(capacity: items.count)
    for position in items.indices { positions.insert(hash: items[position].id.hashValue, position: position) }
  }

  package func position(of id: ItemID) -> Int? { positions.position(hash: id.hashValue) { items[$0].id == id } }
}
