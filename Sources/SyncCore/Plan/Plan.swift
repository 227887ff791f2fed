// SPDX-License-Identifier: Apache-2.0

/// The actions of a run with their reasons, computed before anything is touched.
package struct Plan: Equatable, Sendable {
  package var generatedAt: Timestamp
  /// Evictions and removals first, then the order of the manifest.
  package var changes: [Change]
  /// In the order of fetching.
  package var downloads: [PlannedDownload] = []
  package var adoptions: [ItemID: Adoptable] = [:]
  /// In the order of the manifest.
  package var moves: [PlannedMove] = []
  /// The changes to record in the queue before anything else is done.
  package var bookkeeping: [QueueChange]
  package var standing: [StandingItem] = []
  /// Items that a source lists, that have no file and that are not fetched, in the order of the manifest.
  package var unselected: [UnselectedItem] = []
  /// The number of such items that `unselected` does not list, by reason.
  package var unlisted: [Unselected: Int] = [:]
  /// The number of selected items that this run was told not to fetch.
  package var heldBack = 0
  /// The number of items that are in their place and have no entry in `changes`, because nothing was checked for them.
  package var unlistedKept = 0
  package var storage: StorageForecast
  /// The playlists with a share of the budget, after the plan.
  package var shares: [RoomPlanner.Account] = []
  /// True if the whole trash must be emptied to make room, including the files that the plan itself moves there.
  package var emptiesTrash = false
  /// True if the trash contains files older than `storage.trash.keep`.
  package var expiresTrash = false
  /// The names of the partials that no item continues.
  package var strayPartials: [String] = []
  /// Interrupted items that were put back into the queue.
  package var recovered: [ItemID] = []
  /// Items with a foreign file in their file's place. They are neither counted nor touched.
  package var changedByOthers: [ItemID] = []
  package var warnings: [Warning] = []
  /// The results of reading the sources, if they were read for this plan alone.
  package var sources: [SourceSummary] = []
  /// If set, no action of the plan may be carried out.
  package var safetyStop: SafetyStop?

  package init(generatedAt: Timestamp, changes: [Change], bookkeeping: [QueueChange], storage: StorageForecast) {
    self.generatedAt = generatedAt
    self.changes = changes
    self.bookkeeping = bookkeeping
    self.storage = storage
  }

  // The functions below go by index, because an iterator copies each change, and most of a million items are only kept.

  /// True if a run would change the library.
  package var hasPendingChanges: Bool {
    emptiesTrash || expiresTrash || changes.indices.contains { changes[$0].action.altersLibrary }
  }

  package func count(_ action: Change.Action) -> Int {
    changes.indices.count { changes[$0].action == action } + (action == .keep ? unlistedKept : 0)
  }

  package func bytes(_ action: Change.Action) -> ByteCount {
    changes.indices.lazy.filter { changes[$0].action == action }.compactMap { changes[$0].bytes }.sum()
  }

  /// The changes whose action satisfies a condition.
  package func changes(where isWanted: (Change.Action) -> Bool) -> [Change] {
    changes.indices.filter { isWanted(changes[$0].action) }.map { changes[$0] }
  }
}

extension Warning {
  package var isOfClock: Bool { if case .implausibleClock = self { true } else { false } }
}

/// The planned action for one item.
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

  /// The item as recorded in the queue before the plan is carried out.
  @Boxed package var queued: QueueItem
  package var action: Action
  package var reason: Reason
  /// The bytes to fetch, free or keep. Nil if unknown.
  package var bytes: ByteCount?
  /// The present or expected place of the file.
  package var path: LibraryPath?
  /// The eviction score. Nil if the item has no file in the library.
  package var score: Double?
  /// The URL of an upgrade, which the queue does not record until the new file is present.
  package var newURL: RemoteURL?

  /// - Parameter queued: Shared instead of copied, because nearly all items of a large library are unchanged.
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
  /// The first playlist that names the item.
  package var playlist: PlaylistName? { queued.memberships.first?.playlist }
  /// The URL that the file comes or came from. Nil if the file stays.
  package var url: RemoteURL? {
    switch action {
    case .keep, .move: nil
    case .upgrade: newURL
    default: newURL ?? queued.item.main.url
    }
  }

  /// The cause that the tombstone of a removal records.
  package var removalCause: Removal.Cause {
    if action == .evict { return .evicted }
    if case .droppedByRetention = reason { return .retention }
    return .orphan
  }
}

/// Everything that a transfer needs to begin.
package struct PlannedDownload: Equatable, Sendable {
  package var task: TransferTask
  package var item: Item
  /// The priority of its requests in the waiting line. It is the same for all items unless `downloads.order` is
  /// `priority`.
  package var priority: Priority
  package var layout: LayoutTemplate
  package var fields: LayoutFields
  /// The first attempt whose name is free in the library and not assigned to another item.
  package var nameAttempt = 0
  package var isFromSource: Bool
  /// The playlists that name the item, in the order of the manifest. Their credentials may be used.
  package var playlists: [PlaylistName]
  /// The bytes that the plan reserved for it, in addition to the bytes that are present.
  package var room: ByteCount
  /// The size of its partial, even if only a part of it can be continued.
  package var present: ByteCount
  /// The finished file that an upgrade replaces. It stays until the new file is complete.
  @BoxedIfAny package var replaced: StoredFile?
  /// True for an upgrade to a smaller file that brings the library back into its budget. It comes before everything new.
  package var makesRoom = false

  /// The bytes reserved before it begins. Zero for an upgrade, which reserves its bytes once everything new is fetched.
  package var reserved: ByteCount { $replaced == nil ? room : .zero }

  /// The quality of the file to fetch. Nil unless the item is declared in several qualities.
  package var quality: Quality? { item.urls?.offered }
}

/// A finished file that now belongs in another place.
package struct PlannedMove: Equatable, Sendable {
  package var id: ItemID
  package var layout: LayoutTemplate
  package var fields: LayoutFields
  package var fileExtension: String
  /// The first attempt whose name is free in the library and not assigned to another item.
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

/// The bytes used before and after the plan.
package struct StorageForecast: Equatable, Sendable {
  package var budget: ByteCount?
  /// Finished, partial and trash bytes.
  package var before: ByteCount
  package var after: ByteCount
  package var partial: ByteCount
  package var trash: ByteCount
  /// The free space on the library's file system before the plan.
  package var free: ByteCount
  /// The bytes of the deferred items.
  package var deferred: ByteCount = .zero
  /// The number of bytes by which the pinned items exceed the budget. Nil if they do not.
  package var pinsOverBudget: ByteCount?
  /// The files that upgrades replace. They count beside the new files until then. `after` does not include them.
  package var replaced: ByteCount = .zero

  /// `after` as a share of the budget.
  package var usage: Double? {
    budget.map { $0 == .zero ? 1 : Double(after.bytes) / Double($0.bytes) }
  }
}

extension Plan {
  /// The used and the free bytes after everything but the upgrades is done.
  /// - Parameter free: The free bytes before any download.
  package func room(free: ByteCount) -> (used: ByteCount, free: ByteCount) {
    let upgrades = downloads.lazy.filter { $0.$replaced != nil }.map(\.room).sum()
    return (storage.after + storage.replaced - upgrades, free - downloads.lazy.map(\.reserved).sum())
  }
}

/// The reason why a plan must not be carried out.
package enum SafetyStop: Error, Hashable, Sendable {
  case tooManyRemovals(count: Int, limit: Int, finished: Int, setBy: LimitOrigin = .manifest)
  /// Too many items would be removed because their sources no longer list them.
  /// - Parameters:
  ///   - count: The number of items that the plan would remove.
  ///   - earlier: The number of items removed for this reason in the last seven days.
  ///   - base: The number of items present at the beginning of these days.
  case tooManyDepartures(count: Int, earlier: Int, limit: Int, base: Int, setBy: LimitOrigin = .manifest)
}

/// The origin of a limit that a manifest, a variable or a flag may set.
package enum LimitOrigin: Hashable, Sendable { case manifest, environment, flag }

/// A problem that a person should know about although the run continues.
package enum Warning: Hashable, Sendable {
  case usageAboveWarning(used: ByteCount, budget: ByteCount)
  case pinsOverBudget(lacking: ByteCount)
  /// The files that must not be evicted exceed the budget by themselves. Nothing else was evicted for them.
  case protectedOverBudget(lacking: ByteCount)
  /// The usage exceeds the budget although everything that may be evicted is gone.
  case overBudget(lacking: ByteCount)
  case playlistOverBudget(PlaylistName, lacking: ByteCount)
  /// The pinned items of the playlist, present or still to come, exceed its share.
  case pinsOverShare(PlaylistName, lacking: ByteCount)
  case freeSpaceBelowMinimum(free: ByteCount, minimum: ByteCount)
  case changedByOthers(path: LibraryPath)
  /// The file stays where it is.
  case notMoved(path: LibraryPath, to: LibraryPath, FileError)
  /// The file should be removed, but its folder or the file system does not permit it.
  case notRemoved(path: LibraryPath, FileError)
  /// - Parameter unusableSince: Set if the document has been unusable for too long to be an accident.
  case sourceNotWhole(PlaylistName, SourceProblem, unusableSince: Timestamp? = nil)
  /// The source has no entries and never had any.
  case sourceEmpty(PlaylistName)
  case reportNotWritten(FileError)
  case historyNotRead(path: String, HistoryProblem)
  /// The player's local times were taken for UTC.
  case historyZoneAssumed(path: String, isImport: Bool)
  /// There is no log of plays although plays were recorded.
  case playLogMissing
  case listingFlaw(PlaylistName, ListingFlaw)
  /// The number of further flaws in the same feed. The JSON report lists them.
  case moreListingFlaws(PlaylistName, Int)
  case implausibleClock(now: Timestamp, latestSeen: Timestamp)
  case recovered(RecoveryNote)
  /// The library or its state is on a disk that other machines may use too.
  case sharedDisk(path: String, type: String)
  /// Other users could write to the state folder.
  /// - Parameter isClosed: True if they no longer can.
  case stateOpenToOthers(path: String, isClosed: Bool)
  /// Other users could read the contents of the folder. They no longer can.
  case stateReadableByOthers(path: String)
  /// A folder of the library that syncjob has no permission to read. Its contents were not inspected.
  case folderPassedOver(FileError)
  /// Something other than a folder is where files are to be put.
  case folderObstructed(path: LibraryPath, files: Int)
  /// A folder that accepts no new files, where files are to go.
  case folderClosed(path: LibraryPath, ErrnoCode, files: Int)
  /// A folder that may not be searched, where finished files should be. They are neither fetched again nor changed.
  case filesUnreachable(path: LibraryPath, ErrnoCode, files: Int)
  /// The playlist's file would have this name, but a file that is not ours has it.
  /// - Parameter instead: The name that the playlist's file has. Nil if it is not written.
  case playlistFileTaken(PlaylistName, name: String, instead: String?)
  /// Another run is using the inspected library.
  /// - Parameter holder: The holder of the lock. Nil if it did not record itself.
  case runUnderWay(holder: String?)
  /// A file with a secret that every user of the machine can read.
  case secretIsPublic(path: String)
  /// Nothing at all could be reached.
  case offline
  /// The circuit is open: the host failed this many times in a row, last with this failure. It is not asked again in
  /// this run.
  case hostLeftAlone(RemoteURL.Origin, times: Int, Failure)
}
