// SPDX-License-Identifier: Apache-2.0

/// Decisions about items that a person made by command.
/// They are kept beside the queue file, so that they survive its loss.
package struct Decisions: Equatable, Sendable {
  /// The decisions about one item.
  package struct Entry: Equatable, Sendable {
    package var id: ItemID
    /// True if the item is pinned by command.
    package var isPinned = false
    package var isPaused = false
    /// The time at which the item was cancelled.
    package var cancelledAt: Timestamp?
    package var choice: ItemChoice?
    /// The removal, if the item was removed by hand.
    package var removal: Removal?
    /// Decisions of commands that this version does not know, written back unchanged.
    package var unknownFields: [UnknownField] = []

    package init(id: ItemID) { self.id = id }

    fileprivate var isEmpty: Bool {
      !isPinned && !isPaused && cancelledAt == nil && choice == nil && removal == nil && unknownFields.isEmpty
    }
  }

  package private(set) var entries: [ItemID: Entry]
  /// Unknown fields of the file, written back unchanged.
  package var unknownFields: [UnknownField]

  /// - Parameter entries: The decisions. The later of two entries with the same id wins.
  package init(_ entries: [Entry] = [], unknownFields: [UnknownField] = []) {
    self.entries = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { _, later in later })
    self.unknownFields = unknownFields
  }

  package var isEmpty: Bool { entries.isEmpty && unknownFields.isEmpty }

  package subscript(id: ItemID) -> Entry? { entries[id] }

  /// The decisions according to the current queue. Decisions about items that have not returned since the queue was
  /// lost are kept for them.
  /// - Parameter before: The queue at the start of the run.
  ///   Decisions about items that have left it since then are dropped.
  package func updated(by queue: Queue, before: Queue) -> Decisions {
    var next = entries.filter { queue[$0.key] == nil && before[$0.key] == nil }
    // An item without a decision has an entry only if the entry says more than this version knows.
    let items = queue.notableItems.filter(\.isDecided) + entries.keys.compactMap { queue[$0] }.filter { !$0.isDecided }
    for item in items {
      let known = entries[item.id]
      var entry = Entry(id: item.id)
      entry.isPinned = item.pinned
      entry.isPaused = item.state.name == .paused
      if case .cancelled(let at) = item.state { entry.cancelledAt = at }
      entry.choice = item.choice
      if case .removed(let removal) = item.state, removal.cause == .user { entry.removal = removal }
      entry.unknownFields = known?.unknownFields ?? []
      if !entry.isEmpty { next[item.id] = entry }
    }
    var updated = self
    updated.entries = next
    return updated
  }

  /// The queue entries for new items with a decision.
  package func recalled(_ desired: DesiredState, unknownTo queue: Queue, now: Timestamp) -> [QueueItem] {
    guard !entries.isEmpty else { return [] }
    return desired.items.compactMap { new in
      guard let entry = entries[new.item.id], queue[new.item.id] == nil else { return nil }
      var item = QueueItem(
        item: new.item.remembered, memberships: new.memberships, matchedBy: new.matchedBy, plays: new.played,
        queuedAt: now)
      item.take(entry)
      return item.isDecided ? item : nil
    }
  }

  /// The items of a queue that lost its latest records, with all decisions applied. A pin is never removed by this,
  /// because it is unknown which of the two records is newer.
  package func restored(in queue: Queue) -> [QueueItem] {
    entries.keys.sorted().compactMap { id in
      guard let entry = entries[id], var item = queue[id] else { return nil }
      item.take(entry)
      return item == queue[id] ? nil : item
    }
  }
}

extension QueueItem {
  fileprivate mutating func take(_ entry: Decisions.Entry) {
    pinned = pinned || entry.isPinned
    choice = choice ?? entry.choice
    // An item that is finished or was given up since is neither paused nor cancelled.
    if entry.isPaused { pauseIfToCome() }
    if let at = entry.cancelledAt { cancelIfToCome(at: at) }
    guard let removal = entry.removal else { return }
    // A file or queue entry newer than the removal means that the item was wanted again.
    if case .removed = state { return }
    if let file = state.storedFile, file.completedAt > removal.at { return }
    if queuedAt > removal.at, state != .queued(Pending()) { return }
    remove(removal)
  }
}
