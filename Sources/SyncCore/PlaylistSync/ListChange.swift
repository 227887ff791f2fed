// SPDX-License-Identifier: Apache-2.0

/// One difference between two states of a synced playlist.
package struct ListChange: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case added, removed, moved
    /// The playlist itself is made or deleted on the server. They concern no entry.
    case created, deleted
  }

  package var kind: Kind
  /// Nil for a change of the playlist itself.
  package var element: ListElement?
  /// The place in the new list, from 1. Of a removed entry, the place that it had.
  package var position: Int?

  package init(_ kind: Kind, _ element: ListElement? = nil, at position: Int? = nil) {
    (self.kind, self.element, self.position) = (kind, element, position)
  }

  /// The changes that lead from one list to another: removals, then the others in the order of the new list.
  package static func changes(from old: [ListElement], to new: [ListElement]) -> [ListChange] {
    guard old != new else { return [] }
    let alignment = ListAlignment(from: old, to: new)
    return alignment.removed.map { ListChange(.removed, old[$0], at: $0 + 1) }
      + new.indices.compactMap { index in
        if alignment.origins[index] == nil { return ListChange(.added, new[index], at: index + 1) }
        return alignment.moved.contains(index) ? ListChange(.moved, new[index], at: index + 1) : nil
      }
  }
}

/// Two changes that cannot both hold, and the one that was taken.
package struct ListConflict: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// Both sides moved the entry, to different places.
    case movedTwice = "moved_twice"
    /// Both sides added the song, at different places.
    case addedTwice = "added_twice"
    case removedHereMovedThere = "removed_here_moved_there"
    case movedHereRemovedThere = "moved_here_removed_there"
    /// The playlist was deleted here, and edited on the server.
    case deletedHereEditedThere = "deleted_here_edited_there"
    /// The playlist was edited here, and deleted on the server.
    case editedHereDeletedThere = "edited_here_deleted_there"
  }

  package enum Side: String, CaseIterable, Sendable { case local, server }

  package var kind: Kind
  /// Nil for a conflict about the playlist itself.
  package var element: ListElement?
  /// The side whose change was taken.
  package var taken: Side

  package init(_ kind: Kind, _ element: ListElement? = nil, taken: Side) {
    (self.kind, self.element, self.taken) = (kind, element, taken)
  }
}
