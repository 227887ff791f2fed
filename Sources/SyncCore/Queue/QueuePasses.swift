// SPDX-License-Identifier: Apache-2.0

// Passes over all items that copy none of them. In a large library nearly all items stay as they are, and a copy of an
// item counts twenty references. A closure of another target gets a copy, whatever it asks for, so that these functions
// hand out single facts.

extension BoxedArray<QueueItem> {
  /// The items that satisfy a condition, in their order.
  @inline(__always)
  func items(where isWanted: (QueueItem) -> Bool) -> [QueueItem] {
    indices.filter { isWanted(self[$0]) }.map { self[$0] }
  }
}

extension Queue {
  /// The positions of the items in one of these states.
  package func positions(in states: Set<ItemState.Name>) -> [Int] {
    items.indices.filter { states.contains(items[$0].state.name) }
  }

  /// Calls `body` with the position of each finished item, and with the path and the size of its file.
  package func forEachFinishedFile<E: Error>(
    _ body: (Int, LibraryPath, ByteCount) throws(E) -> Void
  ) throws(E) {
    let items = items
    for position in items.indices {
      guard let path = items[position].state.finishedPath, let size = items[position].state.finishedSize else {
        continue
      }
      try body(position, path, size)
    }
  }
}
