// SPDX-License-Identifier: Apache-2.0

/// Decides what fits: who is evicted, who is fetched, who has to wait (SPEC §6).
///
/// Wants are admitted in the order given. Without need nobody is evicted; once the next one would lift the usage above
/// `trigger`, the line of victims is followed until the usage, with it, is down to `target`. Only files that the same
/// policy would evict before the newcomer make room for it, so nothing is fetched in order to be evicted; and what was
/// admitted never exceeds `trigger`, so that the next plan has nothing left to evict.
package struct RoomPlanner: Sendable {
  /// Something to fetch.
  package struct Want: Sendable {
    /// As if it were finished now; `size` is the whole size, zero when unknown.
    package var asFinished: Evictable
    /// What is still to come, zero when unknown.
    package var missing: ByteCount
    /// Evicted once: comes back only into room below `target`, and nobody makes way for it.
    package var isReturning: Bool
    package var isPinned: Bool
    package init(asFinished: Evictable, missing: ByteCount, isReturning: Bool = false, isPinned: Bool = false) {
      self.asFinished = asFinished
      self.missing = missing
      self.isReturning = isReturning
      self.isPinned = isPinned
    }
  }

  /// A playlist with a share of its own: between the same marks as the whole.
  package struct Account: Equatable, Sendable {
    package let playlist: PlaylistName
    package let budget: ByteCount
    package let ceiling: ByteCount
    package let goal: ByteCount
    /// Finished and partial bytes.
    package var used: ByteCount
    /// Of them, what may not go for room.
    package var protected = ByteCount.zero
    /// What may not go is too much by itself: nothing else is made to go for it.
    var isHopeless: Bool { protected > budget }

    package init(_ playlist: PlaylistName, budget: ByteCount, used: ByteCount, marks: StoragePolicy.Eviction) {
      self.playlist = playlist
      self.budget = budget
      ceiling = budget * marks.trigger
      goal = budget * marks.target
      self.used = used
    }
  }

  /// Why something has to wait, with the bytes it lacks.
  package enum Shortage: Hashable, Sendable {
    case budget(lacking: ByteCount)
    /// The playlist's own share is short.
    case playlist(PlaylistName, lacking: ByteCount)
    case freeSpace(lacking: ByteCount)
    /// There is no room below `target` for what was evicted before.
    case noRoomToReturn
  }

  package enum Verdict: Equatable, Sendable {
    case admitted
    case deferred(Shortage)
  }

  private let ceiling: ByteCount?
  private let goal: ByteCount?
  private var used: ByteCount
  private var free: ByteCount
  private let minFree: ByteCount
  private var emptyableTrash: ByteCount
  private let evictable: [Evictable]
  /// Made when somebody has to go: to put all files in their order is most of the work.
  private var line: VictimLine?
  /// After all that was decided so far.
  package private(set) var accounts: [Account]
  /// Those who go because their playlist has more than its share.
  package private(set) var overShare: [ItemID: PlaylistName] = [:]

  /// - Parameters:
  ///   - used: finished, partial and trash bytes, without what is removed anyway.
  ///   - free: of the file system, with what is removed anyway.
  ///   - trash: the part of `used` that can be emptied.
  ///   - evictable: empty when eviction is off or forbidden.
  ///   - accounts: what the files' and the wants' `account` counts in.
  package init(
    policy: StoragePolicy, used: ByteCount, free: ByteCount, trash: ByteCount, evictable: [Evictable],
    accounts: [Account] = []
  ) {
    ceiling = policy.budget.map { $0 * policy.evict.trigger }
    goal = policy.budget.map { $0 * policy.evict.target }
    minFree = policy.minFree
    self.used = used
    self.free = free
    emptyableTrash = trash
    self.accounts = accounts
    self.evictable = evictable
    for index in accounts.indices where accounts[index].used > accounts[index].ceiling && !accounts[index].isHopeless {
      makeRoom(accounts[index].used - accounts[index].goal, in: index, before: nil)
    }
    if let ceiling, let goal, used > ceiling { makeRoom(used - goal, before: nil) }
  }

  package var victims: [Evictable] { line?.chosen ?? [] }
  package var victimCount: Int { line?.chosenCount ?? 0 }
  /// Whether the trash has to be emptied to make room.
  package private(set) var emptiesTrash = false
  /// Used bytes after all that was decided so far.
  package var usedAfter: ByteCount { used }

  package mutating func admit(_ want: Want) -> Verdict {
    if let shortage = shortage(of: want) { return .deferred(shortage) }
    let newcomer = want.isPinned ? nil : want.asFinished
    if let index = want.asFinished.account {
      let account = accounts[index]
      if account.used + want.missing > account.ceiling {
        makeRoom(account.used + want.missing - account.goal, in: index, before: newcomer)
      }
      accounts[index].used += want.missing
    }
    if let ceiling, let goal, used + want.missing > ceiling {
      makeRoom(used + want.missing - goal, before: newcomer)
    }
    if free < minFree + want.missing { makeRoom(minFree + want.missing - free, before: newcomer) }
    used += want.missing
    free -= want.missing
    return .admitted
  }

  /// Lets victims live that could come right back into the room below `target`, as those behind them freed more than was
  /// needed. To be called when everybody was admitted for whom room may be made.
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
  }

  private mutating func shortage(of want: Want) -> Shortage? {
    if want.isReturning {
      let account = want.asFinished.account.map { accounts[$0] }
      let fits =
        (goal.map { used + want.missing <= $0 } ?? true) && (account.map { $0.used + want.missing <= $0.goal } ?? true)
      return fits && free >= minFree + want.missing ? nil : .noRoomToReturn
    }
    let newcomer = want.isPinned ? nil : want.asFinished
    if let index = want.asFinished.account {
      let account = accounts[index]
      if account.used + want.missing > account.ceiling {
        let freeable = account.isHopeless ? .zero : inLine { $0.available(before: newcomer, account: index) }
        let most = account.ceiling + freeable
        if account.used + want.missing > most {
          return .playlist(account.playlist, lacking: account.used + want.missing - most)
        }
      }
    }
    let isInBudget = ceiling.map { used + want.missing <= $0 } ?? true
    if isInBudget, free >= minFree + want.missing { return nil }
    let freeable = inLine { $0.available(before: newcomer) } + emptyableTrash
    if let ceiling, used + want.missing > ceiling + freeable {
      return .budget(lacking: used + want.missing - (ceiling + freeable))
    }
    if free + freeable < minFree + want.missing {
      return .freeSpace(lacking: minFree + want.missing - (free + freeable))
    }
    return nil
  }

  private mutating func makeRoom(_ bytes: ByteCount, before newcomer: Evictable?) {
    var needed = bytes
    if emptyableTrash > .zero {
      emptiesTrash = true
      release(emptyableTrash)
      needed -= emptyableTrash
      emptyableTrash = .zero
    }
    if needed > .zero { give(inLine { $0.choose(freeing: needed, before: newcomer) }) }
  }

  /// Of one playlist's files alone.
  private mutating func makeRoom(_ bytes: ByteCount, in account: Int, before newcomer: Evictable?) {
    let victims = inLine { $0.choose(freeing: bytes, before: newcomer, account: account) }
    for victim in victims { overShare[victim.id] = accounts[account].playlist }
    give(victims)
  }

  private mutating func inLine<Result>(_ body: (inout VictimLine) -> Result) -> Result {
    var line = line.take() ?? VictimLine(evictable, accounts: accounts.count)
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
