// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// What a journal changes, without how it came to that: the entries that it leaves, each once.
///
/// A file that is fetched is recorded four times and more. For the chain from one queue file to the next only the last
/// record of each entry counts.
struct ChangedEntries {
  private var items: Set<ItemID> = []
  private var dropped: Set<ItemID> = []
  private var sources: Set<PlaylistName> = []
  /// Records that were counted in.
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

  /// Whether so many records say the same thing again that it is worth a new file.
  var isRepetitive: Bool { records >= 64 && records >= 2 * (items.count + sources.count) }

  /// Applied to the queue before, they make `queue`, with every item at the same place: what was dropped goes first, lest
  /// an item that came again keeps the place that it had.
  func changes(to queue: Queue) -> [QueueChange] {
    var changes = dropped.sorted().map { QueueChange.itemDropped($0) }
    for item in queue.items where items.contains(item.id) { changes.append(.item(item)) }
    for name in sources.sorted() {
      changes.append(queue.sources[name].map { .source(name, $0) } ?? .sourceDropped(name))
    }
    return changes
  }
}
