// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// Carries out the steps of a plan in this order: record them in the queue, remove and evict files, adopt files, move
/// files, fetch media.
struct Executor {
  private(set) var plan: Plan
  let manifest: Manifest
  let library: Library
  let journal: JournaledQueue
  let clock: any WallClock
  let emit: @Sendable (RunEvent) -> Void
  /// Nil if files cannot be examined.
  let tags: (any TagEditor)?
  /// Nil for a library in clear.
  let sealing: SealSettings?
  /// The keys for files that are sealed already. Nil without keys.
  let opening: SealSettings?
  /// Obtains licences. Nil if the plan fetches nothing.
  let fetcher: LicenseFetcher?
  /// The bytes that the plan counts as freed but that the system did not release.
  private var unfreed = ByteCount.zero

  init(
    plan: consuming Plan, manifest: Manifest, library: Library, journal: JournaledQueue, clock: any WallClock,
    tags: (any TagEditor)? = nil, sealing: SealSettings? = nil,
    opening: SealSettings? = nil, fetcher: LicenseFetcher? = nil, emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.manifest = manifest
    self.library = library
    self.journal = journal
    self.clock = clock
    self.tags = tags
    self.sealing = sealing
    self.opening = opening
    self.fetcher = fetcher
    self.emit = emit
  }

  /// Ends early, with everything in order, if its task is cancelled.
  /// - Parameter client: Nil if the plan fetches nothing.
  mutating func run(_ client: HTTPClient?) async {
    guard beforeFetching(), let client else { return }
    await fetch(client)
  }

  /// Does everything that needs no network.
  /// - Returns: False if nothing may be done or nothing more can be written.
  mutating func beforeFetching() -> Bool {
    guard plan.safetyStop == nil else { return false }
    do throws(Failure) {
      // This needs no record, and the disk may have no room for one until then.
      if plan.emptiesTrash { try emptyTrash(strays: []) }
      try record()
      try makeRoom()
      try adopt()
      try Moves(library: library, journal: journal, clock: clock, emit: emit).run(plan.moves)
      if let opening {
        try Reprotection(
          library: library, journal: journal, clock: clock, settings: opening,
          seals: manifest.protect.mode == .encrypt, emit: emit
        ).run(plan.protections)
      }
      return true
    } catch {
      emit(.storageFailed(error))
      return false
    }
  }

  /// Brings the queue up to date with what was observed, and does nothing else.
  mutating func record() throws(Failure) {
    try flushPartials()
    try journal.apply(plan.bookkeeping)
    // The queue has these changes now, and they may be as large as the queue.
    plan.bookkeeping = []
  }

  private mutating func makeRoom() throws(Failure) {
    var files = Removals(library: library, journal: journal, trashKeep: manifest.storage.trashKeep, clock: clock)
    for removal in plan.removals {
      guard !Task.isCancelled else { return }
      try take(removal, &files)
    }
    // The trash comes last, because files that were just moved there may have to be deleted for good.
    try emptyTrash(strays: plan.strayPartials)
  }

  private mutating func take(_ removal: RemovalStep, _ files: inout Removals) throws(Failure) {
    let (id, cause) = (removal.item.queued.id, removal.cause)
    switch try files.remove(id, cause: cause) {
    case .freed(let freed)?: emit(.removed(id, cause, freed: freed))
    case .notOurs(let path)?: emit(.warned(.changedByOthers(path: path)))
    case .refused(let path, let error)?:
      // The plan counts these as freed, and files that it moves into a trash that it then empties.
      if cause == .evicted || manifest.storage.trashKeep == .zero || plan.emptiesTrash { unfreed += removal.size }
      emit(.warned(.notRemoved(path: path, error)))
    // The queue has no file for the item any more. Nothing was removed, so nothing is reported.
    case nil: break
    }
  }

  /// - Parameter strays: The partials that no item continues.
  private func emptyTrash(strays names: [String]) throws(Failure) {
    let removal = Removals(library: library, journal: journal, trashKeep: manifest.storage.trashKeep, clock: clock)
    do throws(FileError) {
      let strays = try removal.dropPartials(names)
      var trash = TrashFolder.Emptied()
      if !plan.warnings.contains(where: \.isOfClock) { trash = try removal.emptyTrash(all: plan.emptiesTrash) }
      let isForRoom = plan.emptiesTrash && trash.files > 0
      if isForRoom { emit(.trashEmptied(files: trash.files, freed: trash.freed)) }
      let old = isForRoom ? TrashFolder.Emptied() : trash
      let (files, freed) = (strays.files + old.files, strays.freed + old.freed)
      if files > 0 { emit(.cleaned(files: files, freed: freed)) }
    } catch { throw error.failure }
  }

  private func adopt() throws(Failure) {
    let adoptions = plan.adoptions
    // A killed `undo` may have put a file back without a flush.
    do throws(FileError) {
      try UnflushedNames(library: library).flush(adoptions.map(\.file.path))
    } catch { throw error.failure }
    for adoption in adoptions {
      let id = adoption.item.queued.id
      var file = adoption.file
      // A file that was only away for a while keeps its age.
      if file != journal.item(id)?.lastFile { file.completedAt = max(file.completedAt, clock.now()) }
      try journal.complete([(id, file)], at: clock.now())
      emit(.adopted(id, file, state: journal.item(id)?.license?.told ?? .offlinedAndValid))
    }
  }

  /// Flushes the bytes that an earlier run left in the system's cache and on which this run builds, before they are
  /// recorded.
  private func flushPartials() throws(Failure) {
    var partials = plan.continuedPartials
    for case .item(let item) in plan.bookkeeping {
      if let partial = item.partial { partials.insert(partial.name) }
    }
    do throws(FileError) {
      for name in partials.sorted() {
        do throws(FileError) { try library.files.flush(library.partial(name)) } catch {
          guard error.isMissing else { throw error }
        }
      }
    } catch { throw error.failure }
  }

  private mutating func fetch(_ client: HTTPClient) async {
    var downloads = plan.downloads
    guard !downloads.isEmpty, !Task.isCancelled else { return }
    let room: SpaceReservations
    let publisher: Publisher
    do throws(Failure) {
      // Items that were evicted once are queued again before they are fetched again.
      for download in downloads { try journal.requeueEvicted(download.id, at: clock.now()) }
      do throws(FileError) {
        let expected = plan.room(free: try library.files.space(at: library.root).available)
        room = SpaceReservations(
          policy: manifest.storage, usedAfterPlan: expected.used + unfreed, freeAfterPlan: expected.free,
          shares: plan.shares)
        publisher = try Publisher(
          library: library, journal: journal, clock: clock,
          naming: library.rules.naming, tags: tags, sealing: sealing)
      } catch { throw error.failure }
    } catch { return emit(.storageFailed(error)) }
    if await client.isOffline {
      await client.announceOffline()
      sitOut(downloads.filter { !$0.isOfFile })
      downloads.removeAll { !$0.isOfFile }
      if downloads.isEmpty { return }
    }
    // The downloads have what they need, and the steps may be as large as they are.
    plan.steps = []
    let downloader = Downloader(client: client, publisher: publisher, room: room, emit: emit)
    let licenses = DownloadLicenses(downloads, fetcher, journal, opening?.contentKeys ?? [:])
    downloads = await licenses.obtainFirst(downloads, downloader)
    await licenses.obtainRest(downloader) { [downloads] in await run(downloads, downloader) }
  }

  /// Used if reading the sources has already shown that nothing can be reached.
  private func sitOut(_ downloads: [PlannedDownload]) {
    for download in downloads { emit(.paused(download.id, kept: download.task.partial?.received ?? .zero)) }
  }

  private func run(_ downloads: [PlannedDownload], _ downloader: Downloader) async {
    // Upgrades wait until everything new is fetched, because only then the remaining room is known. Only those that make
    // room for it come before.
    let first = downloads.filter(\.makesRoom)
    let upgrades = downloads.filter { $0.$replaced != nil && !$0.makesRoom }
    let new = first.isEmpty && upgrades.isEmpty ? downloads : downloads.filter { $0.$replaced == nil }
    let failures: [ItemID: Failure]
    do throws(FileError) {
      var folders = try TargetFolders(in: library)
      failures = try folders.failures(of: downloads)
    } catch { return emit(.storageFailed(error.failure)) }
    await withTaskCancellationHandler {
      if !first.isEmpty { await downloader.run(first, failures: failures) }
      await downloader.run(new, failures: failures)
      if !upgrades.isEmpty { await downloader.run(upgrades, failures: failures) }
    } onCancel: {
      Task { await downloader.stopSoon() }
    }
  }
}

extension PlannedDownload {
  /// True if a file on this machine is copied first, which needs no network.
  fileprivate var isOfFile: Bool { task.candidates[0].candidate.url.isFile }
}
