// SPDX-License-Identifier: Apache-2.0

/// An item in the distribution of space: a finished file that may be evicted, or an item to be fetched.
package struct Evictable: Hashable, Sendable {
  package var id: ItemID
  /// The position of its entry in the reconciliation.
  package var position: Int
  package var size: ByteCount
  package var rank: Rank
  /// The index of the playlist whose share of the budget it uses. Nil if it belongs to no playlist with a share.
  package var account: Int?
  /// True if a playlist still selects the item, so that after eviction it waits for space.
  package var isWanted = true

  package init(id: ItemID, position: Int, size: ByteCount, rank: Rank, account: Int? = nil) {
    self.id = id
    self.position = position
    self.size = size
    self.rank = rank
    self.account = account
  }

  /// True if this item is evicted before the other.
  package func goesBefore(_ other: Evictable) -> Bool { rank < other.rank }
}
