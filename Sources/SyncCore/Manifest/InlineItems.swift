// SPDX-License-Identifier: Apache-2.0

/// The items that a playlist of the manifest declares itself.
package enum InlineItems: Sendable {
  case decoded(BoxedArray<Item>)
  /// Items that a cache of the manifest holds: many commands look into none of them.
  case stored(any StoredInlineItems)

  package var all: BoxedArray<Item> {
    switch self {
    case .decoded(let items): items
    case .stored(let items): items.all
    }
  }
}

extension InlineItems: Equatable {
  package static func == (left: InlineItems, right: InlineItems) -> Bool { left.all == right.all }
}

/// Items in the form of a cache.
package protocol StoredInlineItems: Sendable {
  /// The items. The first call decodes them.
  var all: BoxedArray<Item> { get }
}
