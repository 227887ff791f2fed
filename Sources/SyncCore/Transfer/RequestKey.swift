// SPDX-License-Identifier: Apache-2.0

/// The identity of a request in a run. At most one request with the same key waits or runs at a time.
package enum RequestKey: Hashable, Sendable {
  /// The main request of an item.
  case item(ItemID)
  /// One of several additional requests for the same file, counted from 1.
  case further(ItemID, Int)
  /// A request for a source, by number.
  case source(Int)

  /// The item of the request. Nil for a request for a source.
  package var item: ItemID? {
    switch self {
    case .item(let id), .further(let id, _): id
    case .source: nil
    }
  }
}
