// SPDX-License-Identifier: Apache-2.0

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
