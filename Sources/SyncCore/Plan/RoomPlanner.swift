// SPDX-License-Identifier: Apache-2.0

/// Decides which items are fetched, evicted or deferred (docs/manual/policy.md).
///
/// Wants are admitted in the order given. Nothing is evicted until the next want would lift the usage above `trigger`.
/// Then files go in eviction order until the usage, including that want, is down to `target`. Every evicted file ranks
/// below every item that is admitted into the same room: the whole budget, or a playlist's share. Admitted items never
/// exceed `trigger`, so the next plan has nothing left to evict.
///
/// Items deferred earlier come only into room below `target`, in the order of their rank. An evicted file keeps its
/// place in that order: no item that ranks lower takes the room that it is waiting for.
package struct RoomPlanner: Sendable {
  /// An item to fetch.
  package struct Want: Sendable {
    /// The item as if it were finished now. `size` is the whole size, zero if unknown.
    package var asFinished: Evictable
    /// The bytes still to come. Zero if unknown.
    package var missing: ByteCount
    package var claim: Claim
    package var isPinned: Bool
    package init(asFinished: Evictable, missing: ByteCount, claim: Claim = .fresh, isPinned: Bool = false) {
      self.asFinished = asFinished
      self.missing = missing
      self.claim = claim
      self.isPinned = isPinned
    }
    var rank: Rank { asFinished.rank }
  }

  /// The room into which an item may come.
  package enum Claim: Hashable, Sendable {
    /// New, requested or begun: may fill the room up to `trigger`, and lower-ranking files are evicted for it.
    case fresh
    /// Deferred by an earlier plan: only below `target`, and nothing is evicted for it.
    case backlog
    /// Evicted once: as `backlog`.
    case returning
  }

  /// A playlist with a share of its own. The limits of eviction are the same shares of it as of the whole budget.
  package struct Account: Equatable, Sendable {
    package let playlist: PlaylistName
    package let budget: ByteCount
    package let ceiling: ByteCount
    package let goal: ByteCount
    /// Finished and partial bytes.
    package var used: ByteCount
    /// The part of `used` that must not be evicted.
    package var protected = ByteCount.zero
    /// True if the files that must not be evicted exceed the share by themselves. Nothing is evicted for them then.
    var isPermanent: Bool { protected > budget }

    package init(_ playlist: PlaylistName, budget: ByteCount, used: ByteCount, marks: StoragePolicy.Eviction) {
      self.playlist = playlist
      self.budget = budget
      ceiling = budget * marks.trigger
      goal = budget * marks.target
      self.used = used
    }
  }

  package enum Verdict: Equatable, Sendable {
    case admitted
    case deferred(RoomShortage)
  }

  private let policy: StoragePolicy
  private let ceiling: ByteCount?
  private let goal: ByteCount?
  private var used: ByteCount
  private var free: ByteCount
  /// The bytes of the files that admitted upgrades replace.
  private var replaced = ByteCount.zero
  /// The bytes that admitted upgrades take of each share, until the replaced files are gone.
  private var upgrades: [Int: ByteCount] = [:]
  private let minFree: ByteCount
  private var emptyableTrash: ByteCount
  private let evictable: [Evictable]
  /// The bytes that must not be evicted in any case.
  private let protected: ByteCount
  /// Created when the first file must be evicted, because sorting all files is most of the work.
  private var line: EvictionOrder?
  /// The accounts after all decisions so far.
  package private(set) var accounts: [Account]
  /// The victims that are evicted because their playlist exceeds its share.
  package private(set) var overShare: [ItemID: PlaylistName] = [:]
  /// The lowest rank admitted into each room. Pinned items do not count.
  private var lowestAdmitted: Rooms<Rank>
  /// The highest rank evicted from each room.
  private var highestVictim: Rooms<Rank>
  /// The highest-ranking evicted file that waits for each room and does not fit.
  private var firstInLine: Rooms<Evictable>
  /// The room below `target` that is reserved for files that were evicted lately.
  private var reserved: Rooms<ByteCount>
  /// The time until which the last of that room is reserved.
  private var reservedUntil: Rooms<Timestamp>

  /// The bytes of the library and its file system before the first decision.
  package struct Usage: Sendable {
    /// Finished, partial and trash bytes, without files that are removed in any case.
    package var used: ByteCount
    /// The free space on the file system, including files that are removed in any case.
    package var free: ByteCount
    /// The part of `used` that can be emptied.
    package var trash: ByteCount
    /// The part of `used` that must not be evicted, for any reason.
    package var protected: ByteCount

    package init(used: ByteCount, free: ByteCount, trash: ByteCount = .zero, protected: ByteCount = .zero) {
      self.used = used
      self.free = free
      self.trash = trash
      self.protected = protected
    }
  }

  /// - Parameters:
  ///   - evictable: The files that may be evicted. Empty if eviction is off or forbidden.
  ///   - accounts: The accounts to which `account` of the files and wants refers.
  package init(policy: StoragePolicy, _ usage: Usage, evictable: [Evictable], accounts: [Account] = []) {
    self.policy = policy
    ceiling = policy.budget.map { $0 * policy.evict.trigger }
    goal = policy.budget.map { $0 * policy.evict.target }
    minFree = policy.minFree
    used = usage.used
    free = usage.free
    emptyableTrash = usage.trash
    protected = usage.protected
    self.accounts = accounts
    lowestAdmitted = Rooms(accounts: accounts.count)
    highestVictim = Rooms(accounts: accounts.count)
    firstInLine = Rooms(accounts: accounts.count)
    reserved = Rooms(accounts: accounts.count)
    reservedUntil = Rooms(accounts: accounts.count)
    self.evictable = evictable
    for index in accounts.indices where accounts[index].used > accounts[index].ceiling && !accounts[index].isPermanent {
      makeRoom(accounts[index].used - accounts[index].goal, in: index, before: nil)
    }
    if let ceiling, let goal, used > ceiling { makeRoom(used - goal, before: nil) }
  }

  package var victims: [Evictable] { line?.chosen ?? [] }
  package var victimCount: Int { line?.chosenCount ?? 0 }
  /// True if the trash must be emptied to make room.
  package private(set) var emptiesTrash = false
  /// The used bytes after all decisions so far.
  package var usedAfter: ByteCount { used }

  package mutating func admit(_ want: Want) -> Verdict {
    let shortage = want.claim == .fresh ? shortage(of: want) : shortageBelowTarget(of: want)
    if let shortage {
      if want.claim == .returning, goal.map({ protected + want.asFinished.size <= $0 }) ?? true {
        lineUp(want.asFinished)
      }
      return .deferred(shortage)
    }
    if let index = want.asFinished.account {
      let account = accounts[index]
      if account.used + want.missing > account.ceiling {
        makeRoom(account.used + want.missing - account.goal, in: index, before: bound(want, index))
      }
      accounts[index].used += want.missing
    }
    if want.claim == .backlog, lackingBelowTarget(want.missing, nil, isReserving: true) > .zero { emptyTrash() }
    let bound = bound(want)
    if let ceiling, let goal, used + want.missing > ceiling { makeRoom(used + want.missing - goal, before: bound) }
    if free < minFree + want.missing { makeRoom(minFree + want.missing - free, before: bound) }
    used += want.missing
    free -= want.missing
    if !want.isPinned { lowestAdmitted.note(want.rank, of: want.asFinished.account) { min($0, $1) } }
    return .admitted
  }

  /// Admits a file that replaces another, if there is room for it. Nothing is evicted for it.
  package mutating func admit(_ swap: UpgradeRoom.Swap) -> Verdict {
    var share = swap.account.map { accounts[$0] }
    share?.used += swap.account.flatMap { upgrades[$0] } ?? .zero
    let room = UpgradeRoom(
      policy: policy, used: used + (reserved[nil] ?? .zero), replaced: replaced, free: free, share: share)
    if let shortage = room.shortage(of: swap) { return .deferred(shortage) }
    withdraw(swap)
    used += swap.missing
    free -= swap.missing
    replaced += swap.old
    if let account = swap.account { upgrades[account, default: .zero] += swap.missing }
    return .admitted
  }

  /// Counts the present file of a replacement in full again, because both files are there for a while, or because it
  /// stays.
  mutating func withdraw(_ swap: UpgradeRoom.Swap) {
    used += swap.counted
    if let account = swap.account { accounts[account].used += swap.counted }
  }

  /// Reserves room below `target` for a file that was evicted lately and is still away.
  /// - Parameter until: The time when it may return.
  package mutating func reserve(for absent: Evictable, until: Timestamp) {
    let want = Want(asFinished: absent, missing: absent.size, claim: .returning)
    guard shortageBelowTarget(of: want) == nil else { return lineUp(absent) }
    reserved.note(absent.size, of: absent.account) { $0 + $1 }
    reservedUntil.note(until, of: absent.account) { max($0, $1) }
  }

  /// Spares victims that would fit back into the room below `target`, because the victims behind them freed more than
  /// was needed. Call it after all wants for which files may be evicted.
  package mutating func spareNeedless() {
    let aboveMinimum = free - minFree
    guard var line else { return }
    let before = line.chosenBytes
    line.spare(upTo: goal.map { min($0 - used, aboveMinimum) } ?? aboveMinimum) { victim in
      guard let index = victim.account else { return true }
      guard accounts[index].used + victim.size <= accounts[index].goal else { return false }
      accounts[index].used += victim.size
      return true
    }
    let spared = before - line.chosenBytes
    self.line = line
    used += spared
    free -= spared
    highestVictim = Rooms(accounts: accounts.count)
    for victim in line.chosen where victim.isWanted { note(victim) }
  }

  /// Puts the victims first in line for the room below `target`. Call it before anything is admitted into that room.
  package mutating func lineUpVictims() {
    for victim in victims where victim.isWanted { lineUp(victim) }
  }

  private mutating func note(_ victim: Evictable) {
    let isOfShare = overShare[victim.id] != nil
    highestVictim.note(victim.rank, of: isOfShare ? victim.account : nil, isForAll: !isOfShare) { max($0, $1) }
  }

  /// Notes an evicted file that finds no room. If its playlist's own share has no room for it, it holds up no other
  /// playlist.
  private mutating func lineUp(_ absent: Evictable) {
    let higher = { (one: Evictable, other: Evictable) in one.goesBefore(other) ? other : one }
    guard let index = absent.account else { return firstInLine.note(absent, higher) }
    let account = accounts[index]
    firstInLine.note(absent, of: index, isForAll: account.used + absent.size <= account.goal, higher)
  }

  /// Only files below this rank may be evicted for the want: its own rank or the lowest admitted one. Nil if all may be
  /// evicted.
  private func bound(_ want: Want, _ account: Int? = nil) -> Rank? {
    guard !want.isPinned else { return nil }
    return lowestAdmitted[account].map { min($0, want.rank) } ?? want.rank
  }

  private func shortageBelowTarget(of want: Want) -> RoomShortage? {
    let account = want.asFinished.account
    // The trash goes before a download has to wait. Files that were evicted do not come back at its expense.
    let isBacklog = want.claim == .backlog
    let first = [firstInLine[nil], account.flatMap { firstInLine[$0] }].compactMap(\.self).max { $0.goesBefore($1) }
    let claimed = first.flatMap { want.asFinished.goesBefore($0) ? $0.size : nil }
    let held = max(reserved[nil] ?? .zero, account.flatMap { reserved[$0] } ?? .zero) + (claimed ?? .zero)
    let lacking = lackingBelowTarget(
      want.missing + (claimed ?? .zero), account, isReserving: true, inTrash: isBacklog)
    guard lacking > .zero || claimed != nil else { return nil }
    if lackingBelowTarget(want.missing, account, isReserving: false, inTrash: isBacklog) <= .zero {
      let until = [reservedUntil[nil], account.flatMap { reservedUntil[$0] }].compactMap(\.self).max()
      return .heldBack(held, until: claimed == nil ? until : nil)
    }
    return want.claim == .returning ? .noRoomToReturn : .belowTarget(lacking: lacking)
  }

  /// The bytes by which `needed` exceeds the room below `target`. Negative or zero if it fits.
  /// - Parameter inTrash: True if the bytes of the trash are room.
  private func lackingBelowTarget(
    _ needed: ByteCount, _ account: Int?, isReserving: Bool, inTrash: Bool = false
  ) -> ByteCount {
    let reserved = isReserving ? reserved : Rooms(accounts: accounts.count)
    let (whole, needed) = (needed, inTrash ? needed - emptyableTrash : needed)
    var lacking = minFree + (reserved[nil] ?? .zero) + needed - free
    if let goal { lacking = max(lacking, used + (reserved[nil] ?? .zero) + needed - goal) }
    if let account {
      let share = accounts[account]
      // The trash belongs to no share.
      lacking = max(lacking, share.used + (reserved[account] ?? .zero) + whole - share.goal)
    }
    return lacking
  }

  private mutating func shortage(of want: Want) -> RoomShortage? {
    if !want.isPinned, let shortage = shortageByRank(of: want) { return shortage }
    if let index = want.asFinished.account {
      let account = accounts[index]
      if account.used + want.missing > account.ceiling {
        let bound = bound(want, index)
        let freeable = account.isPermanent ? .zero : inLine { $0.available(before: bound, account: index) }
        let most = account.ceiling + freeable
        if account.used + want.missing > most {
          return .playlist(account.playlist, lacking: account.used + want.missing - most)
        }
      }
    }
    let isInBudget = ceiling.map { used + want.missing <= $0 } ?? true
    if isInBudget, free >= minFree + want.missing { return nil }
    let bound = bound(want)
    let freeable = inLine { $0.available(before: bound) } + emptyableTrash
    if let ceiling, used + want.missing > ceiling + freeable {
      return .budget(lacking: used + want.missing - (ceiling + freeable))
    }
    if free + freeable < minFree + want.missing {
      return .freeSpace(lacking: minFree + want.missing - (free + freeable))
    }
    return nil
  }

  /// The shortage of a want that ranks below a file that was evicted from the same room and is still wanted.
  private func shortageByRank(of want: Want) -> RoomShortage? {
    let account = want.asFinished.account
    let victims = [highestVictim[nil], account.flatMap { highestVictim[$0] }].compactMap(\.self)
    guard let highest = victims.max(), want.rank < highest else { return nil }
    return .belowTarget(lacking: goal.map { max(used + want.missing - $0, want.missing) } ?? want.missing)
  }

  private mutating func makeRoom(_ bytes: ByteCount, before bound: Rank?) {
    let needed = bytes - emptyTrash()
    guard needed > .zero else { return }
    let victims = inLine { $0.choose(freeing: needed, before: bound) }
    for victim in victims where victim.isWanted { note(victim) }
    give(victims)
  }

  /// - Returns: The bytes that it frees.
  @discardableResult
  private mutating func emptyTrash() -> ByteCount {
    guard emptyableTrash > .zero else { return .zero }
    defer { emptyableTrash = .zero }
    emptiesTrash = true
    release(emptyableTrash)
    return emptyableTrash
  }

  /// Evicts files of one playlist only.
  private mutating func makeRoom(_ bytes: ByteCount, in account: Int, before bound: Rank?) {
    let victims = inLine { $0.choose(freeing: bytes, before: bound, account: account) }
    for victim in victims {
      overShare[victim.id] = accounts[account].playlist
      if victim.isWanted { note(victim) }
    }
    give(victims)
  }

  private mutating func inLine<Result>(_ body: (inout EvictionOrder) -> Result) -> Result {
    var line = line.take() ?? EvictionOrder(evictable, accounts: accounts.count)
    defer { self.line = line }
    return body(&line)
  }

  private mutating func give(_ victims: [Evictable]) {
    for victim in victims {
      release(victim.size)
      if let account = victim.account { accounts[account].used -= victim.size }
    }
  }

  private mutating func release(_ bytes: ByteCount) {
    used -= bytes
    free += bytes
  }
}

/// A value for the whole room and one for each playlist's share.
private struct Rooms<Value: Sendable>: Sendable {
  private var whole: Value?
  private var shares: [Value?]

  init(accounts: Int) { shares = Array(repeating: nil, count: accounts) }

  /// - Parameter account: Nil for the whole.
  subscript(account: Int?) -> Value? { account.map { shares[$0] } ?? whole }

  /// - Parameter isForAll: True if the value concerns the whole, too.
  mutating func note(
    _ value: Value, of account: Int? = nil, isForAll: Bool = true, _ combined: (Value, Value) -> Value
  ) {
    if isForAll { whole = whole.map { combined($0, value) } ?? value }
    if let account { shares[account] = shares[account].map { combined($0, value) } ?? value }
  }
}
