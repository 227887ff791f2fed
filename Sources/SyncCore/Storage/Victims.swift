// SPDX-License-Identifier: Apache-2.0

/// A finished file as the eviction sees it.
package struct Evictable: Hashable, Sendable {
  package var id: ItemID
  package var size: ByteCount
  package var completedAt: Timestamp
  package var score: Double
  /// It left the manifest and goes before everything that is still wanted.
  package var isOrphan: Bool
  /// The playlist whose share of the budget it takes from, as an index; nil: of no playlist that has one.
  package var account: Int?
  /// It is not here yet, and has waited since an earlier run: of equals it is the one that does without.
  package var isWaiting = false
  /// Of what came in one second, the older goes first, as far as that is known.
  package var published: Timestamp?
  package init(
    id: ItemID, size: ByteCount, completedAt: Timestamp, score: Double, isOrphan: Bool = false, account: Int? = nil,
    published: Timestamp? = nil
  ) {
    self.published = published
    self.account = account
    self.id = id
    self.size = size
    self.completedAt = completedAt
    self.score = score
    self.isOrphan = isOrphan
  }

  /// Whether this one goes before the other: orphans, then the lower score, the larger, the older file, the
  /// older episode, the id.
  package func goesBefore(_ other: Evictable) -> Bool {
    if isOrphan != other.isOrphan { return isOrphan }
    if score != other.score { return score < other.score }
    if isWaiting != other.isWaiting { return isWaiting }
    if size != other.size { return size > other.size }
    if completedAt != other.completedAt { return completedAt < other.completedAt }
    if let published, let others = other.published, published != others { return published < others }
    if (published == nil) != (other.published == nil) { return published == nil }
    return id < other.id
  }
}
