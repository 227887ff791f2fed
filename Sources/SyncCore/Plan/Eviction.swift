// SPDX-License-Identifier: Apache-2.0

/// Room that is made by command: a plan that evicts and does nothing else.
package struct Eviction: Equatable, Sendable {
  package struct Barred: Equatable, Sendable {
    package var items: Int
    package var bytes: ByteCount
    package init(items: Int = 0, bytes: ByteCount = .zero) {
      self.items = items
      self.bytes = bytes
    }
  }

  package var plan: Plan
  /// To be freed; zero when there is that much room already.
  package var needed: ByteCount
  /// Files that stay whatever is needed.
  package var barred: [EvictionBar: Barred] = [:]

  /// The trash goes first, then who goes first by the manifest's score, as in a run (SPEC §6).
  /// - Parameter goal: a share of a budget that is none needs no room.
  package init(
    _ goal: RoomGoal, queue: Queue, seen: LibraryObservation, manifest: Manifest, now: Timestamp
  ) {
    let (pinned, naming) = (manifest.pinned(in: queue), Naming(manifest))
    var barred: [EvictionBar: Barred] = [:]
    var candidates: [ItemID: Change] = [:]
    var evictable: [Evictable] = []
    var finished = ByteCount.zero
    for item in queue.items {
      // What is not the file that was stored is nobody's to remove.
      guard let file = item.state.storedFile, seen.finished[item.id] == .file(size: file.size) else { continue }
      finished += file.size
      if let bar = manifest.storage.evict.bar(item, file, isPinned: item.pinned || pinned.contains(item.id), now) {
        barred[bar, default: Barred()].add(file.size)
        continue
      }
      let victim = manifest.storage.evictable(item, file, isOrphan: naming.isOrphan(item), now)
      evictable.append(victim)
      candidates[item.id] = Change(item, file, victim)
    }
    let partial = seen.partials.values.map(\.size).sum()
    let used = finished + partial + seen.trashBytes
    needed =
      switch goal {
      case .bytes(let bytes): bytes
      case .share(let share): manifest.storage.budget.map { max(.zero, used - $0 * share) } ?? .zero
      }
    let trash = needed > .zero ? seen.trashBytes : .zero
    var line = VictimLine(evictable)
    if needed > trash { line.choose(freeing: needed - trash, before: nil) }
    plan = Plan(
      generatedAt: now, changes: line.chosen.compactMap { candidates[$0.id] }, bookkeeping: [],
      storage: StorageForecast(
        budget: manifest.storage.budget, before: used, after: used - trash - line.chosenBytes, partial: partial,
        trash: seen.trashBytes, free: seen.freeSpace))
    plan.emptiesTrash = trash > .zero
    self.barred = barred
  }
}

extension Eviction.Barred {
  fileprivate mutating func add(_ size: ByteCount) {
    items += 1
    bytes += size
  }
}

extension StoragePolicy {
  fileprivate func evictable(_ item: QueueItem, _ file: StoredFile, isOrphan: Bool, _ now: Timestamp) -> Evictable {
    Evictable(
      id: item.id, size: file.size, completedAt: file.completedAt,
      score: evict.score.value(of: ScoreTerms(plays: item.plays, completedAt: file.completedAt), at: now),
      isOrphan: isOrphan && orphans == .evictFirst)
  }
}

extension StoragePolicy.Eviction {
  fileprivate func bar(_ item: QueueItem, _ file: StoredFile, isPinned: Bool, _ now: Timestamp) -> EvictionBar? {
    if isPinned { return .pinned }
    if item.plays.isInProgress(at: now) { return .inProgress }
    return now - file.completedAt < minAge ? .tooYoung : nil
  }
}

/// Which playlists there are, and whom they name, as far as that can be told without asking their sources.
private struct Naming {
  /// Nil: whoever was of it before may be of it still.
  private let playlists: [PlaylistName: Set<ItemID>?]

  init(_ manifest: Manifest) {
    playlists = Dictionary(
      manifest.playlists.map { playlist in
        guard case .items(let items) = playlist.source else { return (playlist.name, nil) }
        return (playlist.name, Set(items.map(\.id)))
      }, uniquingKeysWith: { first, _ in first })
  }

  func isOrphan(_ item: QueueItem) -> Bool {
    !item.memberships.contains { membership in
      guard let named = playlists[membership.playlist] else { return false }
      return named?.contains(item.id) ?? true
    }
  }
}

extension Change {
  fileprivate init(_ item: QueueItem, _ file: StoredFile, _ victim: Evictable) {
    self.init(
      id: item.id, playlist: item.memberships.first?.playlist, title: item.item.title, duration: item.item.duration,
      action: .evict, reason: victim.isOrphan ? .orphanEvicted : .lowestScore, bytes: file.size, path: file.path,
      url: item.item.main.url, score: victim.score)
  }
}
