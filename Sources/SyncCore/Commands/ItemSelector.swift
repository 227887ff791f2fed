// SPDX-License-Identifier: Apache-2.0

/// Finds the item that a person names.
package enum ItemSelector {
  package enum Problem: Error, Equatable, Sendable {
    case unknown(String, nearest: ItemID?)
    case ambiguous(String, [ItemID])
  }

  /// Returns the item with that id, otherwise the only one whose id begins with the text, otherwise the only one with
  /// that title (ignoring case).
  package static func find(_ text: String, in queue: Queue) throws(Problem) -> QueueItem {
    if let id = ItemID(text), let item = queue[id] { return item }
    let folded = text.lowercased()
    for matches in [
      queue.items.filter { $0.id.text.hasPrefix(text) }, queue.items.filter { $0.item.title.lowercased() == folded },
    ] where !matches.isEmpty && !text.isEmpty {
      guard matches.count == 1 else { throw .ambiguous(text, matches.prefix(5).map(\.id)) }
      return matches[0]
    }
    let near = queue.items.first { item in
      item.id.text.lowercased().contains(folded) || item.item.title.lowercased().contains(folded)
    }
    throw .unknown(text, nearest: text.isEmpty ? nil : near?.id)
  }
}
