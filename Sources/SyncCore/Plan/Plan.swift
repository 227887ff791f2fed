// SPDX-License-Identifier: Apache-2.0

/// What a run would do and why, computed before anything is touched.
package struct Plan: Equatable, Sendable {
  package var generatedAt: Timestamp
  /// In the order of the manifest; evictions and removals first.
  package var changes: [Change]
  /// In the order in which they are to be fetched.
  package var downloads: [PlannedDownload] = []
  package var adoptions: [ItemID: Adoptable] = [:]
  /// In the order of the manifest.
  package var moves: [PlannedMove] = []
  /// What the queue has to say before anything is done.
  package var bookkeeping: [QueueChange]
  package var standing: [StandingItem] = []
  /// Named by a source, without a file, and not to be fetched; in the order of the manifest.
  package var unselected: [UnselectedItem] = []
  /// The same beyond those that are listed: how many, by the reason.
  package var unlisted: [Unselected: Int] = [:]
  /// Wanted items that this run was told not to fetch.
  package var heldBack = 0
  /// Items that are in their place and have no change of their own, because none was looked for.
  package var settledItems = 0
  package var storage: StorageForecast
  /// Playlists with a share of the budget, after the plan.
  package var shares: [RoomPlanner.Account] = []
  /// The whole trash has to go to make room, with what the plan itself removes into it.
  package var emptiesTrash = false
  /// Trash that is older than it is to be kept.
  package var expiresTrash = false
  /// Names in the partial folder that nobody continues.
  package var strayPartials: [String] = []
  /// Interrupted items that were put back into the queue.
  package var recovered: [ItemID] = []
  /// Items with another file in their file's place: not counted, not touched.
  package var changedByOthers: [ItemID] = []
  package var warnings: [Warning] = []
  /// What reading the sources gave, where they were read for this plan alone.
  package var sources: [SourceSummary] = []
  /// Nothing of the plan may be done.
  package var safetyStop: SafetyStop?

  package init(generatedAt: Timestamp, changes: [Change], bookkeeping: [QueueChange], storage: StorageForecast) {
    self.generatedAt = generatedAt
    self.changes = changes
    self.bookkeeping = bookkeeping
    self.storage = storage
  }

  // By index: an iterator copies each change whole, and most of a million only keep what is there.

  /// Whether a run would alter the library.
  package var hasPendingChanges: Bool {
    emptiesTrash || expiresTrash || changes.indices.contains { changes[$0].action.altersLibrary }
  }

  package func count(_ action: Change.Action) -> Int {
    changes.indices.count { changes[$0].action == action } + (action == .keep ? settledItems : 0)
  }

  package func bytes(_ action: Change.Action) -> ByteCount {
    changes.indices.lazy.filter { changes[$0].action == action }.compactMap { changes[$0].bytes }.sum()
  }

  /// The changes of some kinds.
  package func changes(where isWanted: (Change.Action) -> Bool) -> [Change] {
    changes.indices.filter { isWanted(changes[$0].action) }.map { changes[$0] }
  }
}

extension Warning {
  package var isOfClock: Bool { if case .implausibleClock = self { true } else { false } }
}

/// What becomes of one item.
package struct Change: Equatable, Sendable {
  package enum Action: String, CaseIterable, Sendable {
    case download, resume, adopt, upgrade, move, remove, evict, `defer`, keep

    package var altersLibrary: Bool {
      switch self {
      case .keep, .defer: false
      default: true
      }
    }
  }

  /// The item as the queue has it before anything is done.
  @Boxed package var queued: QueueItem
  package var action: Action
  package var reason: Reason
  /// To be fetched, freed, or kept; nil when unknown.
  package var bytes: ByteCount?
  /// Where the file lies or is expected to lie.
  package var path: LibraryPath?
  /// Of files in the library.
  package var score: Double?
  /// Where an upgrade comes from, which the queue does not know before it is here.
  package var newURL: RemoteURL?

  /// - Parameter queued: shared, not copied: nearly all of a large library stays as it is.
  package init(
    _ queued: Boxed<QueueItem>, _ action: Action, _ reason: Reason, bytes: ByteCount?, path: LibraryPath?,
    score: Double? = nil
  ) {
    _queued = queued
    self.action = action
    self.reason = reason
    self.bytes = bytes
    self.path = path
    self.score = score
  }
}

extension Change {
  package var id: ItemID { queued.id }
  package var title: String { queued.item.title }
  package var duration: Duration? { queued.item.duration }
  /// The first that names it.
  package var playlist: PlaylistName? { queued.memberships.first?.playlist }
  /// Where it is to come from, or came from; nil of what stays.
  package var url: RemoteURL? {
    switch action {
    case .keep, .move: nil
    case .upgrade: newURL
    default: newURL ?? queued.item.main.url
    }
  }

  /// Of a removal: what the tombstone says.
  package var removalCause: Removal.Cause {
    if action == .evict { return .evicted }
    if case .droppedByRetention = reason { return .retention }
    return .orphan
  }
}

/// All that a transfer needs to begin.
package struct PlannedDownload: Equatable, Sendable {
  package var task: TransferTask
  package var item: Item
  /// Of its requests among those that wait; the same for all where `downloads.order` is another than by priority.
  package var priority: Priority
  package var layout: LayoutTemplate
  package var fields: LayoutFields
  /// The first name that nobody else in the library has or gets.
  package var nameAttempt = 0
  package var isFromSource: Bool
  /// That name it, in the order of the manifest: whose credentials may be used.
  package var playlists: [PlaylistName]
  /// What the plan counted for it, beyond what is there.
  package var room: ByteCount
  /// Of its partial, whatever of it can be built on.
  package var present: ByteCount
  /// Of an upgrade: the finished file, which stays until the new one is whole.
  @BoxedIfAny package var replaced: StoredFile?

  /// What it takes of the room before it begins. An upgrade takes none: it begins when everything new is here, and asks
  /// for its room then.
  package var reserved: ByteCount { $replaced == nil ? room : .zero }

  /// Of the file that is to come, where the item is declared in several.
  package var quality: Quality? { item.urls?.offered }
}

/// A finished file that belongs to another place now.
package struct PlannedMove: Equatable, Sendable {
  package var id: ItemID
  package var layout: LayoutTemplate
  package var fields: LayoutFields
  package var fileExtension: String
  /// The first name that nobody else in the library has or gets.
  package var nameAttempt: Int

  package func path(_ naming: FileNaming, attempt: Int) -> LibraryPath {
    layout.path(fields, fileExtension: fileExtension, naming: naming, attempt: attempt)
  }
}

package struct StandingItem: Equatable, Sendable {
  package var id: ItemID
  package var title: String
  package var standing: Standing
}

package struct UnselectedItem: Equatable, Sendable {
  package var id: ItemID
  package var playlist: PlaylistName?
  package var title: String
  package var reason: Unselected
}

/// Bytes before and after the plan.
package struct StorageForecast: Equatable, Sendable {
  package var budget: ByteCount?
  /// Finished, partial and trash bytes together.
  package var before: ByteCount
  package var after: ByteCount
  package var partial: ByteCount
  package var trash: ByteCount
  /// Of the file system, before.
  package var free: ByteCount
  /// To be fetched, had there been room.
  package var deferred: ByteCount = .zero
  /// By how much what is pinned exceeds the budget.
  package var pinsOverBudget: ByteCount?
  /// Files that upgrades replace: until then they count beside the new ones, and `after` is without them.
  package var replaced: ByteCount = .zero

  /// `after` as a share of the budget.
  package var usage: Double? {
    budget.map { $0 == .zero ? 1 : Double(after.bytes) / Double($0.bytes) }
  }
}

extension Plan {
  /// What is used, and what is free, once all but the upgrades is done.
  /// - Parameter free: before any download.
  package func room(free: ByteCount) -> (used: ByteCount, free: ByteCount) {
    let upgrades = downloads.lazy.filter { $0.$replaced != nil }.map(\.room).sum()
    return (storage.after + storage.replaced - upgrades, free - downloads.lazy.map(\.reserved).sum())
  }
}

/// Why a plan must not be carried out.
package enum SafetyStop: Error, Hashable, Sendable {
  case tooManyRemovals(count: Int, limit: Int, finished: Int, setBy: LimitOrigin = .manifest)
  /// Because their sources no longer list them, so many would go and so many went in the last seven days, of those that
  /// were there at the beginning of these days.
  case tooManyDepartures(count: Int, earlier: Int, limit: Int, base: Int, setBy: LimitOrigin = .manifest)
}

/// Where a limit comes from that a manifest, a variable or a flag may set.
package enum LimitOrigin: Hashable, Sendable { case manifest, environment, flag }

/// What a person should know although the run goes on.
package enum Warning: Hashable, Sendable {
  case usageAboveWarning(used: ByteCount, budget: ByteCount)
  case pinsOverBudget(lacking: ByteCount)
  /// What may not go is too much by itself; nothing else was made to go for it.
  case protectedOverBudget(lacking: ByteCount)
  /// After all that may go has gone.
  case overBudget(lacking: ByteCount)
  case playlistOverBudget(PlaylistName, lacking: ByteCount)
  /// What is pinned of it, here or to come, is more than its share.
  case pinsOverShare(PlaylistName, lacking: ByteCount)
  case freeSpaceBelowMinimum(free: ByteCount, minimum: ByteCount)
  case changedByOthers(path: LibraryPath)
  /// The file stays where it is.
  case notMoved(path: LibraryPath, to: LibraryPath, FileError)
  /// The file was to go, and its folder or the file system does not let it.
  case notRemoved(path: LibraryPath, FileError)
  /// - Parameter unusableSince: when a document that cannot be used has been so for too long to be an accident.
  case sourceNotWhole(PlaylistName, SourceProblem, unusableSince: Timestamp? = nil)
  /// It has no entries, and never had any.
  case sourceEmpty(PlaylistName)
  case reportNotWritten(FileError)
  case historyNotRead(path: String, HistoryProblem)
  /// The player's local times were taken for UTC.
  case historyZoneAssumed(path: String, isImport: Bool)
  /// So many lines of the log of plays are damaged; zero: it is not there, although there were plays.
  case playLogDamaged(lines: Int)
  /// Its last line was being written when the machine stopped.
  case playLogTorn
  case feedFlaw(PlaylistName, FeedFlaw)
  /// So many more of the same feed, which the JSON report lists.
  case moreFeedFlaws(PlaylistName, Int)
  case implausibleClock(now: Timestamp, latestSeen: Timestamp)
  case recovered(RecoveryNote)
  /// The library, or its memory, lies where other machines may have it, too.
  case sharedDisk(path: String, type: String)
  /// Others could write into the state folder; `isClosed`: not any more.
  case stateOpenToOthers(path: String, isClosed: Bool)
  /// Others could read what is in it, and cannot any more.
  case stateReadableByOthers(path: String)
  /// A folder of the library that others closed to us.
  case folderPassedOver(FileError)
  /// Something that is no folder, where files are to go.
  case folderObstructed(path: LibraryPath, files: Int)
  /// What was looked at is in another run's hands; nil: it does not say whose.
  case runUnderWay(holder: String?)
  /// A file with a secret that every user of the machine may read.
  case secretIsPublic(path: String)
  /// Nothing at all could be reached.
  case offline
  /// It failed so many times in a row, at last in this way, and is not asked again in this run.
  case hostLeftAlone(RemoteURL.Origin, times: Int, Failure)
}
