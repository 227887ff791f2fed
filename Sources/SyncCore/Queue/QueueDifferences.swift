// SPDX-License-Identifier: Apache-2.0

/// The entries in which a queue differs from an earlier one.
package struct QueueDifferences {
  package struct Item {
    /// Nil if it was added.
    package let before: QueueItem?
    /// Nil if it was dropped.
    package let after: QueueItem?

    package init(before: QueueItem?, after: QueueItem?) { (self.before, self.after) = (before, after) }
  }

  package let items: [Item]
  package let sources: Set<PlaylistName>

  package init(items: [Item], sources: Set<PlaylistName>) { (self.items, self.sources) = (items, sources) }

  package var isEmpty: Bool { items.isEmpty && sources.isEmpty }
}
