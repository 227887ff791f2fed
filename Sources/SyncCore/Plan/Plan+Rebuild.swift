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
    var steps: [Step] = []
    var bookkeeping: [QueueChange] = []
    for item in desired.items {
      let known = queue[item.id]
      let queued = Boxed(
        known
          ?? QueueItem(
            item: item.item.remembered, memberships: item.memberships, matchedBy: item.matchedBy, plays: item.played,
            queuedAt: now))
      if let adoptable = stock.adoptions[item.id] {
        if known == nil { bookkeeping.append(.item(queued.wrappedValue)) }
        steps.append(
          .adopt(AdoptionStep(PlannedItem(queued, .sameContent(adoptable.proof)), adoptable.file)))
      } else if known?.state.storedFile != nil {
        steps.append(.keep(PlannedItem(queued, .present)))
      } else if item.isSelected, known?.state.name != .removed {
        steps.append(.defer(DeferralStep(PlannedItem(queued, .rebuilding), bytes: nil, path: nil)))
      }
    }
    let finished = queue.items.compactMap { $0.state.storedFile?.size }.sum()
    let before = finished + stock.partial + stock.trash
    let adopted = stock.adoptions.values.map(\.file.size).sum()
    self.init(
      generatedAt: now, steps: steps, bookkeeping: bookkeeping,
      storage: StorageForecast(
        budget: budget, before: before, after: before + adopted, partial: stock.partial, trash: stock.trash,
        free: stock.free))
    warnings = [
      .recovered(
        .stockTaken(
          RecoveryNote.Stocktaking(
            adopted: stock.adoptions.count, lacking: count(.defer),
            unmatched: stock.unmatched)))
    ]
  }
}
