// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The net changes of a journal: the entries that it leaves, each once.
///
/// A file that is fetched is recorded at least four times. For the chain from one queue file to the next, only the last
/// record of each entry counts.
struct ChangedEntries {
  private var items: Set<ItemID> = []
  private var dropped: Set<ItemID> = []
  private var sources: Set<PlaylistName> = []
  /// The number of records counted so far.
  private(set) var records = 0

  mutating func add(_ changes: some Sequence<QueueChange>) {
    for change in changes {
      records += 1
      switch change {
      case .item(let item): items.insert(item.id)
      case .itemDropped(let id):
        items.insert(id)
        dropped.insert(id)
      case .source(let name, _), .sourceDropped(let name): sources.insert(name)
      }
    }
  }

  /// True if so many records repeat an entry that a new file is worthwhile.
  var isRepetitive: Bool { records >= 64 && records >= 2 * (items.count + sources.count) }

  /// Calls `body` with the changes that turn the previous queue into `queue`, with every item in the same position.
  /// Drops come first, so that an item that came back does not keep its old position.
  ///
  /// The changes come one at a time: together they may be as large as the queue.
  func forEachChange(to queue: Queue, _ body: (QueueChange) throws(FileError) -> Void) throws(FileError) {
    for id in dropped.sorted() { try body(.itemDropped(id)) }
    for item in queue.items where items.contains(item.id) { try body(.item(item)) }
    for name in sources.sorted() {
      try body(queue.sources[name].map { .source(name, $0) } ?? .sourceDropped(name))
    }
  }
}
