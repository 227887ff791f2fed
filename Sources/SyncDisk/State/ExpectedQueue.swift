// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// The expected contents of the queue file, derived from the previous queue file and the journal between the two.
struct ExpectedQueue {
  /// The expected queue, of the present generation.
  let queue: Queue
  /// True if the two earlier files lead up to the present queue file without a detectable gap.
  private let isComplete: Bool

  /// - Parameters:
  ///   - previous: nil when there is no sound one.
  ///   - journals: in the order in which they were written.
  ///   - present: the queue file in doubt.
  /// - Returns: nil when neither file is usable.
  init?(previous: Queue?, journals: [JournalReading], present: QueueFileReading) {
    let first = journals.first { $0.header?.generation == 0 }?.header
    // Before the second queue file is written, the first journal holds everything that ever happened.
    let beginning = first.map { Queue(libraryID: $0.libraryID, savedAt: Timestamp(secondsSince1970: 0)) }
    guard var queue = previous ?? beginning else { return nil }
    let own = journals.filter { $0.header?.generation == queue.generation }
    for journal in own { queue.apply(journal.changes) }
    isComplete =
      own.allSatisfy { $0.damagedLines.isEmpty && $0.missingRecords == 0 && $0.tornTail.isEmpty }
      && (!own.isEmpty || queue.generation == present.queue.generation)
    if !own.isEmpty { queue.generation += 1 }
    self.queue = queue
  }

  /// True if the present queue file was made from this queue: each undamaged line says the same, and something shows
  /// that both are of one generation.
  /// - Parameter recorded: items that a later journal changes.
  func accounts(for present: QueueFileReading, besides recorded: Set<ItemID>) -> Bool {
    guard isComplete else { return false }
    var agreeing = 0
    for item in present.queue.items {
      if queue[item.id] == item {
        agreeing += 1
      } else if !present.doubtful.contains(item.id), !recorded.contains(item.id) {
        return false
      }
    }
    return agreeing > 0 || queue.generation == present.queue.generation
  }
}

/// The net changes of a journal: the entries that it leaves, each once.
///
/// A file that is fetched is recorded at least four times. For the chain from one queue file to the next, only the last
/// record of each entry counts.
struct ChangedEntries {
  private(set) var items: Set<ItemID> = []
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

  /// The entries that differ.
  func differences(from before: Queue, to after: Queue) -> QueueDifferences {
    QueueDifferences(
      items: items.sorted().compactMap { id in
        let (old, new) = (before[id], after[id])
        return old == new ? nil : QueueDifferences.Item(before: old, after: new)
      },
      sources: sources.filter { before.sources[$0] != after.sources[$0] })
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
