// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// An item as it was read, with the hashes by which it is found.
struct HashedItem: Sendable {
  let entry: PositionedItems.Entry
  /// Nil if it has no finished file.
  let pathHash: Int?

  init(_ item: QueueItem) {
    entry = PositionedItems.Entry(item)
    pathHash = item.state.finishedPath?.hashValue
  }

  var id: ItemID { entry.item.wrappedValue.id }
  var path: LibraryPath? { entry.item.wrappedValue.state.finishedPath }
}

/// The items of the lines of a queue file so far.
struct ItemLines {
  private(set) var positioned = PositionedItems()
  private(set) var doubtful: Set<ItemID> = []
  var problem: QueueFileProblem?
  private var byPath = PositionTable()

  var items: BoxedArray<QueueItem> { positioned.items }

  /// Adds an item. Ids are unique, and each file belongs to one item: removing one of two items would lose the other's
  /// file.
  mutating func add(_ line: HashedItem, isWhole: Bool) {
    if let position = positioned.position(of: line.id, idHash: line.entry.idHash) {
      return refuse(line, .duplicateID(line.id), isWhole, besides: position)
    }
    if let path = line.path, let hash = line.pathHash,
      let position = byPath.position(hash: hash, where: { items[$0].state.finishedPath == path })
    {
      return refuse(line, .duplicatePath(items[position].id, line.id, path), isWhole, besides: position)
    }
    if let hash = line.pathHash { byPath.insert(hash: hash, position: items.count) }
    positioned.append(line.entry)
    if !isWhole { doubtful.insert(line.id) }
  }

  /// If two lines contradict each other, the undamaged one counts.
  private mutating func refuse(
    _ line: HashedItem, _ problem: QueueFileProblem, _ isWhole: Bool, besides position: Int
  ) {
    self.problem = self.problem ?? problem
    guard isWhole, doubtful.remove(items[position].id) != nil else { return }
    let refused = items[position].id
    positioned.removeAll { $0.id == refused }
    byPath = PositionTable()
    for position in items.indices {
      if let path = items[position].state.finishedPath { byPath.insert(hash: path.hashValue, position: position) }
    }
    add(line, isWhole: true)
  }
}
