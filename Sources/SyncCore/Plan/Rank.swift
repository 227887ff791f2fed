// SPDX-License-Identifier: Apache-2.0

/// The rank of an item when space is short. The lowest is evicted first and fetched last.
///
/// Present files and waiting items share one order, so a plan can promise that everything it evicts ranks below
/// everything it fetches. `Ranking` assigns the ranks.
package struct Rank: Hashable, Sendable {
  /// True if the item left the manifest. It goes before all items that are still selected.
  package var isOrphan: Bool
  package var score: Double
  /// True if the item is absent and was known before this run. The present one of two equal items stays.
  package var isWaiting = false
  /// The fetch order among waiting items. Nil for files.
  package var turn: FetchTurn?
  package var size: ByteCount
  package var completedAt: Timestamp
  /// The publication date. If two files were completed in the same second, the older episode goes first, as far as the
  /// dates are known.
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

/// The position of an item in the fetch order of `downloads.order`.
/// Lower values are fetched first, and get space first.
package struct FetchTurn: Comparable, Hashable, Sendable {
  private let value: Int64
  private let position: Int

  /// - Parameters:
  ///   - bytes: The bytes still to fetch. Zero if unknown.
  ///   - position: The position in the manifest, which decides between equals. An item without the value that the order
  ///     needs comes last.
  package init(
    _ order: DownloadPolicy.Order, priority: Priority, published: Timestamp?, bytes: ByteCount, position: Int
  ) {
    self.position = position
    value =
      switch order {
      case .priority: Self.rank(priority)
      case .manifest: 0
      case .newest: published.map { -$0.secondsSince1970 } ?? .max
      case .oldest: published.map(\.secondsSince1970) ?? .max
      case .smallest: bytes > .zero ? bytes.bytes : .max
      }
  }

  private static func rank(_ priority: Priority) -> Int64 {
    switch priority {
    case .high: 0
    case .normal: 1
    case .low: 2
    }
  }

  package static func < (a: Self, b: Self) -> Bool { (a.value, a.position) < (b.value, b.position) }
}
