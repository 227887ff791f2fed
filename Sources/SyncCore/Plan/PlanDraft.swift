// SPDX-License-Identifier: Apache-2.0

/// A plan in the making: first what goes anyway, then what is wanted and who makes room for it, then what stays.
struct PlanDraft {
  let reconciliation: Reconciliation
  let seen: LibraryObservation
  private let manifest: Manifest
  let options: PlanOptions
  private let now: Timestamp
  let naming: FileNaming

  private(set) var room: RoomPlanner
  private let usedBefore: ByteCount
  private let inventory: Inventory
  private let pinsOverBudget: ByteCount?
  /// Of each playlist with a share, what is pinned, here or to come.
  private let pinnedOfShares: [ByteCount]
  private var removals: [Change] = []
  /// Each at the place of its entry.
  var changes: [Change?]
  var downloads: [(turn: FetchTurn, goesLast: Bool, order: Int, download: PlannedDownload)] = []
  var moves: [PlannedMove] = []
  private var adoptions: [ItemID: Adoptable] = [:]
  private var standing: [StandingItem] = []
  private var unselected: [UnselectedItem] = []
  private var deferredBytes: ByteCount = .zero
  /// Old ones of what was to be fetched and has to wait.
  private var deferredPartials: Set<String> = []

  init(
    _ reconciliation: Reconciliation, seen: LibraryObservation, manifest: Manifest, options: PlanOptions, now: Timestamp
  ) {
    self.reconciliation = reconciliation
    self.seen = seen
    self.manifest = manifest
    self.options = options
    self.now = now
    changes = Array(repeating: nil, count: reconciliation.entries.count)
    naming = manifest.library.profile.rules(on: seen.fileSystem).naming
    inventory = Inventory(reconciliation, seen: seen, manifest: manifest, options: options, now: now)
    usedBefore = inventory.usedBefore
    let toCome = Self.pinnedToCome(reconciliation, inventory, manifest.downloads)
    let pinned = inventory.pinned + toCome.total
    pinnedOfShares = zip(inventory.pinnedOfShares, toCome.shares).map(+)
    pinsOverBudget = manifest.storage.budget.flatMap { pinned > $0 ? pinned - $0 : nil }
    // Where what may not go is too much by itself, nothing else is made to go for it.
    let isHopeless =
      manifest.storage.budget.map { [protected = inventory.protected] in max(pinned, protected) > $0 } ?? false
    room = RoomPlanner(
      policy: manifest.storage, used: inventory.usedBefore - inventory.going + inventory.coming,
      free: seen.freeSpace + inventory.going, trash: isHopeless ? .zero : inventory.emptyableTrash,
      evictable: isHopeless ? [] : inventory.evictable, accounts: inventory.accounts)
  }

  /// What is pinned and not here yet, in all and of each playlist with a share, as far as sizes are known.
  private static func pinnedToCome(
    _ reconciliation: Reconciliation, _ inventory: Inventory, _ downloads: DownloadPolicy
  ) -> (total: ByteCount, shares: [ByteCount]) {
    var (total, shares) = (ByteCount.zero, inventory.accounts.map { _ in ByteCount.zero })
    for entry in reconciliation.entries(where: { ($0.isToFetch || $0.need == .returning) && $0.isPinned }) {
      guard let desired = entry.desired else { continue }
      let size = expectedSize(entry, desired, downloads)
      total += size
      if let account = inventory.account(of: entry) { shares[account] += size }
    }
    return (total, shares)
  }

  // MARK: The three passes

  mutating func placeRemovals() {
    guard options.isClockPlausible else { return }
    for entry in reconciliation.entries(where: \.isToGo) {
      guard case .remove(let reason) = entry.need, let file = entry.queued.state.storedFile else { continue }
      removals.append(change(entry, .remove, reason, bytes: file.size, path: file.path))
    }
  }

  mutating func placeWants() {
    var waiting = wants(\.isToFetch)
    downloads.reserveCapacity(waiting.count)
    let returning = wants { $0.need == .returning }
    var victims: Int
    // Room that was made for one, down to `target`, may do for another that had none before.
    repeat {
      victims = room.victimCount
      waiting.removeAll { place($0, isLastTry: false) }
    } while room.victimCount > victims
    for want in waiting { place(want) }
    room.spareNeedless()
    for want in returning { place(want) }
  }

  mutating func placeRest() {
    let evicted = Set(room.victims.map(\.id))
    var misplaced: [Int] = []
    var writer = PathWriter(naming)
    // Lent to each step, not copied: most of a million only stay.
    let entries = reconciliation.entries
    for order in entries.indices {
      if entries[order].isKept, evicted.isEmpty || !evicted.contains(entries[order].queued.id) {
        keep(entries[order], at: order)
        if entries[order].isMisplaced(&writer) { misplaced.append(order) }
      } else {
        placeOther(entries[order], at: order)
      }
    }
    placeNames(misplaced, evicted: evicted)
  }

  private mutating func keep(_ entry: Reconciliation.Entry, at order: Int) {
    let reason: Reason
    switch entry.need {
    case .keep(let kept), .remove(let kept): reason = kept
    default: return
    }
    changes[order] = change(
      entry, .keep, reason, bytes: entry.queued.state.finishedSize, path: entry.queued.state.finishedPath)
  }

  private mutating func placeOther(_ entry: Reconciliation.Entry, at order: Int) {
    switch entry.need {
    case .remove where !options.isClockPlausible: keep(entry, at: order)
    case .adopt(let adoptable, let reason):
      adoptions[entry.queued.id] = adoptable
      let file = adoptable.file
      changes[order] = change(entry, .adopt, reason, bytes: file.size, path: file.path)
    case .wait(let until):
      changes[order] = change(entry, .defer, .askedToWait(until: until), bytes: nil, path: nil)
    case .away(let until):
      let place = entry.desired.map {
        $0.layout.path($0.fields, fileExtension: $0.item.expectedExtension, naming: naming)
      }
      let size = entry.queued.state.lastFile?.size
      changes[order] = change(entry, .defer, .evictedLately(until: until), bytes: size, path: place)
    case .stand(let reason):
      standing.append(StandingItem(id: entry.queued.id, title: entry.queued.item.title, standing: reason))
    case .rest where entry.isInScope:
      guard let reason = entry.unselected else { return }
      unselected.append(
        UnselectedItem(
          id: entry.queued.id, playlist: entry.queued.memberships.first?.playlist, title: entry.queued.item.title,
          reason: reason))
    default: return
    }
  }

  consuming func finished() -> Plan {
    let evicted = Set(room.victims.map(\.id))
    let going = evicted.isEmpty ? [] : reconciliation.entries { evicted.contains($0.queued.id) }
    let byID = Dictionary(going.map { ($0.queued.id, $0) }, uniquingKeysWith: { first, _ in first })
    let evictions = room.victims.compactMap { victim in
      byID[victim.id].map { entry in
        change(
          entry, .evict, reasonToEvict(entry), bytes: victim.size, path: entry.queued.state.storedFile?.path)
      }
    }
    var plan = Plan(
      generatedAt: now, changes: removals + evictions, bookkeeping: reconciliation.bookkeeping, storage: forecast())
    plan.changes.reserveCapacity(plan.changes.count + changes.count)
    for order in changes.indices { if let change = changes[order].take() { plan.changes.append(change) } }
    plan.downloads = downloads.sorted { a, b in
      a.goesLast == b.goesLast ? a.turn < b.turn : b.goesLast
    }.map(\.download)
    plan.adoptions = adoptions
    plan.moves = moves
    plan.standing = standing
    plan.unselected = unselected
    plan.shares = room.accounts
    plan.heldBack = options.mayDownload ? 0 : reconciliation.entries(where: \.isToFetch).count
    plan.emptiesTrash = room.emptiesTrash && options.isClockPlausible
    plan.expiresTrash = seen.expiredTrashBytes > .zero && options.isClockPlausible
    plan.strayPartials = strayPartials()
    plan.changedByOthers = reconciliation.entries(where: \.isChangedByOthers).map(\.queued.id)
    plan.recovered = reconciliation.recovered
    plan.warnings = warnings()
    plan.safetyStop = safetyStop()
    return plan
  }

  private func reasonToEvict(_ entry: Reconciliation.Entry) -> Reason {
    if entry.isOrphan, manifest.storage.orphans == .evictFirst { return .orphanEvicted }
    return manifest.storage.evict.score.reasonToEvict(from: room.overShare[entry.queued.id])
  }

  // MARK: One want

  /// An item that is to be fetched, at its place among the entries and in the order of fetching.
  private struct WantedEntry {
    let order: Int
    let turn: FetchTurn
    let isPinned: Bool
    /// As if it came now.
    let score: Double

    /// Who gets room first is who would be evicted last: else a later plan would make room for one by what came for another.
    func getsRoomBefore(_ other: WantedEntry) -> Bool {
      if isPinned != other.isPinned { return isPinned }
      return score == other.score ? turn < other.turn : score > other.score
    }
  }

  private func wants(_ isWanted: (Reconciliation.Entry) -> Bool) -> [WantedEntry] {
    reconciliation.entries.indices.filter { isWanted(reconciliation.entries[$0]) }.map { order in
      let entry = reconciliation.entries[order]
      let bytes =
        entry.desired.map { Self.expectedSize(entry, $0, manifest.downloads) - (range(entry, $0)?.offset ?? .zero) }
        ?? .zero
      let turn = FetchTurn(
        manifest.downloads.order, priority: entry.desired?.priority ?? .normal,
        published: entry.desired?.item.published, bytes: bytes, position: order)
      let score = manifest.storage.evict.score.value(
        of: ScoreTerms(plays: entry.queued.plays, completedAt: now), at: now)
      return WantedEntry(order: order, turn: turn, isPinned: entry.isPinned, score: score)
    }.sorted { $0.getsRoomBefore($1) }
  }

  private func range(_ entry: Reconciliation.Entry, _ desired: DesiredItem) -> RangeRequest? {
    guard manifest.features.resume else { return nil }
    return entry.queued.state.partial?.continuation(hasChecksum: desired.item.checksum != nil)
  }

  /// Whether there is room for it. Without, it is deferred on the last try.
  @discardableResult
  private mutating func place(_ wanted: WantedEntry, isLastTry: Bool = true) -> Bool {
    let (entry, order) = (reconciliation.entries[wanted.order], wanted.order)
    guard options.mayDownload, let desired = entry.desired else { return true }
    let (whole, range) = (Self.expectedSize(entry, desired, manifest.downloads), range(entry, desired))
    let announced = whole - (range?.offset ?? .zero)
    var missing = announced
    // Of a partial, more may lie there than can be built on; what comes is written over it.
    let present = entry.queued.state.partial.flatMap { seen.partials[$0.name]?.size } ?? .zero
    let path = desired.layout.path(desired.fields, fileExtension: desired.item.expectedExtension, naming: naming)
    let since = waitingSince(entry)
    var want = RoomPlanner.Want(
      asFinished: Evictable(
        id: entry.queued.id, size: whole, completedAt: since,
        score: manifest.storage.evict.score.value(
          of: ScoreTerms(plays: entry.queued.plays, completedAt: since), at: now),
        account: inventory.account(of: entry), published: desired.item.published),
      missing: max(whole, present) - present, isReturning: entry.need == .returning,
      isPinned: desired.isPinned || entry.queued.pinned)
    want.asFinished.isWaiting = since < now
    var verdict = room.admit(want)
    if case .deferred(.freeSpace) = verdict, isHearsay(entry, desired) {
      // The server may say otherwise, and what it says is held against the free space then.
      (want.missing, want.asFinished.size, missing) = (.zero, .zero, .zero)
      verdict = room.admit(want)
    }
    switch verdict {
    case .admitted:
      let bytes = want.asFinished.size == .zero ? nil : missing
      changes[order] = change(
        entry, range != nil ? .resume : .download, entry.need.reasonToFetch, bytes: bytes, path: path)
      // What failed in an earlier run lets others go first, lest a few bad files of a host keep it from the good ones.
      let goesLast = entry.need == .returning || entry.need.reasonToFetch == .failedBefore
      downloads.append((wanted.turn, goesLast, order, planned(entry, desired, room: want.missing, present: present)))
      return true
    case .deferred(let shortage):
      guard isLastTry else { return false }
      if let name = entry.queued.state.partial?.name, inventory.isOld(name) { deferredPartials.insert(name) }
      deferredBytes += announced
      changes[order] = change(entry, .defer, shortage.reason, bytes: announced, path: path)
      return false
    }
  }

  /// For the score of what is to come: what is new ranks as if it came now. What has waited since an earlier run ranks just
  /// behind what came in that run: else yesterday's arrivals would go for what was left out yesterday, day after day.
  private func waitingSince(_ entry: Reconciliation.Entry) -> Timestamp {
    // Within one second, too, a run may follow another.
    entry.isWaiting || entry.queued.queuedAt < now ? min(entry.queued.queuedAt, now) - .seconds(1) : now
  }

  private func planned(
    _ entry: Reconciliation.Entry, _ desired: DesiredItem, room: ByteCount, present: ByteCount
  ) -> PlannedDownload {
    PlannedDownload(
      task: TransferTask(
        id: entry.queued.id, candidates: manifest.alternatives.order(of: desired.item),
        declaredSize: desired.item.size, checksum: desired.item.checksum, partial: entry.queued.state.partial),
      item: desired.item, priority: manifest.downloads.order == .priority ? desired.priority : .normal,
      layout: desired.layout, fields: desired.fields,
      isFromSource: desired.isFromSource, playlists: desired.memberships.map(\.playlist), room: room,
      present: present)
  }

  private static func expectedSize(
    _ entry: Reconciliation.Entry, _ desired: DesiredItem, _ downloads: DownloadPolicy
  ) -> ByteCount {
    if case .exact(let size)? = desired.item.size { return size }
    if case .removed(let removal) = entry.queued.state, let file = removal.file { return file.size }
    if let total = entry.queued.state.partial?.total { return total }
    // Of what would not be fetched at that size, the size says nothing.
    guard let hint = entry.queued.item.size?.bytes ?? desired.item.size?.bytes, hint <= downloads.maxItemSize else {
      return .zero
    }
    return hint
  }

  /// Whether nobody but a source has said how large the item is.
  private func isHearsay(_ entry: Reconciliation.Entry, _ desired: DesiredItem) -> Bool {
    if case .removed(let removal) = entry.queued.state, removal.file != nil { return false }
    guard case .about? = desired.item.size, desired.isFromSource, entry.queued.item.size == nil else { return false }
    return entry.queued.state.partial?.total == nil
  }

  func change(
    _ entry: Reconciliation.Entry, _ action: Change.Action, _ reason: Reason, bytes: ByteCount?, path: LibraryPath?
  ) -> Change {
    let score = entry.queued.state.completedAt.map { completedAt in
      manifest.storage.evict.score.value(
        of: ScoreTerms(plays: entry.queued.plays, completedAt: completedAt), at: now)
    }
    return Change(entry.$queued, action, reason, bytes: bytes, path: path, score: score)
  }

  // MARK: Totals

  private func forecast() -> StorageForecast {
    StorageForecast(
      budget: manifest.storage.budget, before: usedBefore, after: room.usedAfter,
      partial: seen.partials.values.map(\.size).sum(), trash: seen.trashBytes, free: seen.freeSpace,
      deferred: deferredBytes, pinsOverBudget: pinsOverBudget)
  }

  private func strayPartials() -> [String] {
    inventory.idlePartials.union(deferredPartials).sorted()
  }

  private func warnings() -> [Warning] {
    var warnings: [Warning] = []
    if let budget = manifest.storage.budget, room.usedAfter > budget * manifest.storage.warnAt {
      warnings.append(.usageAboveWarning(used: room.usedAfter, budget: budget))
    }
    warnings += shortages()
    if seen.freeSpace < manifest.storage.minFree {
      warnings.append(.freeSpaceBelowMinimum(free: seen.freeSpace, minimum: manifest.storage.minFree))
    }
    for entry in reconciliation.entries(where: \.isChangedByOthers) {
      if let file = entry.queued.state.storedFile { warnings.append(.changedByOthers(path: file.path)) }
    }
    return warnings
  }

  /// Budgets that are not kept although everything was done for them that may be done.
  private func shortages() -> [Warning] {
    var warnings: [Warning] = []
    if let pinsOverBudget {
      warnings.append(.pinsOverBudget(lacking: pinsOverBudget))
    } else if let budget = manifest.storage.budget, room.usedAfter > budget, options.mayEvict, options.isClockPlausible
    {
      let isHopeless = inventory.protected > budget
      warnings.append(
        isHopeless
          ? .protectedOverBudget(lacking: inventory.protected - budget)
          : .overBudget(lacking: room.usedAfter - budget))
    }
    guard options.mayEvict, options.isClockPlausible else { return warnings }
    return warnings
      + room.accounts.enumerated().compactMap { index, account in
        let (used, pinned) = (account.used, pinnedOfShares[index])
        if pinned > account.budget { return .pinsOverShare(account.playlist, lacking: pinned - account.budget) }
        return used > account.budget ? .playlistOverBudget(account.playlist, lacking: used - account.budget) : nil
      }
  }

  private func safetyStop() -> SafetyStop? {
    guard !removals.isEmpty else { return nil }
    let finished = reconciliation.entries.indices.count { reconciliation.entries[$0].queued.state.name == .completed }
    let limit = options.maxDelete.count(of: finished)
    return removals.count > limit
      ? .tooManyRemovals(
        count: removals.count, limit: limit, finished: finished, setBy: options.maxDeleteOrigin) : nil
  }
}

extension Reconciliation.Need {
  fileprivate var reasonToFetch: Reason {
    if case .fetch(let reason) = self { reason } else { .roomAgain }
  }
}
