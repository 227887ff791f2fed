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
    /// The file was evicted too lately to come back.
    case away(until: Timestamp)
    case stand(Standing)
    /// Nothing is to be done: the item has a tombstone, or it is not worth fetching.
    case rest
  }

  package struct Entry: Equatable, Sendable {
    /// The item as it is to be recorded in the queue before anything else is done.
    @Boxed package var queued: QueueItem
    @BoxedIfAny package var desired: DesiredItem?
    package var need: Need
    package var isOrphan: Bool
    /// True if the item was known before this run and had no file.
    package var isWaiting = false
    /// The decision of `retain` about the item.
    package var retained: Retained?
    /// The reason why the item is not fetched although a playlist names it.
    package var unselected: Unselected?
    /// True if one of its playlists is in the run's scope.
    package var isInScope = true
    /// The comparison of a present file's quality with the wanted one.
    package var quality = QualityVerdict.asWanted

    /// Both values are shared with the queue and the desired state as long as they are unchanged.
    init(_ queued: Boxed<QueueItem>, _ desired: Boxed<DesiredItem>?, retained: Retained?, isInScope: Bool = true) {
      _queued = queued
      _desired = BoxedIfAny(desired)
      need = .rest
      isOrphan = false
      self.retained = retained
      unselected = desired?.wrappedValue.unselected
      self.isInScope = isInScope
    }
  }

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
