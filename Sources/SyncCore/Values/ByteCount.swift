// SPDX-License-Identifier: Apache-2.0

/// A number of bytes, never negative.
package struct ByteCount: Hashable, Comparable, Sendable {
  package let bytes: Int64

  package static let zero = ByteCount(0)

  /// - Precondition: `bytes` is not negative.
  package init(_ bytes: Int64) {
    precondition(bytes >= 0, "a number of bytes is never negative")
    self.bytes = bytes
  }

  /// Returns nil if `bytes` is negative.
  package init?(exactly bytes: Int64) {
    guard bytes >= 0 else { return nil }
    self.bytes = bytes
  }

  package static func < (a: Self, b: Self) -> Bool { a.bytes < b.bytes }

  /// The sum. Stays at the largest value instead of overflowing.
  package static func + (a: Self, b: Self) -> Self {
    let (sum, overflow) = a.bytes.addingReportingOverflow(b.bytes)
    return Self(overflow ? .max : sum)
  }

  package static func += (a: inout Self, b: Self) { a = a + b }

  /// The difference. Zero if `b` is larger.
  package static func - (a: Self, b: Self) -> Self { Self(max(0, a.bytes - b.bytes)) }

  package static func -= (a: inout Self, b: Self) { a = a - b }

  /// The given share, rounded down.
  package static func * (a: Self, share: Share) -> Self {
    let product = a.bytes.multipliedFullWidth(by: Int64(share.perMille))
    return Self(Int64(1000).dividingFullWidth(product).quotient)
  }
}

extension Sequence<ByteCount> {
  package func sum() -> ByteCount { reduce(.zero, +) }
}

/// A percentage of a whole, from 0 to 100 % in steps of a tenth.
package struct Share: Hashable, Comparable, Sendable {
  package let perMille: Int

  /// Returns nil unless `perMille` is between 0 and 1000.
  package init?(perMille: Int) {
    guard (0...1000).contains(perMille) else { return nil }
    self.perMille = perMille
  }

  /// - Precondition: `percent` is between 0 and 100.
  package static func percent(_ percent: Int) -> Share {
    precondition((0...100).contains(percent), "a share lies between 0 % and 100 %")
    return Share(checked: percent * 10)
  }

  private init(checked perMille: Int) { self.perMille = perMille }

  package static func < (a: Self, b: Self) -> Bool { a.perMille < b.perMille }
}
