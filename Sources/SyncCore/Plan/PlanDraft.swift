// SPDX-License-Identifier: Apache-2.0

/// A plan in the making: first the removals, then the wanted items and the evictions for them, then everything that
/// stays.
struct PlanDraft {
  let reconciliation: Reconciliation
  let seen: LibraryObservation
  let manifest: Manifest
  let options: PlanOptions
  let now: Timestamp
  let naming: FileNaming

  var room: RoomPlanner
  let ranking: Ranking
  private let usedBefore: ByteCount
  let inventory: StorageUsage
  private let pinsOverBudget: ByteCount?
  /// The pinned bytes of each playlist with a share, present or still to come.
  private let pinnedOfShares: [ByteCount]
  private var removals: [Step] = []
  var steps: StepSlots
  /// The positions of the items to fetch.
  var fetched: [Int] = []
  var deferredBytes: ByteCount = .zero
  /// The old partials of deferred items.
  var deferredPartials: Set<String> = []
  /// Items to be recorded as deferred from this plan on.
  var newlyDeferred: [ItemID: QueueItem] = [:]
  /// The bytes of the files that upgrades replace.
  var replacedBytes: ByteCount = .zero
  /// The bytes by which upgrades lower the usage of each playlist with a share.
  var savedOfShares: [Int: ByteCount] = [:]
  /// Files that no key opens and that would be sealed with another key or come back in clear.
  var closedFiles = 0
  /// Files that stay sealed because their licence forbids media in clear.
  var sealedByLicense = 0
  /// The files whose protection changes in later runs.
  var laterProtected = (files: 0, bytes: ByteCount.zero)
  /// True if the files that must not be evicted exceed the budget by themselves. Nothing is evicted for them then.
  let isPermanent: Bool

  init(
    _ reconciliation: Reconciliation, seen: LibraryObservation, manifest: Manifest, options: PlanOptions, now: Timestamp
  ) {
    self.reconciliation = reconciliation
    self.seen = seen
    self.manifest = manifest
    self.options = options
    self.now = now
    steps = StepSlots(count: reconciliation.entries.count)
    naming = manifest.library.profile.rules(on: seen.fileSystem).naming
    ranking = Ranking(
      reconciliation, manifest: manifest, isContested: Self.isContested(reconciliation, seen, manifest), now: now)
    var inventory = StorageUsage(reconciliation, ranking, seen: seen, manifest: manifest, options: options, now: now)
    if options.mayDownload, options.isClockPlausible, inventory.exceedsMarks(manifest.storage) {
      let shrinkage = Shrinkage(reconciliation, seen: seen, minFree: manifest.storage.minFree)
      inventory.expect(shrinkage, reconciliation, manifest.storage, now: now)
    }
    self.inventory = inventory
    usedBefore = inventory.usedBefore
    let toCome = Self.pinnedToCome(reconciliation, inventory, manifest.downloads)
    let pinned = inventory.pinned + toCome.total
    pinnedOfShares = zip(inventory.pinnedOfShares, toCome.shares).map(+)
    pinsOverBudget = manifest.storage.budget.flatMap { pinned > $0 ? pinned - $0 : nil }
    isPermanent =
      manifest.storage.budget.map { [protected = inventory.protected] in max(pinned, protected) > $0 } ?? false
    let usage = RoomPlanner.Usage(
      used: inventory.usedBefore - inventory.going + inventory.coming - inventory.shrinking,
      free: seen.freeSpace + inventory.going, trash: inventory.emptyableTrash, protected: inventory.protected)
    room = RoomPlanner(
      policy: manifest.storage, usage, evictable: isPermanent ? [] : inventory.evictable, accounts: inventory.accounts)
  }

  /// The pinned bytes still to come, in total and for each playlist with a share, as far as sizes are known.
  private static func pinnedToCome(
    _ reconciliation: Reconciliation, _ inventory: StorageUsage, _ downloads: DownloadPolicy
  ) -> (total: ByteCount, shares: [ByteCount]) {
    var (total, shares) = (ByteCount.zero, inventory.accounts.map { _ in ByteCount.zero })
    for entry in reconciliation.entries(where: { ($0.isToFetch || $0.need == .returning) && $0.isPinned }) {
      guard let desired = entry.desired else { continue }
      let size = entry.expectedSize(desired, downloads)
      total += size
      if let account = inventory.account(of: entry) { shares[account] += size }
    }
    return (total, shares)
  }

  /// True if any item may have to be evicted or deferred for another.
  private static func isContested(
    _ reconciliation: Reconciliation, _ seen: LibraryObservation, _ manifest: Manifest
  ) -> Bool {
    if manifest.storage.budget != nil || reconciliation.playlists.contains(where: { $0.budget != nil }) { return true }
    let entries = reconciliation.entries
    var coming = ByteCount.zero
    for index in entries.indices where entries[index].isToFetch {
      if let desired = entries[index].desired { coming += entries[index].expectedSize(desired, manifest.downloads) }
    }
    return seen.freeSpace < manifest.storage.minFree + coming
  }

  // MARK: The three passes

  mutating func placeRemovals() {
    guard options.isClockPlausible else { return }
    for entry in reconciliation.entries(where: \.isToGo) where seen.stuck[entry.queued.id] == nil {
      guard case .remove(let reason) = entry.need, let file = entry.queued.state.storedFile else { continue }
      removals.append(
        .remove(
          RemovalStep(item(entry, reason), path: file.path, size: file.size, cause: reason.removalCause)))
    }
  }

  mutating func placeRest(_ parts: some PartRunner) {
    let evicted = Set(room.victims.map(\.position))
    for (order, entry) in reconciliation.entries.enumerated() {
      if entry.isKept, evicted.isEmpty || !evicted.contains(order) {
        if steps.isFree(order) { keep(entry, at: order) }
      } else {
        placeOther(entry, at: order)
      }
    }
    let misplaced = misplaced(parts)
    placeNames(evicted.isEmpty ? misplaced : misplaced.filter { !evicted.contains($0) }, evicted: evicted)
  }

  private mutating func keep(_ entry: Reconciliation.Entry, at order: Int) {
    switch entry.need {
    case .keep(.present) where !options.listsKept && !entry.hasFailedUpgrade: steps.passOver(order)
    case .keep(let reason), .remove(let reason): steps.set(.keep(item(entry, reason)), at: order)
    default: return
    }
  }

  private mutating func placeOther(_ entry: Reconciliation.Entry, at order: Int) {
    switch entry.need {
    case .remove where !options.isClockPlausible || seen.stuck[entry.queued.id] != nil: keep(entry, at: order)
    case .adopt(let adoptable, let reason):
      steps.set(.adopt(AdoptionStep(item(entry, reason), adoptable.file)), at: order)
    case .wait(let until):
      steps.set(.defer(DeferralStep(item(entry, .askedToWait(until: until)), bytes: nil, path: nil)), at: order)
    case .coolDown(let until):
      let deferral = DeferralStep(
        item(entry, .evictedLately(until: until)), bytes: entry.queued.state.lastFile?.size,
        path: entry.desired.map { expectedPath(of: $0) })
      steps.set(.defer(deferral), at: order)
    case .skip(let reason): steps.set(.skip(SkippedItem(entry.$queued, reason)), at: order)
    case .ignore where entry.isInScope:
      guard let reason = entry.unselected else { return }
      steps.set(.ignore(UnselectedItem(entry.$queued, reason)), at: order)
    default: return
    }
  }

  consuming func finished() -> Plan {
    let evictions = room.victims.map { victim in
      let entry = reconciliation.entries[victim.position]
      return Step.evict(RemovalStep(evicting: entry, item(entry, reasonToEvict(entry))))
    }
    var plan = Plan(
      generatedAt: now, steps: removals + evictions, bookkeeping: bookkeeping(), storage: forecast())
    plan.steps += steps.inOrder
    plan.unlistedKept = steps.passedOverCount
    plan.unlisted = reconciliation.unlisted
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

  func item(_ entry: Reconciliation.Entry, _ reason: Reason) -> PlannedItem {
    PlannedItem(entry, reason, manifest.storage.evict.score, at: now)
  }

  // MARK: Totals

  private func forecast() -> StorageForecast {
    StorageForecast(
      budget: manifest.storage.budget, before: usedBefore, after: usedAfter,
      partial: seen.partials.values.map(\.size).sum(), trash: seen.trashBytes, free: seen.freeSpace,
      deferred: deferredBytes, pinsOverBudget: pinsOverBudget, replaced: replacedBytes)
  }

  private var usedAfter: ByteCount { room.usedAfter - replacedBytes }

  /// The changes of the queue, with the newly deferred items recorded as deferred.
  private func bookkeeping() -> [QueueChange] {
    guard !newlyDeferred.isEmpty else { return reconciliation.bookkeeping }
    var left = newlyDeferred
    var changes = reconciliation.bookkeeping
    for index in changes.indices {
      if case .item(let item) = changes[index], let deferred = left.removeValue(forKey: item.id) {
        changes[index] = .item(deferred)
      }
    }
    return changes + left.values.sorted { $0.id < $1.id }.map { .item($0) }
  }

  private func strayPartials() -> [String] {
    inventory.idlePartials.union(deferredPartials).sorted()
  }

  private func warnings() -> [Warning] {
    var warnings: [Warning] = []
    if let budget = manifest.storage.budget, usedAfter > budget * manifest.storage.warnAt {
      warnings.append(.usageAboveWarning(used: usedAfter, budget: budget))
    }
    warnings += shortages()
    if laterProtected.files > 0 {
      warnings.append(.protectionGoesOn(files: laterProtected.files, laterProtected.bytes))
    }
    if options.protection.seals != nil, seen.clearTrashFiles > 0 {
      warnings.append(.trashInClear(files: seen.clearTrashFiles))
    }
    if closedFiles > 0 { warnings.append(.sealedFilesStay(closedFiles)) }
    if doomedKeys > 0 { warnings.append(.keysDestroyed(doomedKeys)) }
    if sealedByLicense > 0 { warnings.append(.sealedByLicense(sealedByLicense)) }
    warnings += seen.unreachableWarnings
    if seen.freeSpace < manifest.storage.minFree {
      warnings.append(.freeSpaceBelowMinimum(free: seen.freeSpace, minimum: manifest.storage.minFree))
    }
    for entry in reconciliation.entries(where: \.isToGo) where options.isClockPlausible {
      guard let error = seen.stuck[entry.queued.id], let file = entry.queued.state.storedFile else { continue }
      warnings.append(.notRemoved(path: file.path, error))
    }
    for entry in reconciliation.entries(where: \.isChangedByOthers) {
      if let file = entry.queued.state.storedFile { warnings.append(.changedByOthers(path: file.path)) }
    }
    return warnings
  }

  /// Warns about budgets that are exceeded although everything permitted was done to keep them.
  private func shortages() -> [Warning] {
    var warnings: [Warning] = []
    if let pinsOverBudget {
      warnings.append(.pinsOverBudget(lacking: pinsOverBudget))
    } else if let budget = manifest.storage.budget, usedAfter > budget, options.mayEvict, options.isClockPlausible {
      let isPermanent = inventory.protected > budget
      warnings.append(
        isPermanent
          ? .protectedOverBudget(lacking: inventory.protected - budget)
          : .overBudget(lacking: usedAfter - budget))
    }
    guard options.mayEvict, options.isClockPlausible else { return warnings }
    return warnings
      + room.accounts.enumerated().compactMap { index, account in
        let (used, pinned) = (account.used - (savedOfShares[index] ?? .zero), pinnedOfShares[index])
        if pinned > account.budget { return .pinsOverShare(account.playlist, lacking: pinned - account.budget) }
        return used > account.budget ? .playlistOverBudget(account.playlist, lacking: used - account.budget) : nil
      }
  }

  private func safetyStop() -> SafetyStop? {
    guard !removals.isEmpty else { return nil }
    let finished = reconciliation.entries.indices.count { reconciliation.entries[$0].queued.state.name == .completed }
    let limit = options.maxDelete.count(of: finished)
    if removals.count > limit {
      return .tooManyRemovals(count: removals.count, limit: limit, finished: finished, setBy: options.maxDeleteOrigin)
    }
    return Departures(reconciliation.playlists, now: now).stop(removals, reconciliation.entries, options)
  }
}

extension Reconciliation.Need {
  var reasonToFetch: Reason {
    if case .fetch(let reason) = self { reason } else { .roomAgain }
  }
}
