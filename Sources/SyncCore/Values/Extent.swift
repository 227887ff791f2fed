// SPDX-License-Identifier: Apache-2.0

/// The bytes of a file from `from` up to but not including `to`. Never empty.
package struct Extent: Hashable, Sendable {
  package let from: ByteCount
  package let to: ByteCount

  /// Returns nil for an empty extent.
  package init?(from: ByteCount, to: ByteCount) {
    guard from < to else { return nil }
    self.from = from
    self.to = to
  }

  package var length: ByteCount { to - from }
}

extension [Extent] {
  /// The same bytes as the fewest extents, ascending, that neither overlap nor touch.
  package var merged: [Extent] {
    var result: [Extent] = []
    for extent in sorted(by: { $0.from < $1.from }) {
      if let last = result.last, extent.from <= last.to {
        result[result.count - 1] = Extent(from: last.from, to: Swift.max(last.to, extent.to)) ?? last
      } else {
        result.append(extent)
      }
    }
    return result
  }

  /// The parts of a file of `total` bytes that these extents leave out.
  /// - Precondition: `self` is `merged`.
  package func gaps(in total: ByteCount) -> [Extent] {
    var gaps: [Extent] = []
    var position = ByteCount.zero
    for extent in self {
      if let gap = Extent(from: position, to: Swift.min(extent.from, total)) { gaps.append(gap) }
      position = extent.to
    }
    return gaps + [Extent(from: position, to: total)].compactMap(\.self)
  }
}
