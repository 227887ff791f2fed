// SPDX-License-Identifier: Apache-2.0

extension Reconciliation {
  /// The settings that decide about items.
  package struct Terms: Sendable {
    package var storage: StoragePolicy
    /// The inputs with which earlier failures are compared. Nil to compare the URLs alone.
    package var inputs: TransferInputs?
    /// The treatment of files whose licence is over. Nil if no item needs one, or has had one.
    package var licenses: LicenseTerms?

    /// The playlists in the run's scope. Nil for all.
    package var scope: Set<PlaylistName>?

    package init(_ storage: StoragePolicy, inputs: TransferInputs? = nil, scope: Set<PlaylistName>? = nil) {
      self.storage = storage
      self.inputs = inputs
      self.scope = scope
    }
  }

  /// - Parameter parts: Decides about several items at once.
  package init(
    desired: DesiredState, queue: Queue, seen: LibraryObservation, terms: Terms,
    parts: some PartRunner = SerialParts(), now: Timestamp
  ) {
    self.init()
    let scope = terms.scope
    playlists = desired.playlists
    licenseTime = terms.licenses?.time
    entries.reserveCapacity(desired.items.count)
    bookkeeping.reserveCapacity(queue.items.isEmpty ? desired.items.count : 0)
    let rules = Rules(
      storage: terms.storage, seen: seen, inputs: terms.inputs,
      retention: RetentionRuling(
        desired, queue,
        isGone: { terms.storage.onMissing == .skip && $0.isLost(seen) }, now: now), licenses: terms.licenses, now: now)
    var isNamed = Array(repeating: false, count: queue.items.count)
    parts.forEach(upTo: desired.items.count) { index in
      rules.decision(about: desired.items.box(at: index), in: queue, desired, scope)
    } then: { decision in
      if let position = decision.position { isNamed[position] = true }
      carryOut(decision, before: decision.position.map { queue.items.box(at: $0) }, now: now)
    }
    for (playlist, counts) in desired.unlisted where scope?.contains(playlist) ?? true {
      unlisted.merge(counts, uniquingKeysWith: +)
    }
    let existing = Set(playlists.map(\.name))
    let affiliation = Affiliation(desired: desired, existing: existing)
    for position in isNamed.indices where !isNamed[position] {
      let before = queue.items.box(at: position)
      let known = before.recovered(seen: seen, hasChecksum: false).renamed(desired.renamed)
      let memberships = known.wrappedValue.memberships
      let inScope = scope.map { scope in memberships.contains { scope.contains($0.playlist) } } ?? true
      guard let entry = rules.entry(forUnnamed: known, affiliation: affiliation, inScope: inScope) else {
        bookkeeping.append(.itemDropped(known.wrappedValue.id))
        continue
      }
      add(entry, before: before, now: now)
    }
    for (name, state) in desired.sourceStates.sorted(by: { $0.key < $1.key }) where queue.sources[name] != state {
      bookkeeping.append(.source(name, state))
    }
    for name in queue.sources.keys.sorted()
    where !existing.contains(name) && !desired.heldPlaylists.contains(name) && scope == nil {
      bookkeeping.append(.sourceDropped(name))
    }
  }

  private mutating func carryOut(_ decision: Rules.Decision, before: Boxed<QueueItem>?, now: Timestamp) {
    guard before != nil, decision.mayBeForgotten else { return add(decision.entry, before: before, now: now) }
    if let tombstone = decision.entry.tombstone(at: now) {
      add(tombstone, before: before, now: now)
    } else {
      bookkeeping.append(.itemDropped(decision.entry.queued.id))
      entries.append(decision.entry)
    }
  }

  private mutating func add(_ entry: consuming Entry, before: Boxed<QueueItem>?, now: Timestamp) {
    if let before, before.wrappedValue.transfer?.isUnderWay ?? false { recovered.append(before.wrappedValue.id) }
    if case .keep(.changedByOthers) = entry.need { changedByOthers.append(entry.queued.id) }
    if entry.$queued != before, before != nil || !entry.isTransient {
      entry.queued.updatedAt = now
      bookkeeping.append(.item(entry.queued))
    }
    entries.append(entry)
  }
}

extension Reconciliation.Rules {
  /// The decision about an item that the manifest names.
  fileprivate struct Decision: Sendable {
    let entry: Reconciliation.Entry
    /// The item's position in the queue.
    let position: Int?
    let mayBeForgotten: Bool
  }

  fileprivate func decision(
    about item: Boxed<DesiredItem>, in queue: Queue, _ desired: DesiredState, _ scope: Set<PlaylistName>?
  ) -> Decision {
    let (id, memberships) = (item.wrappedValue.item.id, item.wrappedValue.memberships)
    let position = queue.position(of: id, guess: item.wrappedValue.queueIndex)
    let recovered = position.map {
      queue.items.box(at: $0).recovered(seen: seen, hasChecksum: item.wrappedValue.item.checksum != nil)
    }
    let isInScope = scope.map { scope in memberships.contains { scope.contains($0.playlist) } } ?? true
    let entry = isInScope ? entry(for: item, known: recovered) : untouched(item, known: recovered)
    // If a source was not read whole, nobody knows if it still lists the item.
    let isHeld = memberships.contains { desired.heldPlaylists.contains($0.playlist) }
    return Decision(entry: entry, position: position, mayBeForgotten: !isHeld && entry.isForgettable)
  }
}

extension Boxed<QueueItem> {
  fileprivate func recovered(seen: LibraryObservation, hasChecksum: Bool) -> Self {
    wrappedValue.recovered(seen: seen, hasChecksum: hasChecksum).map { Boxed($0) } ?? self
  }
}

extension Boxed<QueueItem> {
  /// The same item, with the present names of its playlists.
  fileprivate func renamed(_ names: [PlaylistName: PlaylistName]) -> Self {
    guard !names.isEmpty, wrappedValue.memberships.contains(where: { names[$0.playlist] != nil }) else { return self }
    var item = wrappedValue
    item.memberships = item.memberships.map {
      Membership(playlist: names[$0.playlist] ?? $0.playlist, position: $0.position)
    }
    return Boxed(item)
  }
}

extension Reconciliation.Entry {
  /// True for a new item that is not worth fetching, so it is not recorded. The log of plays keeps its plays.
  fileprivate var isTransient: Bool { need == .ignore && queued.state == .queued(Pending()) }
}

extension Reconciliation.Entry {
  /// True if the item waits although no run would fetch it, because its playlists no longer select it. If it stayed in
  /// the queue, it would be shown as waiting for ever.
  fileprivate var isForgettable: Bool {
    switch queued.state {
    case .queued, .failed: break
    default: return false
    }
    return need == .ignore && isInScope && unselected != nil && !queued.pinned && queued.plays == PlayHistory()
  }
}

extension Reconciliation.Entry {
  /// The same item as the tombstone of its lost file, so that the file belongs to it when it returns. Nil if the item
  /// did not lose a file.
  func tombstone(at now: Timestamp) -> Self? {
    guard let file = queued.lostFile else { return nil }
    var entry = self
    entry.queued.remove(Removal(cause: .lost, at: now, file: file))
    return entry
  }
}

extension QueueItem {
  /// True if its file was taken away and is nowhere else.
  fileprivate func isLost(_ seen: LibraryObservation) -> Bool {
    guard seen.adoptable[id] == nil, seen.strayed[id] == nil else { return false }
    switch state {
    case .completed: return (seen.finished[id] ?? .missing) == .missing
    case .removed(let removal): return removal.cause == .lost
    default: return false
    }
  }
}

/// Decides if playlists still claim an item that no source lists now.
struct Affiliation {
  let desired: DesiredState
  let existing: Set<PlaylistName>

  /// True if a playlist that still exists names the item or may name it: its source was not read whole, or has an entry
  /// for the item that cannot be used.
  func isHeld(_ item: QueueItem) -> Bool {
    desired.listed.contains(item.id)
      || item.memberships.contains { desired.heldPlaylists.contains($0.playlist) }
  }

  /// True if a playlist of the item keeps items that its source no longer lists.
  func isKept(_ item: QueueItem) -> Bool {
    item.memberships.contains { existing.contains($0.playlist) && desired.keepingPlaylists.contains($0.playlist) }
  }
}

extension DesiredState {
  /// Finished items that no playlist names any more, as far as this state tells.
  package func orphans(of queue: Queue) -> Set<ItemID> {
    let affiliation = Affiliation(desired: self, existing: Set(playlists.map(\.name)))
    var isNamed = Array(repeating: false, count: queue.items.count)
    for index in items.indices { if let position = items[index].queueIndex { isNamed[position] = true } }
    var orphans: Set<ItemID> = []
    for position in isNamed.indices where !isNamed[position] && queue.items[position].state.finishedSize != nil {
      let item = queue.items.box(at: position).renamed(renamed).wrappedValue
      if !affiliation.isHeld(item), !affiliation.isKept(item) { orphans.insert(item.id) }
    }
    return orphans
  }

  /// True if a run would not fetch the item even if it was queued: no playlist selects it, and none may still do so.
  package func wouldForget(_ item: QueueItem) -> Bool {
    let affiliation = Affiliation(desired: self, existing: Set(playlists.map(\.name)))
    return !affiliation.isHeld(item) && !items.contains { $0.item.id == item.id && $0.isSelected }
  }
}
