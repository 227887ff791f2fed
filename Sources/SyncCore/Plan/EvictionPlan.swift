// SPDX-License-Identifier: Apache-2.0

/// The free space that a person asks for.
package enum RoomGoal: Hashable, Sendable {
  /// This number of bytes in addition to the free ones.
  case bytes(ByteCount)
  /// Usage down to this share of the budget.
  case share(Share)
}

/// A plan that makes room by command: it evicts and does nothing else.
package struct EvictionPlan: Equatable, Sendable {
  /// Files that have the same protection.
  package struct Protected: Equatable, Sendable {
    package var items: Int
    package var bytes: ByteCount
    package init(items: Int = 0, bytes: ByteCount = .zero) {
      self.items = items
      self.bytes = bytes
    }
  }

  package var plan: Plan
  /// The bytes to free. Zero if there is enough room already.
  package var needed: ByteCount
  /// The files that stay whatever the need, by their strongest protection.
  package var protected: [EvictionProtection.Kind: Protected] = [:]

  /// The trash goes first, then items in the order of the manifest's score, as in a run.
  /// - Parameter goal: A share of a budget needs no room if no budget is set.
  package init(
    _ goal: RoomGoal, queue: Queue, seen: LibraryObservation, manifest: Manifest, now: Timestamp
  ) {
    // No source is read. Episodes listed earlier count as still listed.
    var reconciliation = Reconciliation(
      desired: DesiredState(
        Resolution(manifest.playlists), layout: manifest.library.layout, queue: queue, now: now), queue: queue,
      seen: seen,
      terms: .init(manifest.storage), now: now)
    reconciliation.pin(manifest.pinned(in: queue))
    let policy = manifest.storage
    var evictable: [Evictable] = []
    var finished = ByteCount.zero
    let ranking = Ranking(reconciliation, manifest: manifest, now: now)
    for (position, entry) in reconciliation.entries.enumerated() {
      guard let file = entry.queued.state.storedFile else { continue }
      let protection = entry.protection(policy.evict, at: now)
      if protection == .changedByOthers {
        // The present file is not the stored one, so it does not count as used.
        var size = ByteCount.zero
        if case .file(let found)? = seen.finished[entry.queued.id] { size = found }
        protected[.changedByOthers, default: Protected()].add(size)
        continue
      }
      finished += file.size
      if let protection {
        protected[protection.kind, default: Protected()].add(file.size)
        continue
      }
      guard var rank = ranking.rank(of: entry, at: position) else { continue }
      // Items that the next run would remove anyway go with the orphans, before all selected items.
      rank.isOrphan = rank.isOrphan || entry.removalReason != nil
      evictable.append(Evictable(id: entry.queued.id, position: position, size: file.size, rank: rank))
    }
    let partial = seen.partials.values.map(\.size).sum()
    let used = finished + partial + seen.trashBytes
    needed =
      switch goal {
      case .bytes(let bytes): bytes
      case .share(let share): policy.budget.map { max(.zero, used - $0 * share) } ?? .zero
      }
    let trash = needed > .zero ? seen.trashBytes : .zero
    var line = EvictionOrder(evictable)
    if needed > trash { line.choose(freeing: needed - trash, before: nil) }
    let steps = line.chosen.map { victim in
      let entry = reconciliation.entries[victim.position]
      let reason =
        entry.removalReason ?? (victim.rank.isOrphan ? .orphanEvicted : policy.evict.score.reasonToEvict())
      return Step.evict(
        RemovalStep(evicting: entry, PlannedItem(entry, reason, policy.evict.score, at: now)))
    }
    plan = Plan(
      generatedAt: now, steps: steps, bookkeeping: [],
      storage: StorageForecast(
        budget: policy.budget, before: used, after: used - trash - line.chosenBytes, partial: partial,
        trash: seen.trashBytes, free: seen.freeSpace))
    plan.emptiesTrash = trash > .zero
  }
}

extension StoragePolicy.Score {
  /// The reason for evicting the item that this score puts first.
  /// - Parameter playlist: The playlist that exceeds its share, if any.
  func reasonToEvict(from playlist: PlaylistName? = nil) -> Reason {
    switch (self, playlist) {
    case (.oldest, let playlist?): .longestHereOfPlaylist(playlist)
    case (.oldest, nil): .longestHere
    case (.balanced, let playlist?), (.classic, let playlist?): .lowestScoreOfPlaylist(playlist)
    case (.balanced, nil), (.classic, nil): .lowestScore
    }
  }
}

extension EvictionPlan.Protected {
  fileprivate mutating func add(_ size: ByteCount) {
    items += 1
    bytes += size
  }
}

extension Reconciliation {
  /// Marks items that the manifest pins by their playlists, whose sources were not read.
  fileprivate mutating func pin(_ pinned: Set<ItemID>) {
    guard !pinned.isEmpty else { return }
    for index in entries.indices where pinned.contains(entries[index].queued.id) {
      entries[index].isPinnedByManifest = true
    }
  }
}

extension Reconciliation.Entry {
  fileprivate var removalReason: Reason? {
    if case .remove(let reason) = need { reason } else { nil }
  }
}
