// SPDX-License-Identifier: Apache-2.0

/// An item as the distribution of room sees it: a finished file that may go, or one that is to come.
package struct Evictable: Hashable, Sendable {
  package var id: ItemID
  package var size: ByteCount
  package var rank: Rank
  /// The playlist whose share of the budget it takes from, as an index; nil: of no playlist that has one.
  package var account: Int?
  /// Once it is gone it waits for room: a playlist still names it and wants it.
  package var isWanted = true

  package init(id: ItemID, size: ByteCount, rank: Rank, account: Int? = nil) {
    self.id = id
    self.size = size
    self.rank = rank
    self.account = account
  }

  /// Whether this one goes before the other.
  package func goesBefore(_ other: Evictable) -> Bool { rank < other.rank }
}
