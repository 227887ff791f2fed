// SPDX-License-Identifier: Apache-2.0

/// What a person decided about items by command. It is kept beside the queue file, so that no decision is lost with it.
package struct Decisions: Equatable, Sendable {
  /// What was decided about one item.
  package struct Entry: Equatable, Sendable {
    package var id: ItemID
    /// Pinned by command.
    package var isPinned = false
    /// Removed by hand.
    package var removal: Removal?
    /// Decisions of commands that this version does not have, written back as they were.
    package var unknownFields: [UnknownField] = []

    package init(id: ItemID) { self.id = id }

    fileprivate var isEmpty: Bool { !isPinned && removal == nil && unknownFields.isEmpty }
  }

  package private(set) var entries: [ItemID: Entry]
  /// Of the file, written back as they were.
  package var unknownFields: [UnknownField]

  /// - Parameter entries: of two with one id the later one counts.
  package init(_ entries: [Entry] = [], unknownFields: [UnknownField] = []) {
    self.entries = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { _, later in later })
    self.unknownFields = unknownFields
  }

  package var isEmpty: Bool { entries.isEmpty && unknownFields.isEmpty }

  package subscript(id: ItemID) -> Entry? { entries[id] }

  /// As the queue says now. Decisions about items that the queue has not met since it was lost wait for them.
  /// - Parameter before: the queue at the beginning of the run: what it knew and does not know any more is forgotten.
  package func updated(by queue: Queue, before: Queue) -> Decisions {
    var next = entries.filter { queue[$0.key] == nil && before[$0.key] == nil }
    for index in queue.items.indices {
      let item = queue.items[index]
      let known = entries.isEmpty ? nil : entries[item.id]
      guard item.isDecided || known != nil else { continue }
      var entry = Entry(id: item.id)
      entry.isPinned = item.pinned
      if case .removed(let removal) = item.state, removal.cause == .user { entry.removal = removal }
      entry.unknownFields = known?.unknownFields ?? []
      if !entry.isEmpty { next[item.id] = entry }
    }
    var updated = self
    updated.entries = next
    return updated
  }

  /// New items that something was decided about, as the queue is to know them.
  package func recalled(_ desired: DesiredState, unknownTo queue: Queue, now: Timestamp) -> [QueueItem] {
    guard !entries.isEmpty else { return [] }
    return desired.items.compactMap { new in
      guard let entry = entries[new.item.id], queue[new.item.id] == nil else { return nil }
      var item = QueueItem(
        item: new.item.remembered, memberships: new.memberships, matchedBy: new.matchedBy, plays: new.heard,
        queuedAt: now)
      item.take(entry)
      return item.isDecided ? item : nil
    }
  }

  /// Items of a queue that lost what was recorded last, as a person decided. A pin is never taken back by that: which of
  /// the two is newer cannot be known.
  package func restored(in queue: Queue) -> [QueueItem] {
    entries.keys.sorted().compactMap { id in
      guard let entry = entries[id], var item = queue[id] else { return nil }
      item.take(entry)
      return item == queue[id] ? nil : item
    }
  }
}

extension QueueItem {
  fileprivate var isDecided: Bool {
    if pinned { return true }
    if case .removed(let removal) = state { return removal.cause == .user }
    return false
  }

  fileprivate mutating func take(_ entry: Decisions.Entry) {
    pinned = pinned || entry.isPinned
    guard let removal = entry.removal else { return }
    // What came after the removal was wanted again.
    if case .removed = state { return }
    if let file = state.storedFile, file.completedAt > removal.at { return }
    if queuedAt > removal.at, state != .queued(Pending()) { return }
    become(.removed(removal))
  }
}
