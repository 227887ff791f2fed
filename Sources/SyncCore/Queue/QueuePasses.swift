// SPDX-License-Identifier: Apache-2.0

// Passes over all items that copy none of them. In a large library nearly all items stay as they are, and a copy of an
// item counts twenty references. A closure of another target gets a copy, whatever it asks for, so that these functions
// hand out single facts.

extension Queue {
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
