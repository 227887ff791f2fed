// SPDX-License-Identifier: Apache-2.0

extension PlanDraft {
  /// Places files of another quality into the room that everything else has left. Those that free the most room go
  /// first.
  mutating func placeUpgrades() {
    // An upgrade removes the old file, and nothing is removed while the clock is implausible.
    guard options.mayDownload, options.isClockPlausible else { return }
    let victims = Set(room.victims.map(\.position))
    let entries = reconciliation.entries
    var upgrades: [(order: Int, swap: UpgradeRoom.Swap)] = []
    for order in entries.indices where entries[order].quality != .asWanted {
      if case .waiting(_, let until) = entries[order].quality {
        let deferral = DeferralStep(
          item(entries[order], .askedToWait(until: until)), bytes: nil, path: entries[order].queued.state.finishedPath)
        steps.set(.defer(deferral), at: order)
        continue
      }
      // A misplaced file is moved before it is replaced.
      guard entries[order].quality.isUpgrade, !victims.contains(order),
        var swap = entries[order].swap(seen)
      else { continue }
      if let reason = reasonToKeep(entries[order]) {
        steps.set(
          .defer(
            DeferralStep(item(entries[order], reason), bytes: nil, path: entries[order].queued.state.finishedPath)),
          at: order)
        if let name = entries[order].queued.upgrade?.state.partial?.name, inventory.isOld(name) {
          deferredPartials.insert(name)
        }
        continue
      }
      swap.account = inventory.account(of: entries[order])
      swap.counted = inventory.shrinkage?.savings[order] ?? .zero
      upgrades.append((order, swap))
    }
    for upgrade in upgrades.sorted(by: { ($0.swap.growth, $0.order) < ($1.swap.growth, $1.order) }) {
      place(entries[upgrade.order], at: upgrade.order, upgrade.swap)
    }
  }

  private func reasonToKeep(_ entry: Reconciliation.Entry) -> Reason? {
    guard let desired = entry.desired else { return nil }
    return options.conditions.reasonToKeep(
      isPinned: entry.isPinned, entry.priority(desired), isBetter: entry.quality.isBetter)
  }

  private mutating func place(_ entry: Reconciliation.Entry, at order: Int, _ swap: UpgradeRoom.Swap) {
    guard let desired = entry.desired, let file = entry.queued.state.storedFile, let reason = entry.quality.reason
    else { return }
    let bytes = entry.isUpgradedSizeKnown ? swap.new - (begun(entry)?.offset ?? .zero) : nil
    var swap = swap
    var verdict = room.admit(swap)
    if case .deferred = verdict, !entry.isUpgradedSizeKnown {
      // A guessed size never excludes an item for good: the server is asked once, and its answer is checked against the
      // room.
      (swap.missing, swap.new) = (.zero, .zero)
      verdict = room.admit(swap)
    }
    if case .deferred(let shortage) = verdict {
      room.withdraw(swap)
      if let name = entry.queued.upgrade?.state.partial?.name, inventory.isOld(name) { deferredPartials.insert(name) }
      deferredBytes += swap.missing
      steps.set(.defer(DeferralStep(item(entry, shortage.reason), bytes: bytes, path: file.path)), at: order)
      return
    }
    if swap.new > .zero {
      replacedBytes += file.size
      if let account = swap.account, swap.new < swap.old {
        savedOfShares[account, default: .zero] += swap.old - swap.new
      }
    }
    let turn = FetchTurn(
      manifest.downloads.order, priority: entry.priority(desired), published: desired.item.published,
      bytes: swap.missing,
      position: order)
    var fetch = FetchStep(
      item(entry, reason), bytes: bytes, path: file.path, download(entry, desired, file, swap), turn: turn)
    fetch.group = .upgrade
    steps.set(.upgrade(fetch), at: order)
    fetched.append(order)
  }

  private func begun(_ entry: Reconciliation.Entry) -> RangeRequest? {
    guard manifest.features.resume, let desired = entry.desired else { return nil }
    return entry.queued.upgrade?.state.partial?.continuation(hasChecksum: desired.item.checksum != nil)
  }

  /// Uses only the candidate of the wanted quality, because the quality of alternatives is unknown, or the chosen one.
  private func download(
    _ entry: Reconciliation.Entry, _ desired: DesiredItem, _ file: StoredFile, _ swap: UpgradeRoom.Swap
  ) -> PlannedDownload {
    let playlists = desired.memberships.map(\.playlist)
    var task = TransferTask(
      id: entry.queued.id,
      candidates: manifest.alternatives.order(of: desired.item, chosen: entry.queued.choice?.candidate ?? .main),
      declaredSize: desired.item.size, checksum: desired.item.checksum,
      partial: entry.queued.upgrade?.state.partial)
    task.duration = desired.item.duration
    task.take(entry.queued.choice?.candidate)
    task.replacesFile = true
    task.preparations = manifest.preparations(isLicensed: desired.$license != nil)
    task.needsResolving = manifest.namesPages(playlists)
    var download = PlannedDownload(
      task: task, priority: .low, layout: desired.layout, fields: desired.fields,
      isFromSource: desired.isFromSource, playlists: playlists, room: swap.missing,
      present: entry.begunUpgrade(seen), replaced: file, makesRoom: swap.counted > .zero)
    download.goal = entry.quality.goal
    download.license = license(of: entry, desired)
    return download
  }
}

extension QualityVerdict {
  fileprivate var reason: Reason? {
    switch self {
    case .upgrade(.quality(let here, let wanted)): .otherQuality(from: here, to: wanted)
    case .upgrade(.candidate): .otherCandidate
    default: nil
    }
  }

  /// True for a file of a better quality than the present one.
  fileprivate var isBetter: Bool { qualities.map { $0.to.isAbove($0.from) } ?? false }

  fileprivate var goal: Upgrade.Goal? { if case .upgrade(let difference) = self { difference.goal } else { nil } }

  fileprivate var qualities: (from: Quality, to: Quality)? {
    if case .upgrade(.quality(let here, let wanted)) = self { (here, wanted) } else { nil }
  }
}

extension Reconciliation.Entry {
  fileprivate var isUpgradedSizeKnown: Bool { toldUpgradeSize != nil }

  /// The exact size declared in the manifest, or the size that the server stated.
  private var toldUpgradeSize: ByteCount? {
    if let size = $desired?.wrappedValue.item.exactSize { return size }
    return queued.upgrade?.state.partial?.total ?? queued.upgrade?.size
  }

  /// The expected size of the new file. If neither the manifest nor the server stated it, the old size is scaled by the
  /// bit rates.
  func upgradedSize(_ old: ByteCount) -> ByteCount {
    if let told = toldUpgradeSize { return told }
    guard let (here, wanted) = quality.qualities, let one = here.bitRate, let other = wanted.bitRate else { return old }
    return ByteCount(Int64(Double(old.bytes) * Double(other) / Double(one)))
  }
}
