// SPDX-License-Identifier: Apache-2.0

/// The needs of all items, found by comparing the desired, the recorded and the observed state. Room is not considered
/// yet.
package struct Reconciliation: Equatable, Sendable {
  /// The need of one item.
  package enum Need: Equatable, Sendable {
    case fetch(Reason)
    /// The file was evicted and comes back only into spare room.
    case returning
    indirect case adopt(Adoptable, Reason)
    case keep(Reason)
    case remove(Reason)
    case wait(until: Timestamp)
    /// The file was evicted too recently to come back.
    case coolDown(until: Timestamp)
    /// A playlist names the item, but no run fetches it before a command or a change of its inputs.
    case skip(SkipReason)
    /// Nothing is to be done: the item has a tombstone, or it is not worth fetching.
    case ignore
  }
  /// The playlists of the run.
  package var playlists: [Playlist] = []

  package var entries: [Entry] = []
  /// The changes that bring the queue up to date with the observations.
  package var bookkeeping: [QueueChange] = []
  /// Interrupted items that were put back into the queue.
  package var recovered: [ItemID] = []
  /// Finished files that somebody else has changed.
  package var changedByOthers: [ItemID] = []
  /// The number of items that playlists of this run do not select and that have no entry, by reason.
  package var unlisted: [Unselected: Int] = [:]

  package init() {}

  /// Goes by index, because an iterator copies each entry, and most plans concern few of a million.
  func entries(where isMeant: (Entry) -> Bool) -> [Entry] {
    entries.indices.filter { isMeant(entries[$0]) }.map { entries[$0] }
  }
}
