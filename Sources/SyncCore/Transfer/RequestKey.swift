// SPDX-License-Identifier: Apache-2.0

/// Names a request of a run: at most one of a name waits or runs at a time.
package enum RequestKey: Hashable, Sendable {
  /// An item's own request.
  case item(ItemID)
  /// One of several more for the same file, counted from 1.
  case further(ItemID, Int)
  /// For a source, by a number.
  case source(Int)

  /// Nil for a source's.
  package var item: ItemID? {
    switch self {
    case .item(let id), .further(let id, _): id
    case .source: nil
    }
  }
}
