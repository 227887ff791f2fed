// SPDX-License-Identifier: Apache-2.0

/// Decides if there is room for a file of another quality beside the one that it replaces. Nothing is evicted for it.
/// A larger file must fit into the budget together with the old one, and comes only into room below `target`, because
/// otherwise the next plan would evict something for it. A file that is not larger takes no room in the end, so it may
/// exceed the budget for as long as both are on the disk. `min_free` holds for all.
package struct UpgradeRoom: Sendable {
  /// The replacement of one file by another.
  package struct Swap: Hashable, Sendable {
    package var old: ByteCount
    /// The size of the new file. Zero if unknown.
    package var new: ByteCount
    /// The bytes of the new file that are still to come.
    package var missing: ByteCount
    /// The account of its playlist, if that has a share of its own.
    package var account: Int?
    /// The bytes that it frees, if the plan counted them as free before.
    var counted = ByteCount.zero

    /// The bytes by which the new file is larger. Negative if it is smaller.
    var growth: Int64 { new.bytes - old.bytes }

    package init(old: ByteCount, new: ByteCount, missing: ByteCount, account: Int? = nil) {
      self.old = old
      self.new = new
      self.missing = missing
      self.account = account
    }
  }

  let policy: StoragePolicy
  /// The used bytes, with both files of every upgrade that was admitted before.
  let used: ByteCount
  /// The part of `used` that admitted upgrades replace.
  let replaced: ByteCount
  let free: ByteCount
  let share: RoomPlanner.Account?

  func shortage(of swap: Swap) -> RoomShortage? {
    var lacking = policy.minFree + swap.missing - free
    if swap.new > swap.old {
      if let budget = policy.budget {
        lacking = max(lacking, used + swap.missing - budget)
        lacking = max(lacking, used + swap.missing - replaced - swap.old - budget * policy.evict.target)
      }
      if let share {
        lacking = max(lacking, share.used + swap.missing - share.budget)
        // The replaced files of this playlist's other upgrades are not known separately, so they count until they are
        // gone.
        lacking = max(lacking, share.used + swap.missing - swap.old - share.goal)
      }
    }
    return lacking > .zero ? .beside(lacking: lacking) : nil
  }
}
