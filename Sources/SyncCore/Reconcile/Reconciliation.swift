// SPDX-License-Identifier: Apache-2.0

/// Desired against remembered against seen: what each item needs, before room is considered.
package struct Reconciliation: Equatable, Sendable {
  /// What an item needs.
  package enum Need: Equatable, Sendable {
    case fetch(Reason)
    /// Was evicted; comes back only into spare room.
    case returning
    indirect case adopt(Adoptable, Reason)
    case keep(Reason)
    case remove(Reason)
    case wait(until: Timestamp)
    /// Was evicted so lately that it does not come back yet.
    case away(until: Timestamp)
    case stand(Standing)
    /// Known from before and of no concern: a tombstone.
    case rest
  }

  package struct Entry: Equatable, Sendable {
    /// As the queue has to say it before anything is done.
    @Boxed package var queued: QueueItem
    @BoxedIfAny package var desired: DesiredItem?
    package var need: Need
    package var isOrphan: Bool
    /// It was known, and not here, before this run.
    package var isWaiting = false
    /// What `retain` says of it.
    package var retained: Retained?
    /// Why it is not fetched although a playlist names it.
    package var unselected: Unselected?
    /// The run is about one of its playlists.
    package var isInScope = true
    /// Of a file that is in its place: how its quality compares with the wanted one.
    package var quality = QualityVerdict.asWanted

    /// Both shared with the queue and the desired state, as long as nothing about them changes.
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
  /// Brings the queue up to what was found.
  package var bookkeeping: [QueueChange] = []
  /// Interrupted items that were put back into the queue.
  package var recovered: [ItemID] = []
  /// Finished files whose bytes somebody changed.
  package var changedByOthers: [ItemID] = []
  /// Items that a playlist of this run passes over, beyond those that are listed: how many, by the reason.
  package var unlisted: [Unselected: Int] = [:]

  package init() {}

  /// By index: an iterator copies each entry whole, and of a million most plans concern few.
  func entries(where isMeant: (Entry) -> Bool) -> [Entry] {
    entries.indices.filter { isMeant(entries[$0]) }.map { entries[$0] }
  }
}
