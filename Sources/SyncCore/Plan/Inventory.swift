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
  /// What is here and may not go for room, whatever it is that protects it.
  private(set) var protected: ByteCount = .zero
  private(set) var evictable: [Evictable] = []
  /// Partials that go whatever the room: nobody's, and those of what is not fetched that have lain there too long.
  private(set) var idlePartials: Set<String> = []
  /// Of playlists with a share of their own, with what is here of theirs.
  private(set) var accounts: [RoomPlanner.Account] = []
  private let accountOf: [PlaylistName: Int]
  /// Of each account, what is here and pinned.
  private(set) var pinnedOfShares: [ByteCount]
  /// That have lain there longer than they are to.
  private let oldPartials: Set<String>

  init(
    _ reconciliation: Reconciliation, seen: LibraryObservation, manifest: Manifest, options: PlanOptions,
    now: Timestamp
  ) {
    let policy = manifest.storage
    for playlist in manifest.playlists {
      guard let budget = playlist.budget?.bytes(of: policy.budget) else { continue }
      accounts.append(RoomPlanner.Account(playlist.name, budget: budget, used: .zero, marks: policy.evict))
    }
    accountOf = Dictionary(
      accounts.enumerated().map { ($1.playlist, $0) }, uniquingKeysWith: { first, _ in first })
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
    let entries = reconciliation.entries
    if options.mayEvict { evictable.reserveCapacity(entries.count) }
    for index in entries.indices { count(entries[index], seen, policy, options, now) }
  }

  private mutating func count(
    _ entry: Reconciliation.Entry, _ seen: LibraryObservation, _ policy: StoragePolicy, _ options: PlanOptions,
    _ now: Timestamp
  ) {
    let account = account(of: entry)
    if let account, let partial = entry.queued.state.partial, !idlePartials.contains(partial.name) {
      accounts[account].used += seen.partials[partial.name]?.size ?? .zero
    }
    if case .adopt(let adoptable, _) = entry.need {
      coming += adoptable.file.size
      if let account { accounts[account].used += adoptable.file.size }
      if entry.isPinned { pin(adoptable.file.size, account) }
    }
    guard let size = entry.queued.state.finishedSize, !entry.isChangedByOthers, !entry.isAtRest else { return }
    usedBefore += size
    if entry.isPinned { pin(size, account) }
    if entry.isToGo, options.isClockPlausible {
      // Into the trash it still counts; at once it does not.
      if policy.trashKeep == .zero { going += size } else { emptyableTrash += size }
      return
    }
    if let account { accounts[account].used += size }
    guard !entry.isProtected(at: now) else {
      protected += size
      if let account { accounts[account].protected += size }
      return
    }
    guard options.mayEvict, options.isClockPlausible, let completedAt = entry.queued.state.completedAt,
      now - completedAt >= policy.evict.minAge,
      let candidate = entry.asEvictable(policy, now: now, account: account)
    else { return }
    evictable.append(candidate)
  }

  private mutating func pin(_ bytes: ByteCount, _ account: Int?) {
    pinned += bytes
    if let account { pinnedOfShares[account] += bytes }
  }

  func isOld(_ partial: String) -> Bool { oldPartials.contains(partial) }

  private static func idlePartials(
    _ reconciliation: Reconciliation, seen: LibraryObservation, old: Set<String>
  ) -> Set<String> {
    var continued: Set<String> = []
    for entry in reconciliation.entries(where: { $0.queued.state.name != .completed }) {
      guard let name = entry.queued.state.partial?.name else { continue }
      if entry.mayBeFetched || !entry.isInScope || !old.contains(name) { continued.insert(name) }
    }
    return Set(seen.partials.keys.filter { !continued.contains($0) })
  }

  /// Of the first playlist that names an item: the one that lays it out.
  func account(of entry: Reconciliation.Entry) -> Int? {
    accounts.isEmpty ? nil : entry.queued.memberships.first.flatMap { accountOf[$0.playlist] }
  }
}

extension Reconciliation.Entry {
  /// Room is all that may be lacking for it.
  fileprivate var mayBeFetched: Bool { isToFetch || need == .returning }

  var isToFetch: Bool { if case .fetch = need { true } else { false } }
  var isKept: Bool { if case .keep = need { true } else { false } }
  var isToGo: Bool { if case .remove = need { true } else { false } }
  var isAtRest: Bool { if case .rest = need { true } else { false } }
  var isChangedByOthers: Bool { if case .keep(.changedByOthers) = need { true } else { false } }

  /// By the manifest or by command.
  var isPinned: Bool { $desired.map { $0.wrappedValue.isPinned } ?? false || queued.pinned }

  /// No want of room removes it: pinned, in progress, or held by a keep rule.
  func isProtected(at now: Timestamp) -> Bool {
    if case .kept? = retained { return true }
    return isPinned || queued.plays.isInProgress(at: now)
  }
}
