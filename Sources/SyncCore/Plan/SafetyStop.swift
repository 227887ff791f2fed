// SPDX-License-Identifier: Apache-2.0

/// The bytes that smaller files of another quality will free, for a library that exceeds its budget.
///
/// Such a replacement costs no item, so it comes before any eviction.
struct Shrinkage {
  /// The bytes by which each file shrinks, by the position of its entry.
  private(set) var savings: [Int: ByteCount] = [:]

  init(_ reconciliation: Reconciliation, seen: LibraryObservation, minFree: ByteCount) {
    let entries = reconciliation.entries
    var swaps: [(order: Int, swap: UpgradeRoom.Swap)] = []
    for order in entries.indices where entries[order].quality.isUpgrade {
      guard let swap = entries[order].swap(seen), swap.new < swap.old else { continue }
      swaps.append((order, swap))
    }
    // Both files are on the disk for a while, so only these can be replaced in this run.
    var free = seen.freeSpace
    let largestFirst = swaps.sorted { ($0.swap.growth, $0.order) < ($1.swap.growth, $1.order) }
    for (order, swap) in largestFirst where free >= minFree + swap.missing {
      free -= swap.missing
      savings[order] = swap.old - swap.new
    }
  }
}

extension Reconciliation.Entry {
  /// The replacement of the item's file by one of the wanted quality. Nil if the item has no file.
  func swap(_ seen: LibraryObservation) -> UpgradeRoom.Swap? {
    guard let old = queued.state.finishedSize else { return nil }
    let present = begunUpgrade(seen)
    let new = max(upgradedSize(old), present)
    return UpgradeRoom.Swap(old: old, new: new, missing: new - present)
  }

  /// The bytes of the new file that are on the disk.
  func begunUpgrade(_ seen: LibraryObservation) -> ByteCount {
    queued.upgrade?.state.partial.flatMap { seen.partials[$0.name]?.size } ?? .zero
  }
}

/// The reason why a plan must not be carried out.
package enum SafetyStop: Error, Hashable, Sendable {
  case tooManyRemovals(count: Int, limit: Int, finished: Int, setBy: LimitOrigin = .manifest)
  /// Too many items would be removed because their sources no longer list them.
  /// - Parameters:
  ///   - count: The number of items that the plan would remove.
  ///   - earlier: The number of items removed for this reason in the last seven days.
  ///   - base: The number of items present at the beginning of these days.
  case tooManyDepartures(count: Int, earlier: Int, limit: Int, base: Int, setBy: LimitOrigin = .manifest)
}
