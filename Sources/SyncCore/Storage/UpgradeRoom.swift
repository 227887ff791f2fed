// SPDX-License-Identifier: Apache-2.0

/// Whether there is room for a file of another quality beside the one that it is to replace. Nobody goes for it, so both
/// together have to fit into the budget. A file that is larger than the old one comes only into room below `target`, lest
/// the next plan evicts something for it; a smaller one makes room in the end.
package struct UpgradeRoom: Sendable {
  /// One file for another.
  package struct Swap: Hashable, Sendable {
    package var old: ByteCount
    /// The whole new file; zero when nobody knows.
    package var new: ByteCount
    /// Of the new file, what is still to come.
    package var missing: ByteCount
    /// Of the playlist that has a share of its own.
    package var account: Int?

    package init(old: ByteCount, new: ByteCount, missing: ByteCount, account: Int? = nil) {
      self.old = old
      self.new = new
      self.missing = missing
      self.account = account
    }
  }

  let policy: StoragePolicy
  /// With both files of all that was admitted before.
  let used: ByteCount
  /// Of them, the files that go.
  let replaced: ByteCount
  let free: ByteCount
  let share: RoomPlanner.Account?

  func shortage(of swap: Swap) -> RoomPlanner.Shortage? {
    var lacking = policy.minFree + swap.missing - free
    if let budget = policy.budget {
      lacking = max(lacking, used + swap.missing - budget)
      if swap.new > swap.old {
        lacking = max(lacking, used + swap.missing - replaced - swap.old - budget * policy.evict.target)
      }
    }
    if let share {
      lacking = max(lacking, share.used + swap.missing - share.budget)
      // The others of this playlist that go are not known apart: they count until they are gone.
      if swap.new > swap.old { lacking = max(lacking, share.used + swap.missing - swap.old - share.goal) }
    }
    return lacking > .zero ? .beside(lacking: lacking) : nil
  }
}
