// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// The stages from the desired state to the plan: observe, reconcile, plan. Nothing is changed.
struct Planning {
  let view: LibraryView
  private(set) var desired: DesiredState
  private(set) var conditions: FetchConditions
  /// The playlists in the run's scope. Nil for all.
  let scope: Set<PlaylistName>?
  let now: Timestamp

  init(view: LibraryView, desired: DesiredState, scope: Set<PlaylistName>?, now: Timestamp) {
    (self.view, self.desired, self.scope, self.now) = (view, desired, scope, now)
    conditions = FetchConditions(view.context.manifest.power, battery: view.context.battery)
  }

  private var manifest: Manifest { view.context.manifest }

  /// The plan of a run that only rebuilds a lost state.
  /// - Returns: nil if the task was cancelled.
  func rebuild(
    after loss: StateLoss, _ emit: @escaping @Sendable (RunEvent) -> Void
  ) async throws(JobError) -> Plan? {
    let rebuild = LibraryRebuild(
      library: view.library, manifest: manifest, loss: loss, now: now, opening: try view.opening(),
      emit: emit)
    do throws(FileError) { return try await rebuild.plan(view.queue, desired) } catch { throw .file(error) }
  }

  /// - Returns: The items that are fetched in a lower quality than they are wanted in, if they are fetched.
  mutating func limitQuality(_ seen: LibraryObservation) -> Set<ItemID> {
    conditions.cap.map { desired.limitQuality(to: $0, view.queue, seen) } ?? []
  }

  func observe() throws(JobError) -> LibraryObservation {
    let observer = LibraryObserver(
      library: view.library, manifest: manifest, trustsPartialLengths: view.state.isSameBoot, now: now)
    do throws(FileError) {
      // Files that exchanged their places are put right together, so all of them have to be in the run's scope.
      return try observer.observe(
        view.queue, desired: desired, findsStrayed: true, findsExchanged: scope == nil, lapse: view.state.lapse)
    } catch { throw .file(error) }
  }

  /// - Parameters:
  ///   - seen: completed by the files that are to go and that the trash cannot receive.
  ///   - inputs: everything in the manifest and the secrets that a transfer depends on.
  mutating func reconcile(
    _ seen: inout LibraryObservation, _ inputs: TransferInputs
  ) async throws(JobError) -> Reconciliation {
    var reconciliation = Reconciliation(
      desired: desired, queue: view.queue, seen: seen, terms: terms(inputs), parts: ParallelParts(), now: now)
    if reconciliation.wantsFiles {
      conditions.isMetered = await view.context.isDeferredByNetwork()
      reconciliation.keepWhatOthersDisplace(conditions)
    }
    do throws(FileError) { seen.stuck = try stuck(reconciliation) } catch { throw .file(error) }
    return reconciliation
  }

  private func terms(_ inputs: TransferInputs) -> Reconciliation.Terms {
    var terms = Reconciliation.Terms(manifest.storage, inputs: inputs, scope: scope)
    if desired.usesLicenses { terms.licenses = LicenseTerms(manifest.licenses, at: view.clock.now()) }
    return terms
  }

  /// - Parameters:
  ///   - seen: completed by the paths that foreign files have taken.
  ///   - listsKept: false if the number of items that only stay is enough.
  ///   - warnsOfObstacles: true for a preview. A run warns about each file that cannot be put in its place.
  func plan(
    _ reconciliation: Reconciliation, _ seen: inout LibraryObservation, listsKept: Bool, warnsOfObstacles: Bool
  ) throws(JobError) -> Plan {
    let doubt = view.clockDoubt
    var options = view.context.options.plan
    options.isClockPlausible = doubt == nil
    options.listsKept = listsKept
    options.protection = ProtectionTarget(manifest.protect, view.context.keys)
    options.conditions = conditions
    do throws(FileError) {
      var (plan, obstacles) = try fitted(&seen) { seen in
        Plan(
          reconciliation, seen: seen, manifest: manifest, options: options, parts: ParallelParts(), now: now)
      }
      if warnsOfObstacles { plan.warnings += obstacles.warnings }
      if let doubt { plan.warnings.append(doubt) }
      return plan
    } catch { throw .file(error) }
  }

  /// The files that are to go and that the trash cannot receive. They stay, so they make no room.
  private func stuck(_ reconciliation: Reconciliation) throws(FileError) -> [ItemID: FileError] {
    guard manifest.storage.trashKeep > .zero, let root = view.library.mediaRoot else { return [:] }
    var ways = try FolderWays(below: root, view.library.files)
    var stuck: [ItemID: FileError] = [:]
    let entries = reconciliation.entries
    for index in entries.indices {
      guard case .remove = entries[index].need, let file = entries[index].queued.state.storedFile else { continue }
      stuck[entries[index].queued.id] = try ways.obstacle(toTrashing: file.path)
    }
    return stuck
  }

  /// A plan that avoids paths where foreign files are. The next name of an item may be taken as well, so this repeats
  /// until the plan meets no more of them.
  private func fitted(
    _ seen: inout LibraryObservation, _ make: (LibraryObservation) -> Plan
  ) throws(FileError) -> (Plan, Obstacles) {
    while true {
      let plan = make(seen)
      let obstacles = try Obstacles(to: plan, view.queue, in: view.library)
      guard !obstacles.taken.isSubset(of: seen.occupied) else { return (plan, obstacles) }
      seen.occupied.formUnion(obstacles.taken)
    }
  }
}

/// The stages that need the network.
extension Run {
  /// Reads the sources and decides which playlists there are.
  /// - Parameter keeps: true if the answers may be kept for the next run.
  func resolve(
    _ view: LibraryView, keeps: Bool, _ network: Network, _ recorder: ReportRecorder
  ) async throws(JobError) -> Resolution {
    let manifest = context.manifest
    let client = manifest.hasRemoteSource(in: context.options.scope) ? try await network.start() : nil
    var access = SourceAccess(
      fetcher: client.map { CurlSourceFetcher($0) }, keeps: keeps, minimumFree: manifest.storage.minFree,
      mask: network.settings.mask, ytdlp: network.settings.ytdlp,
      manifestDigest: { SHA256Digest(of: EffectiveManifest.text(manifest).utf8) })
    access.lists = LocalListReader(library: view.library, playlists: manifest.playlists, queue: view.queue) {
      recorder.emit(.warned($0))
    }.read()
    let reader = SourceReader(
      library: view.library, access: access,
      now: view.clock.now(), emit: recorder.emit,
      isOffline: {
        guard let client, await client.isOffline else { return false }
        await client.announceOffline()
        return true
      })
    var resolution = await reader.read(
      manifest.playlists, states: view.queue.sources, scope: context.options.scope)
    resolution.wantsDetails = manifest.tags.isOn
    resolution.lists = access.lists
    if let limit = manifest.report.staleAfter, !Task.isCancelled {
      for (playlist, news) in resolution.staleSources(after: limit, at: view.clock.now()) {
        recorder.emit(.warned(.sourceStale(playlist, news, limit: limit)))
      }
    }
    return resolution
  }

  /// Asks servers for plays. A preview and the application of a saved plan ask none: a plan must not depend on plays that
  /// are not recorded.
  func pullPlays(
    _ view: LibraryView, _ resolution: Resolution, _ journal: JournaledQueue?, _ network: Network,
    _ recorder: ReportRecorder
  ) async throws(JobError) -> [ServerHistories.Answer] {
    guard journal != nil, context.options.savedPlan == nil, view.readsHistories else { return [] }
    return try await ServerHistories(view, recorder).pull(resolution, network)
  }

  /// Carries out a plan. A rebuild is complete when the adopted files are durable.
  /// - Parameter client: Nil if the plan fetches nothing.
  func execute(
    _ plan: consuming Plan, _ library: OpenLibrary, _ client: HTTPClient?, _ recorder: ReportRecorder,
    _ mask: SecretMask
  ) async throws(JobError) {
    let view = library.view
    // A plan that must not be carried out changes nothing.
    let mayGiveUp = plan.safetyStop == nil
    let opening = context.opening(view.queue, contentKeys: view.licenses?.keys ?? [:])
    var fetcher: LicenseFetcher?
    if let store = view.licenses, let client, plan.needsLicenses {
      // A saved plan has prepared nothing.
      if !store.isKept { try view.prepare(store, recorder) }
      fetcher = licenseFetcher(view, library.journal, store, client)
    }
    // Handed over and not copied: the executor drops each part of a large plan once it is done.
    var rest = Optional(plan)
    await ItemHooks(context, recorder, mask).around { emit in
      guard let plan = rest.take() else { return }
      var executor = Executor(
        plan: plan, manifest: context.manifest, library: view.library, journal: library.journal, clock: view.clock,
        tags: context.tags, sealing: context.sealing(view.queue, licensed: fetcher != nil), opening: opening,
        fetcher: fetcher,
        emit: emit)
      await executor.run(client)
    }
    if mayGiveUp, recorder.current.storageFailure == nil { try library.giveUpLicenses(recorder.emit) }
    if let client, await client.isOfflineAfterRetries { await client.announceOffline() }
    if view.state.loss != nil { library.endRebuilding(recorder) }
  }
}

/// A plan and the observations on which it is based.
struct PreparedPlan: Sendable {
  var plan: Plan
  let desired: DesiredState
  // Both are nil for a rebuild.
  var seen: LibraryObservation?
  var reconciliation: Reconciliation?
  /// The counts of plays that servers told with their songs, by the songs' ids.
  var songCounts: [PlaylistName: [String: Int]] = [:]
  /// The syncs of playlists.
  var listSyncs: [PlannedListSync] = []
  /// The synced playlists that left their servers.
  var abandonedLists: [PlaylistName] = []
}
