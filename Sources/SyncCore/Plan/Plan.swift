// SPDX-License-Identifier: Apache-2.0

/// The actions of a run with their reasons, computed before anything is touched.
package struct Plan: Equatable, Sendable {
  package var generatedAt: Timestamp
  /// Removals and evictions first, then the order of the manifest.
  package var steps: [Step]
  /// The changes to record in the queue before anything else is done.
  package var bookkeeping: [QueueChange]
  /// The number of items that playlists do not select and that have no step, by reason.
  package var unlisted: [Unselected: Int] = [:]
  /// The number of selected items that this run was told not to fetch.
  package var heldBack = 0
  /// The number of items that only stay and have no step.
  package var unlistedKept = 0
  package var storage: StorageForecast
  /// The playlists with a share of the budget, after the plan.
  package var shares: [RoomPlanner.Account] = []
  /// True if the whole trash must be emptied to make room, including the files that the plan itself moves there.
  package var emptiesTrash = false
  /// True if the trash contains files older than `storage.trash.keep`.
  package var expiresTrash = false
  /// The names of the partials that no item continues.
  package var strayPartials: [String] = []
  /// Interrupted items that were put back into the queue.
  package var recovered: [ItemID] = []
  /// Items with a foreign file in their file's place. They are neither counted nor touched.
  package var changedByOthers: [ItemID] = []
  package var warnings: [Warning] = []
  /// The results of reading the sources, if they were read for this plan alone.
  package var sources: [SourceSummary] = []
  /// If set, no action of the plan may be carried out.
  package var safetyStop: SafetyStop?

  package init(generatedAt: Timestamp, steps: [Step], bookkeeping: [QueueChange], storage: StorageForecast) {
    self.generatedAt = generatedAt
    self.steps = steps
    self.bookkeeping = bookkeeping
    self.storage = storage
  }
}

/// The bytes used before and after the plan.
package struct StorageForecast: Equatable, Sendable {
  package var budget: ByteCount?
  /// Finished, partial and trash bytes.
  package var before: ByteCount
  package var after: ByteCount
  package var partial: ByteCount
  package var trash: ByteCount
  /// The free space on the library's file system before the plan.
  package var free: ByteCount
  /// The bytes of the deferred items.
  package var deferred: ByteCount = .zero
  /// The number of bytes by which the pinned items exceed the budget. Nil if they do not.
  package var pinsOverBudget: ByteCount?
  /// The files that upgrades replace. They count beside the new files until then. `after` does not include them.
  package var replaced: ByteCount = .zero

  /// `after` as a share of the budget.
  package var usage: Double? {
    budget.map { $0 == .zero ? 1 : Double(after.bytes) / Double($0.bytes) }
  }
}
