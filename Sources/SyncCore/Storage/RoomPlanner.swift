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

  /// Why something has to wait, with the bytes it lacks.
  package enum Shortage: Hashable, Sendable {
    case budget(lacking: ByteCount)
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
  private var line: VictimLine

  /// - Parameters:
  ///   - used: finished, partial and trash bytes, without what is removed anyway.
  ///   - free: of the file system, with what is removed anyway.
  ///   - trash: the part of `used` that can be emptied.
  ///   - evictable: empty when eviction is off or forbidden.
  package init(
    policy: StoragePolicy, used: ByteCount, free: ByteCount, trash: ByteCount, evictable: [Evictable]
  ) {
    ceiling = policy.budget.map { $0 * policy.evict.trigger }
    goal = policy.budget.map { $0 * policy.evict.target }
    minFree = policy.minFree
    self.used = used
    self.free = free
    emptyableTrash = trash
    line = VictimLine(evictable)
    if let ceiling, let goal, used > ceiling { makeRoom(used - goal, before: nil) }
  }

  package var victims: [Evictable] { line.chosen }
  /// Whether the trash has to be emptied to make room.
  package private(set) var emptiesTrash = false
  /// Used bytes after all that was decided so far.
  package var usedAfter: ByteCount { used }

  package mutating func admit(_ want: Want) -> Verdict {
    if let shortage = shortage(of: want) { return .deferred(shortage) }
    let newcomer = want.isPinned ? nil : want.asFinished
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
    let before = line.chosenBytes
    line.spare(upTo: goal.map { min($0 - used, aboveMinimum) } ?? aboveMinimum)
    let spared = before - line.chosenBytes
    used += spared
    free -= spared
  }

  private func shortage(of want: Want) -> Shortage? {
    if want.isReturning {
      let fits = goal.map { used + want.missing <= $0 } ?? true
      return fits && free >= minFree + want.missing ? nil : .noRoomToReturn
    }
    let newcomer = want.isPinned ? nil : want.asFinished
    let freeable = line.available(before: newcomer) + emptyableTrash
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
    let before = line.chosenBytes
    if needed > .zero { line.choose(freeing: needed, before: newcomer) }
    release(line.chosenBytes - before)
  }

  private mutating func release(_ bytes: ByteCount) {
    used -= bytes
    free += bytes
  }
}
