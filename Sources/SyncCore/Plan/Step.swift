// SPDX-License-Identifier: Apache-2.0

/// One step of a plan: the treatment of one item, with everything that is needed to carry it out.
///
/// The large cases are boxed, because most of a million items are only kept.
package enum Step: Equatable, Sendable {
  case remove(RemovalStep)
  case evict(RemovalStep)
  indirect case download(FetchStep)
  /// The present file is replaced by one of another quality.
  indirect case upgrade(FetchStep)
  indirect case adopt(AdoptionStep)
  indirect case move(MoveStep)
  /// The present file is sealed, opened or sealed with another key.
  indirect case protect(ProtectStep)
  /// A server is told of a change of a playlist.
  indirect case push(PushStep)
  case `defer`(DeferralStep)
  case keep(PlannedItem)
  /// A playlist names the item, but no run fetches it before a command or a change of its inputs.
  indirect case skip(SkippedItem)
  /// A source lists the item, but no playlist selects it.
  indirect case ignore(UnselectedItem)

  /// The name of a step that does something about the item, or would do it if there was room or time.
  package enum Action: String, CaseIterable, Sendable {
    case download, resume, adopt, upgrade, move, remove, evict, push, `defer`, keep

    package var altersLibrary: Bool {
      switch self {
      case .keep, .defer, .push: false
      default: true
      }
    }
  }

  /// Nil for an item that the run leaves alone: it is skipped or ignored.
  package var action: Action? {
    switch self {
    case .remove: .remove
    case .evict: .evict
    case .download(let fetch): fetch.isResumed ? .resume : .download
    case .upgrade: .upgrade
    case .adopt: .adopt
    // Its bytes are other ones, and so may be its name.
    case .move, .protect: .move
    case .push: .push
    case .defer: .defer
    case .keep: .keep
    case .skip, .ignore: nil
    }
  }

  package var altersLibrary: Bool { action?.altersLibrary ?? false }
  package var isPush: Bool { if case .push = self { true } else { false } }
  package var isKept: Bool { if case .keep = self { true } else { false } }

  /// Nil for a step that fetches nothing.
  var fetch: FetchStep? {
    switch self {
    case .download(let fetch), .upgrade(let fetch): fetch
    default: nil
    }
  }

  /// The item of a step with an action.
  package var item: PlannedItem? {
    switch self {
    case .remove(let removal), .evict(let removal): removal.item
    case .download(let fetch), .upgrade(let fetch): fetch.item
    case .adopt(let adoption): adoption.item
    case .move(let move): move.item
    case .protect(let protect): protect.item
    case .push(let push): push.item
    case .defer(let deferral): deferral.item
    case .keep(let item): item
    case .skip, .ignore: nil
    }
  }

  package var queued: Boxed<QueueItem> {
    switch self {
    case .remove(let removal), .evict(let removal): removal.item.$queued
    case .download(let fetch), .upgrade(let fetch): fetch.item.$queued
    case .adopt(let adoption): adoption.item.$queued
    case .move(let move): move.item.$queued
    case .protect(let protect): protect.item.$queued
    case .push(let push): push.item.$queued
    case .defer(let deferral): deferral.item.$queued
    case .keep(let item): item.$queued
    case .skip(let skipped): skipped.$queued
    case .ignore(let unselected): unselected.$queued
    }
  }

  /// The bytes to fetch, free or keep. Nil if unknown.
  package var bytes: ByteCount? {
    switch self {
    case .remove(let removal), .evict(let removal): removal.size
    case .download(let fetch), .upgrade(let fetch): fetch.bytes
    case .adopt(let adoption): adoption.file.size
    case .move(let move): move.size
    case .protect(let protect): protect.size
    case .defer(let deferral): deferral.bytes
    case .keep(let item): item.queued.state.finishedSize
    case .push, .skip, .ignore: nil
    }
  }

  /// The present or expected place of the file.
  package var path: LibraryPath? {
    switch self {
    case .remove(let removal), .evict(let removal): removal.path
    case .download(let fetch), .upgrade(let fetch): fetch.path
    case .adopt(let adoption): adoption.file.path
    case .move(let move): move.path
    case .protect(let protect): protect.path
    case .defer(let deferral): deferral.path
    case .keep(let item): item.queued.state.finishedPath
    case .push, .skip, .ignore: nil
    }
  }

  /// The search that finds the file. Nil if there is a URL to try first.
  package var search: String? {
    guard case .download(let fetch) = self else { return nil }
    return fetch.download.task.candidates.first?.candidate.url.searched
  }

  /// The URL that the file comes or came from. Nil if the file stays, and for an item that has to be searched for.
  package var url: RemoteURL? { candidate.flatMap { $0.isSearch ? nil : $0 } }

  /// The quality in which the file is fetched. Nil if nothing is fetched, and for an item that is declared in only one.
  package var quality: Quality? {
    switch self {
    case .download(let fetch), .upgrade(let fetch): fetch.download.quality
    default: nil
    }
  }

  private var candidate: RemoteURL? {
    switch self {
    case .keep, .move, .protect, .push, .skip, .ignore: nil
    // The queue does not record the URL of an upgrade until the new file is present.
    case .upgrade(let fetch): fetch.download.task.candidates.first?.candidate.url
    default: queued.wrappedValue.item.main.url
    }
  }
}

extension Step {
  package var id: ItemID { queued.wrappedValue.id }
  package var title: String { queued.wrappedValue.item.title }
  package var duration: Duration? { queued.wrappedValue.item.duration }
  /// The first playlist that names the item.
  package var playlist: PlaylistName? {
    if case .push(let push) = self { push.playlist } else { queued.wrappedValue.memberships.first?.playlist }
  }
  package var reason: Reason? { item?.reason }
  /// The eviction score. Nil if the item has no file in the library.
  package var score: Double? { item?.score }

  /// The item and the reason, if no run does what the manifest asks for it. It may have a file of another quality.
  package var skipped: SkippedItem? {
    if case .skip(let skipped) = self { return skipped }
    guard let item, let reason = item.failedUpgrade else { return nil }
    return SkippedItem(item.$queued, reason)
  }
}

/// The facts that every step with an action has.
package struct PlannedItem: Equatable, Sendable {
  /// The item as recorded in the queue before the plan is carried out. It is shared instead of copied, because nearly all
  /// items of a large library are unchanged.
  @Boxed package var queued: QueueItem
  package var reason: Reason
  package var score: Double?
  /// The reason why the present file is not of the wanted quality.
  @BoxedIfAny package var failedUpgrade: SkipReason?

  package init(_ queued: Boxed<QueueItem>, _ reason: Reason, score: Double? = nil, failedUpgrade: SkipReason? = nil) {
    _queued = queued
    self.reason = reason
    self.score = score
    self.failedUpgrade = failedUpgrade
  }

  /// - Parameter score: The score by which items are evicted.
  init(_ entry: Reconciliation.Entry, _ reason: Reason, _ score: StoragePolicy.Score, at now: Timestamp) {
    _queued = entry.$queued
    self.reason = reason
    self.score = entry.queued.state.completedAt.map { completedAt in
      score.value(of: ScoreTerms(plays: entry.queued.plays, completedAt: completedAt), at: now)
    }
    if entry.hasFailedUpgrade, case .givenUp(let difference, let error) = entry.quality {
      failedUpgrade = .upgradeFailed(error, to: difference.goal)
    }
  }
}
