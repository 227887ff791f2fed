// SPDX-License-Identifier: Apache-2.0

/// Where an item stands when room is short. The lowest leaves first and comes last.
///
/// One order for the files that are here and for the items that are to come, so that a plan can promise that
/// everything it evicts ranks below everything it fetches. `Ranking` says which rank an item has.
package struct Rank: Hashable, Sendable {
  /// It left the manifest and goes before everything that is still wanted.
  package var isOrphan: Bool
  package var score: Double
  /// It is not here and was known before this run. Of equal items, the one that is here stays.
  package var isWaiting = false
  /// Which of the waiting items comes first; nil for files.
  package var turn: FetchTurn?
  package var size: ByteCount
  package var completedAt: Timestamp
  /// Of files that came in one second, the older episode goes first, as far as the dates are known.
  package var published: Timestamp?
  package var id: ItemID

  package init(
    id: ItemID, score: Double, size: ByteCount, completedAt: Timestamp, isOrphan: Bool = false,
    published: Timestamp? = nil
  ) {
    self.id = id
    self.score = score
    self.size = size
    self.completedAt = completedAt
    self.isOrphan = isOrphan
    self.published = published
  }
}

extension Rank: Comparable {
  /// Orphans first, then the lower score, then the larger file, the older file, the older episode, the id.
  package static func < (a: Self, b: Self) -> Bool {
    if a.isOrphan != b.isOrphan { return a.isOrphan }
    if a.score != b.score { return a.score < b.score }
    if a.isWaiting != b.isWaiting { return a.isWaiting }
    if let turn = a.turn, let others = b.turn, turn != others { return turn > others }
    if a.size != b.size { return a.size > b.size }
    if a.completedAt != b.completedAt { return a.completedAt < b.completedAt }
    if let published = a.published, let others = b.published, published != others { return published < others }
    if (a.published == nil) != (b.published == nil) { return a.published == nil }
    return a.id < b.id
  }
}
