// SPDX-License-Identifier: Apache-2.0

/// The bytes that are there, and which of them may go.
struct Inventory {
  /// Finished, partial and trash bytes.
  private(set) var usedBefore: ByteCount
  /// Of them, what goes whatever the room: removals, expired trash, stray partials.
  private(set) var going: ByteCount = .zero
  /// What the trash holds when that is done, and the plan may empty: nothing when nothing may go.
  private(set) var emptyableTrash: ByteCount = .zero
  /// What adopted files add.
  private(set) var coming: ByteCount = .zero
  private(set) var pinned: ByteCount = .zero
  private(set) var evictable: [Evictable] = []

  init(
    _ reconciliation: Reconciliation, seen: LibraryObservation, policy: StoragePolicy, options: PlanOptions,
    now: Timestamp
  ) {
    usedBefore = seen.partials.values.map(\.size).sum() + seen.trashBytes
    if options.isClockPlausible {
      going += seen.expiredTrashBytes
      emptyableTrash = seen.trashBytes - seen.expiredTrashBytes
    }
    let continued = Set(reconciliation.entries.compactMap { $0.queued.state.partial?.name })
    going += seen.partials.filter { !continued.contains($0.key) }.values.map(\.size).sum()
    for entry in reconciliation.entries {
      if case .adopt(let adoptable, _) = entry.need {
        coming += adoptable.file.size
        if entry.isPinned { pinned += adoptable.file.size }
      }
      guard let file = entry.queued.state.storedFile, entry.need != .keep(.changedByOthers) else { continue }
      usedBefore += file.size
      if entry.isPinned { pinned += file.size }
      if case .remove = entry.need {
        guard options.isClockPlausible else { continue }
        // Into the trash it still counts; at once it does not.
        if policy.trashKeep == .zero { going += file.size } else { emptyableTrash += file.size }
        continue
      }
      guard options.mayEvict, options.isClockPlausible, !entry.isPinned else { continue }
      guard now - file.completedAt >= policy.evict.minAge else { continue }
      let score = policy.evict.score.value(
        of: ScoreTerms(plays: entry.queued.plays, completedAt: file.completedAt), at: now)
      evictable.append(
        Evictable(
          id: entry.queued.id, size: file.size, completedAt: file.completedAt, score: score,
          isOrphan: entry.isOrphan && policy.orphans == .evictFirst))
    }
  }
}

extension Reconciliation.Entry {
  /// By the manifest or by command.
  var isPinned: Bool { desired?.isPinned ?? false || queued.pinned }
}
