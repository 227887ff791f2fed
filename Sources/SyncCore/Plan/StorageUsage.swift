// SPDX-License-Identifier: Apache-2.0

/// The bytes present in the library, and the files that may be evicted.
struct StorageUsage {
  /// Finished, partial and trash bytes.
  private(set) var usedBefore: ByteCount
  /// The part of `usedBefore` that is removed in any case: removals, expired trash, stray partials.
  private(set) var going: ByteCount = .zero
  /// The trash that remains after that and that the plan may empty. Zero if nothing may be removed.
  private(set) var emptyableTrash: ByteCount = .zero
  /// The bytes that adopted files add.
  private(set) var coming: ByteCount = .zero
  private(set) var pinned: ByteCount = .zero
  /// The bytes present that must not be evicted, for any reason.
  private(set) var protected: ByteCount = .zero
  private(set) var evictable: [Evictable] = []
  /// The lowest rank among the files that may be evicted later: they are too young, or cannot be examined now.
  private(set) var lowestLater: Rank?
  /// Partials that are removed in any case: those without an item, and those that are too old and whose item is not
  /// fetched.
  private(set) var idlePartials: Set<String> = []
  /// The playlists with a share of their own, with the bytes that they use.
  private(set) var accounts: [RoomPlanner.Account] = []
  private let accountOf: [PlaylistName: Int]
  /// The files present of each listing, whose items do not always declare a size.
  private var finishedOf: [PlaylistName: (files: Int, bytes: ByteCount)] = [:]
  private let listings: Set<PlaylistName>
  /// The pinned bytes present of each account.
  private(set) var pinnedOfShares: [ByteCount]
  /// Nil if no file has to become smaller for the budget.
  private(set) var shrinkage: Shrinkage?
  /// The bytes that all of it frees.
  private(set) var shrinking: ByteCount = .zero
  /// Partials that are older than `downloads.partials.keep`.
  private let oldPartials: Set<String>

  init(
    _ reconciliation: Reconciliation, _ ranking: Ranking, seen: LibraryObservation, manifest: Manifest,
    options: PlanOptions, now: Timestamp
  ) {
    let policy = manifest.storage
    for playlist in reconciliation.playlists {
      guard let budget = playlist.budget?.bytes(of: policy.budget) else { continue }
      accounts.append(RoomPlanner.Account(playlist.name, budget: budget, used: .zero, marks: policy.evict))
    }
    accountOf = Dictionary(
      accounts.enumerated().map { ($1.playlist, $0) }, uniquingKeysWith: { first, _ in first })
    listings = Set(reconciliation.playlists.filter(\.isListing).map(\.name))
    pinnedOfShares = accounts.map { _ in .zero }
    usedBefore = seen.partials.values.map(\.size).sum() + seen.trashBytes
    if options.isClockPlausible {
      going += seen.expiredTrashBytes
      emptyableTrash = seen.trashBytes - seen.expiredTrashBytes
    }
    let kept = manifest.downloads.partialsKeep
    oldPartials =
      options.isClockPlausible ? Set(seen.partials.filter { now - $0.value.modifiedAt > kept }.keys) : []
    idlePartials = Self.idlePartials(reconciliation, seen: seen, old: oldPartials)
    going += idlePartials.compactMap { seen.partials[$0]?.size }.sum()
    if options.mayEvict { evictable.reserveCapacity(reconciliation.entries.count) }
    for (index, entry) in reconciliation.entries.enumerated() {
      let file = count(entry, seen, policy, options, now)
      guard file != nil || entry.isUnreachable, let rank = ranking.rank(of: entry, at: index) else { continue }
      if let file, !ranking.isTooYoung(entry, at: index) {
        var victim = Evictable(
          id: entry.queued.id, position: index, size: file.size, rank: rank, account: file.account)
        victim.isWanted = entry.$desired != nil && entry.unselected == nil
        evictable.append(victim)
      } else {
        lowestLater = lowestLater.map { min($0, rank) } ?? rank
      }
    }
  }

  /// True if the library, or a playlist's share of it, is above `trigger`.
  func exceedsMarks(_ policy: StoragePolicy) -> Bool {
    policy.budget.map { usedBefore - going + coming > $0 * policy.evict.trigger } ?? false
      || accounts.contains { $0.used > $0.ceiling }
  }

  /// Counts files that are to be replaced by smaller ones with the sizes of these.
  mutating func expect(
    _ shrinkage: Shrinkage, _ reconciliation: Reconciliation, _ policy: StoragePolicy, now: Timestamp
  ) {
    var savings: [ItemID: ByteCount] = [:]
    for (order, saving) in shrinkage.savings {
      let entry = reconciliation.entries[order]
      let account = account(of: entry)
      shrinking += saving
      savings[entry.queued.id] = saving
      if let account { accounts[account].used -= saving }
      if entry.isPinned {
        pinned -= saving
        if let account { pinnedOfShares[account] -= saving }
      }
      if entry.isProtected(policy.evict, at: now) {
        protected -= saving
        if let account { accounts[account].protected -= saving }
      }
    }
    for index in evictable.indices { evictable[index].size -= savings[evictable[index].id] ?? .zero }
    self.shrinkage = shrinkage
  }

  /// Counts the bytes of one item.
  /// - Returns: The size and the account of its file, if nothing but its age may protect the file from eviction.
  private mutating func count(
    _ entry: Reconciliation.Entry, _ seen: LibraryObservation, _ policy: StoragePolicy, _ options: PlanOptions,
    _ now: Timestamp
  ) -> (size: ByteCount, account: Int?)? {
    let account = account(of: entry)
    if let account, let partial = entry.queued.partial, !idlePartials.contains(partial.name) {
      accounts[account].used += seen.partials[partial.name]?.size ?? .zero
    }
    if case .adopt(let adoptable, _) = entry.need {
      coming += adoptable.file.size
      if let account { accounts[account].used += adoptable.file.size }
      if entry.isPinned { pin(adoptable.file.size, account) }
    }
    guard let size = entry.queued.state.finishedSize, !entry.isChangedByOthers, !entry.isIgnored else { return nil }
    usedBefore += size
    if !listings.isEmpty { note(size, of: entry) }
    if entry.isPinned { pin(size, account) }
    let isStuck = seen.stuck[entry.queued.id] != nil
    if entry.isToGo, options.isClockPlausible, !isStuck {
      // A file moved into the trash still counts. A file deleted at once does not.
      if policy.trashKeep == .zero { going += size } else { emptyableTrash += size }
      return nil
    }
    if let account { accounts[account].used += size }
    guard !isStuck, !entry.isProtected(policy.evict, at: now) else {
      protected += size
      if let account { accounts[account].protected += size }
      return nil
    }
    return options.mayEvict && options.isClockPlausible && !entry.isToGo ? (size, account) : nil
  }

  private mutating func note(_ size: ByteCount, of entry: Reconciliation.Entry) {
    guard let playlist = entry.firstPlaylist, listings.contains(playlist) else { return }
    finishedOf[playlist, default: (0, .zero)].files += 1
    finishedOf[playlist, default: (0, .zero)].bytes += size
  }

  private mutating func pin(_ bytes: ByteCount, _ account: Int?) {
    pinned += bytes
    if let account { pinnedOfShares[account] += bytes }
  }

  func isOld(_ partial: String) -> Bool { oldPartials.contains(partial) }

  private static func idlePartials(
    _ reconciliation: Reconciliation, seen: LibraryObservation, old: Set<String>
  ) -> Set<String> {
    guard !seen.partials.isEmpty else { return [] }
    var continued: Set<String> = []
    for entry in reconciliation.entries(where: \.mayHavePartial) {
      guard let name = entry.queued.partial?.name else { continue }
      let isToGoOn = entry.mayBeFetched || entry.quality.isUpgrade || entry.queued.state.name == .paused
      if isToGoOn || !entry.isInScope || !old.contains(name) { continued.insert(name) }
    }
    return Set(seen.partials.keys.filter { !continued.contains($0) })
  }

  /// The mean size of the files of an item's playlist. Nil if it has none.
  func usualSize(of entry: Reconciliation.Entry) -> ByteCount? {
    guard let playlist = entry.firstPlaylist, let known = finishedOf[playlist] else { return nil }
    return ByteCount(known.bytes.bytes / Int64(known.files))
  }

  /// The account of the first playlist that names an item, which also determines the item's place.
  func account(of entry: Reconciliation.Entry) -> Int? {
    accounts.isEmpty ? nil : entry.firstPlaylist.flatMap { accountOf[$0] }
  }
}

extension Reconciliation.Entry {
  fileprivate var mayHavePartial: Bool {
    $queued.wrappedValue.state.name != .completed || $queued.wrappedValue.$upgrade != nil
  }
}
