// SPDX-License-Identifier: Apache-2.0

/// An item to fetch, with its position among the entries and its turn in the fetch order.
struct WantedEntry {
  let order: Int
  let turn: FetchTurn
  let isPinned: Bool
  let claim: RoomPlanner.Claim
  let rank: Rank

  /// Pinned items come first, then higher scores, then the fetch order. Otherwise a later plan would evict an item that
  /// this plan fetched to make room for one that this plan left out.
  func getsRoomBefore(_ other: WantedEntry) -> Bool {
    if isPinned != other.isPinned { return isPinned }
    return rank.score == other.rank.score ? turn < other.turn : rank.score > other.rank.score
  }
}

extension PlanDraft {
  /// First places items that are new or requested, for which other files may be evicted. Then places items deferred
  /// earlier into the room that is left below `target`.
  mutating func placeWants() {
    let wants = held(wants())
    var fresh = wants.filter { $0.claim == .fresh }.sorted { $0.getsRoomBefore($1) }
    fetched.reserveCapacity(fresh.count)
    var victims: Int
    // Evictions for one item go down to `target`, so they may leave room for an item that had none before.
    repeat {
      victims = room.victimCount
      fresh.removeAll { place($0, isLastTry: false) }
    } while room.victimCount > victims
    room.spareNeedless()
    for want in fresh { place(want) }
    room.lineUpVictims()
    for want in wants.filter({ $0.claim != .fresh }).sorted(by: { $0.rank > $1.rank }) {
      if case .coolDown(let until) = reconciliation.entries[want.order].need {
        reserve(want, until: until)
      } else {
        place(want)
      }
    }
  }

  /// Defers what is not fetched now because of the battery or the network. It gets no room.
  /// - Returns: The others.
  private mutating func held(_ wants: [WantedEntry]) -> [WantedEntry] {
    guard let restraint = options.conditions.restraint else { return wants }
    return wants.filter { want in
      let entry = reconciliation.entries[want.order]
      if case .coolDown = entry.need { return true }
      guard let desired = entry.desired, restraint.holdsBack(isPinned: want.isPinned, entry.priority(desired)) else {
        return true
      }
      guard options.mayDownload else { return false }
      let size = entry.expectedSize(desired, manifest.downloads)
      let bytes = size > .zero ? size - (range(entry, desired)?.offset ?? .zero) : nil
      keepForLater(want, entry, desired, restraint.reason, bytes: bytes)
      return false
    }
  }

  private func wants() -> [WantedEntry] {
    let entries = reconciliation.entries
    let wants = entries.indices.filter { entries[$0].asksForRoom }.compactMap { want(entries[$0], $0) }
    let waiting = wants.filter { $0.claim != .fresh }
    guard !waiting.isEmpty else { return wants }
    let absent = waiting.filter { if case .coolDown = entries[$0.order].need { true } else { false } }
    var parts: [PlaylistName: Rank] = [:]
    for want in waiting {
      guard ranking.isPartOfStory(entries[want.order]), let name = entries[want.order].firstPlaylist else { continue }
      parts[name] = parts[name].map { max($0, want.rank) } ?? want.rank
    }
    return wants.map { want in
      let entry = entries[want.order]
      guard want.claim == .fresh, !want.isPinned, !entry.isRequested,
        isBehind(entry, want, parts) || absent.contains(where: { madeWay($0, ahead: want) })
      else { return want }
      return WantedEntry(order: want.order, turn: want.turn, isPinned: false, claim: .backlog, rank: want.rank)
    }
  }

  /// True if an earlier part of the same story is waiting. New parts of a story do not overtake waiting ones.
  private func isBehind(_ entry: Reconciliation.Entry, _ want: WantedEntry, _ parts: [PlaylistName: Rank]) -> Bool {
    guard ranking.isPartOfStory(entry), let first = entry.firstPlaylist.flatMap({ parts[$0] })
    else { return false }
    return want.rank < first
  }

  /// True if a file that ranks above this item was evicted while the item was already waiting. The item does not get
  /// that room now.
  private func madeWay(_ absent: WantedEntry, ahead want: WantedEntry) -> Bool {
    let (gone, entry) = (reconciliation.entries[absent.order], reconciliation.entries[want.order])
    guard absent.rank > want.rank, case .removed(let removal) = gone.queued.state, removal.at >= entry.queued.queuedAt,
      entry.isWaiting
    else { return false }
    guard let index = inventory.account(of: gone), index != inventory.account(of: entry) else { return true }
    let account = inventory.accounts[index]
    return account.used + (removal.file?.size ?? .zero) <= account.goal
  }

  private func want(_ entry: Reconciliation.Entry, _ order: Int) -> WantedEntry? {
    guard let desired = entry.desired, let rank = ranking.rank(of: entry, at: order) else { return nil }
    let offset = range(entry, desired)?.offset ?? .zero
    let turn = FetchTurn(
      manifest.downloads.order, priority: entry.priority(desired), published: desired.item.published,
      bytes: entry.expectedSize(desired, manifest.downloads) - offset, position: order)
    return WantedEntry(order: order, turn: turn, isPinned: entry.isPinned, claim: entry.claim, rank: rank)
  }

  private func range(_ entry: Reconciliation.Entry, _ desired: DesiredItem) -> RangeRequest? {
    guard manifest.features.resume else { return nil }
    return entry.queued.state.partial?.continuation(hasChecksum: desired.item.checksum != nil)
  }

  /// Keeps room for an item that was evicted lately and does not come back yet. Items that rank lower do not get this
  /// room.
  private mutating func reserve(_ wanted: WantedEntry, until: Timestamp) {
    let entry = reconciliation.entries[wanted.order]
    guard options.mayDownload, let size = entry.queued.state.lastFile?.size else { return }
    room.reserve(
      for: Evictable(
        id: entry.queued.id, position: wanted.order, size: size, rank: wanted.rank,
        account: inventory.account(of: entry)),
      until: until)
  }

  /// Admits an item if there is room for it. Otherwise defers it on the last try.
  @discardableResult
  private mutating func place(_ wanted: WantedEntry, isLastTry: Bool = true) -> Bool {
    let entry = reconciliation.entries[wanted.order]
    guard options.mayDownload, let desired = entry.desired else { return true }
    let whole = entry.expectedSize(desired, manifest.downloads)
    let announced = whole - (range(entry, desired)?.offset ?? .zero)
    // A partial may be longer than the part that can be continued. The rest is overwritten.
    let present = entry.queued.state.partial.flatMap { seen.partials[$0.name]?.size } ?? .zero
    var want = RoomPlanner.Want(
      asFinished: Evictable(
        id: entry.queued.id, position: wanted.order, size: whole, rank: wanted.rank,
        account: inventory.account(of: entry)),
      missing: max(whole, present) - present, claim: wanted.claim, isPinned: wanted.isPinned)
    var verdict = RoomPlanner.Verdict.admitted
    var isSizeKnown = whole > .zero
    if !isSizeKnown, let guess = inventory.usualSize(of: entry) {
      (want.missing, want.asFinished.size) = (max(guess, present) - present, guess)
      verdict = room.admit(want)
      if case .deferred = verdict, wanted.claim == .fresh {
        (want.missing, want.asFinished.size) = (.zero, .zero)
        verdict = room.admit(want)
      }
    } else {
      verdict = room.admit(want)
    }
    if case .deferred(.freeSpace) = verdict, isHearsay(entry, desired) {
      // The server may state another size, which is then checked against the free space.
      (want.missing, want.asFinished.size, isSizeKnown) = (.zero, .zero, false)
      verdict = room.admit(want)
    }
    switch verdict {
    case .admitted:
      begin(wanted, entry, desired, bytes: isSizeKnown ? announced : nil, room: want.missing, present: present)
      return true
    case .deferred(let shortage):
      guard isLastTry else { return false }
      deferWant(wanted, entry, desired, shortage, bytes: announced)
      return false
    }
  }

  private mutating func begin(
    _ wanted: WantedEntry, _ entry: Reconciliation.Entry, _ desired: DesiredItem, bytes: ByteCount?, room: ByteCount,
    present: ByteCount
  ) {
    let reason = entry.need.reasonToFetch
    var fetch = FetchStep(
      item(entry, reason), bytes: bytes, path: expectedPath(of: desired),
      planned(entry, desired, room: room, present: present), turn: wanted.turn)
    fetch.isResumed = range(entry, desired) != nil
    // Items that failed in an earlier run go last, lest a few bad files block their host for the good ones.
    if entry.need == .returning || reason == .failedBefore { fetch.group = .later }
    steps.set(.download(fetch), at: wanted.order)
    fetched.append(wanted.order)
  }

  private mutating func deferWant(
    _ wanted: WantedEntry, _ entry: Reconciliation.Entry, _ desired: DesiredItem, _ shortage: RoomShortage,
    bytes: ByteCount
  ) {
    keepForLater(wanted, entry, desired, shortage.reason, bytes: bytes)
    guard isForGood(shortage, wanted), case .queued(var pending) = entry.queued.state, !pending.isDeferred,
      !pending.isRequested
    else { return }
    pending.isDeferred = true
    var queued = entry.queued
    queued.requeue(pending)
    queued.updatedAt = now
    newlyDeferred[queued.id] = queued
  }

  private mutating func keepForLater(
    _ wanted: WantedEntry, _ entry: Reconciliation.Entry, _ desired: DesiredItem, _ reason: Reason, bytes: ByteCount?
  ) {
    if let name = entry.queued.state.partial?.name, inventory.isOld(name) { deferredPartials.insert(name) }
    deferredBytes += bytes ?? .zero
    let deferral = DeferralStep(item(entry, reason), bytes: bytes, path: expectedPath(of: desired))
    steps.set(.defer(deferral), at: wanted.order)
  }

  /// True if the shortage does not pass by itself and is not due to this run's options. The item then joins the
  /// backlog, which comes only into room below `target`.
  private func isForGood(_ shortage: RoomShortage, _ wanted: WantedEntry) -> Bool {
    if case .freeSpace = shortage { return false }
    guard options.mayEvict, options.isClockPlausible, !isPermanent, !wanted.isPinned else { return false }
    return inventory.lowestLater.map { wanted.rank < $0 } ?? true
  }

  func expectedPath(of desired: DesiredItem) -> LibraryPath {
    desired.layout.path(
      desired.fields, fileExtension: manifest.expectedExtension(of: desired.item), naming: naming)
  }

  private func planned(
    _ entry: Reconciliation.Entry, _ desired: DesiredItem, room: ByteCount, present: ByteCount
  ) -> PlannedDownload {
    let playlists = desired.memberships.map(\.playlist)
    var task = TransferTask(
      id: entry.queued.id,
      candidates: manifest.alternatives.order(of: desired.item, chosen: entry.queued.choice?.candidate),
      declaredSize: desired.item.size, checksum: desired.item.checksum, partial: entry.queued.state.partial)
    task.duration = desired.item.duration
    task.take(entry.queued.choice?.candidate)
    task.preparations = manifest.preparations(isLicensed: desired.$license != nil)
    task.mayBeImage = manifest.asksForImages(playlists)
    task.needsResolving = manifest.namesPages(playlists)
    if task.candidates.contains(where: \.candidate.url.isSearch) {
      task.search = ItemSearch(desired.item, manifest.alternatives)
    }
    var download = PlannedDownload(
      task: task, priority: manifest.downloads.order == .priority ? entry.priority(desired) : .normal,
      layout: desired.layout, fields: desired.fields,
      isFromSource: desired.isFromSource, playlists: playlists, room: room,
      present: present)
    download.license = license(of: entry, desired)
    return download
  }

  /// True if only a source has stated the size of the item.
  private func isHearsay(_ entry: Reconciliation.Entry, _ desired: DesiredItem) -> Bool {
    if case .removed(let removal) = entry.queued.state, removal.file != nil { return false }
    guard case .about? = desired.item.size, desired.isFromSource, entry.queued.item.size == nil else { return false }
    return entry.queued.state.partial?.total == nil
  }
}

extension Reconciliation.Entry {
  /// A pin or a command overrides an earlier deferral.
  fileprivate var claim: RoomPlanner.Claim {
    switch need {
    case .returning, .coolDown: return .returning
    default:
      guard case .queued(let pending) = queued.state, pending.isDeferred else { return .fresh }
      return pending.isRequested || isPinned ? .fresh : .backlog
    }
  }
}
