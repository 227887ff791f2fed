// SPDX-License-Identifier: Apache-2.0

/// The contents of a library whose state is lost.
package struct RebuildFindings: Sendable {
  /// The items found in the library that the remaining state does not list, with the facts about their files.
  package var adoptions: [ItemID: Adoptable]
  /// Media that belongs to no item.
  package var unmatched: [LibraryPath]
  package var partial: ByteCount
  package var trash: ByteCount
  package var free: ByteCount

  package init(
    adoptions: [ItemID: Adoptable], unmatched: [LibraryPath], partial: ByteCount, trash: ByteCount, free: ByteCount
  ) {
    self.adoptions = adoptions
    self.unmatched = unmatched
    self.partial = partial
    self.trash = trash
    self.free = free
  }
}

extension Plan {
  /// Creates the plan of a rebuild: files that are present are adopted, nothing is fetched and nothing is removed.
  package init(
    rebuilding stock: RebuildFindings, desired: DesiredState, queue: Queue, budget: ByteCount?, now: Timestamp
  ) {
    var changes: [Change] = []
    var bookkeeping: [QueueChange] = []
    for item in desired.items {
      let id = item.item.id
      let known = queue[id]
      let queued =
        known
        ?? QueueItem(
          item: item.item.remembered, memberships: item.memberships, matchedBy: item.matchedBy, plays: item.played,
          queuedAt: now)
      func change(_ action: Change.Action, _ reason: Reason, bytes: ByteCount?, path: LibraryPath?) -> Change {
        Change(Boxed(queued), action, reason, bytes: bytes, path: path)
      }
      if let adoptable = stock.adoptions[id] {
        if known == nil { bookkeeping.append(.item(queued)) }
        let reason = Reason.sameContent(adoptable.proof)
        changes.append(change(.adopt, reason, bytes: adoptable.file.size, path: adoptable.file.path))
      } else if let file = known?.state.storedFile {
        changes.append(change(.keep, .present, bytes: file.size, path: file.path))
      } else if item.isSelected, known?.state.name != .removed {
        changes.append(change(.defer, .rebuilding, bytes: nil, path: nil))
      }
    }
    let finished = queue.items.compactMap { $0.state.storedFile?.size }.sum()
    let before = finished + stock.partial + stock.trash
    let adopted = stock.adoptions.values.map(\.file.size).sum()
    self.init(
      generatedAt: now, changes: changes, bookkeeping: bookkeeping,
      storage: StorageForecast(
        budget: budget, before: before, after: before + adopted, partial: stock.partial, trash: stock.trash,
        free: stock.free))
    adoptions = stock.adoptions
    warnings = [
      .recovered(
        .stockTaken(
          RecoveryNote.Stocktaking(
            adopted: stock.adoptions.count, lacking: changes.count { $0.action == .defer },
            unmatched: stock.unmatched)))
    ]
  }
}
