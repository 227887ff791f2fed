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
  /// The time by which licences were judged. Nil if no item needs one, or has had one.
  package var licenseTime: Timestamp?

  package init() {}

  /// Goes by index, because an iterator copies each entry, and most plans concern few of a million.
  func entries(where isMeant: (Entry) -> Bool) -> [Entry] {
    entries.indices.filter { isMeant(entries[$0]) }.map { entries[$0] }
  }
}

extension Reconciliation {
  /// One item with its need.
  package struct Entry: Equatable, Sendable {
    /// The item as it is to be recorded in the queue before anything else is done.
    @Boxed package var queued: QueueItem
    @BoxedIfAny package var desired: DesiredItem?
    /// True if the manifest pins the item.
    var isPinnedByManifest: Bool
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
      isPinnedByManifest = desired?.wrappedValue.isPinned ?? false
      need = .ignore
      isOrphan = false
      self.retained = retained
      unselected = desired?.wrappedValue.unselected
      self.isInScope = isInScope
    }
  }
}

extension Reconciliation.Entry {
  var isToFetch: Bool { if case .fetch = need { true } else { false } }
  var isKept: Bool { if case .keep = need { true } else { false } }
  var isToGo: Bool { if case .remove = need { true } else { false } }
  var isIgnored: Bool { if case .ignore = need { true } else { false } }
  var isUnreachable: Bool { need == .keep(.unreachable) }
  var isChangedByOthers: Bool { if case .keep(.changedByOthers) = need { true } else { false } }

  /// True if the item has a file of another quality than the wanted one, and no run tries that again.
  var hasFailedUpgrade: Bool {
    guard isInScope, case .givenUp = quality else { return false }
    return true
  }

  /// True if the item is to be fetched, now or when there is space.
  var asksForRoom: Bool {
    switch need {
    case .fetch, .returning, .coolDown: true
    default: false
    }
  }

  /// True if at most a lack of room prevents fetching the item.
  var mayBeFetched: Bool { isToFetch || need == .returning }

  /// The priority that a person chose, else the declared one.
  func priority(_ desired: DesiredItem) -> Priority {
    $queued.wrappedValue.$choice?.wrappedValue.priority ?? desired.priority
  }

  /// True if the manifest or a command pins the item.
  var isPinned: Bool { isPinnedByManifest || queued.pinned }

  /// True if a command put the item back into the queue.
  var isRequested: Bool {
    if case .queued(let pending) = queued.state { pending.isRequested } else { false }
  }

  /// The first playlist that names the item. It determines the item's place and its share of the budget.
  var firstPlaylist: PlaylistName? { queued.memberships.first?.playlist }

  /// The size for which space is planned. Zero if unknown.
  func expectedSize(_ desired: DesiredItem, _ downloads: DownloadPolicy) -> ByteCount {
    if let size = desired.item.exactSize { return size }
    if case .removed(let removal) = queued.state, let file = removal.file { return file.size }
    if let total = queued.state.partial?.total { return total }
    // A hint above the largest allowed item is ignored, because an item of that size would not be fetched.
    guard let hint = queued.item.size?.bytes ?? desired.item.size?.bytes, hint <= downloads.maxItemSize else {
      return .zero
    }
    return hint
  }
}
