// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
package import SyncFormats
import SyncNet

/// The job on one library. Its method `run` shows what one invocation does.
package struct Job: Sendable {
  let manifest: Manifest
  let options: JobOptions
  let userAgent: String
  let clock: any WallClock
  /// The file system of the library and its state.
  let files: any FileSystem

  package init(
    manifest: Manifest, options: JobOptions, userAgent: String, files: any FileSystem = POSIXFileSystem()
  ) {
    self.manifest = manifest
    self.options = options
    self.userAgent = userAgent
    self.files = files
    clock = options.now.map { ShiftedClock(startingAt: $0) } ?? SystemClock()
  }

  /// The present time for this job.
  package var now: Timestamp { clock.now() }

  /// Does one run: open, read the sources, compare, plan, act, report.
  /// - Parameters:
  ///   - stops: yields the exit status of a signal that asks the run to end.
  ///   - listener: called for every event, on the thread on which it happens.
  package func run(
    stopping stops: AsyncStream<ExitStatus>, _ listener: @escaping @Sendable (RunEvent) -> Void
  ) async throws(JobError) -> RunReport {
    try await Interruption.watching(stops) { interruption throws(JobError) in
      let recorder = ReportRecorder(name: manifest.name, startedAt: now, listener: listener)
      recorder.announce()
      try checkSavedPlan()
      var (library, opened, ledger) = try await open(for: .run)
      if opened.cleaned.files > 0 {
        recorder.emit(.trashEmptied(files: opened.cleaned.files, freed: opened.cleaned.freed))
      }
      try options.savedPlan?.check(try played(opened, library).queue)
      let historyFiles = manifest.history.fingerprint
      await NetworkWait(emit: recorder.emit).run(for: manifest, upTo: options.networkWait)
      let network = try network(library, began: recorder.began, emit: recorder.emit)
      var notOurs: Set<ItemID> = []
      var settled: FingerprintDraft?
      if let plan = try await prepare(library, &opened, network, recorder, ledger)?.plan {
        notOurs = Set(plan.changedByOthers)
        settled = self.settled(plan, opened, historyFiles)
        var action = PlanAction(
          plan: consume plan, manifest: manifest, library: library, ledger: ledger,
          clock: steadyClock(opened), emit: recorder.emit)
        await action.run(network)
        if network.settings.watch.isOfflineAfterRetries { network.settings.watch.announceOffline() }
        if opened.loss != nil { endRebuilding(library, ledger, recorder) }
      }
      await network.close()
      network.settings.hsts.keep(in: library, at: now)
      return try finish(library, ledger, notOurs: notOurs, recorder, interruption) { queue, report in
        settle(settled, library, queue, report)
      }
    }
  }

  /// The plan of a run, without changing anything.
  package func plan() async throws(JobError) -> Plan { try await rehearse().preparation.plan }

  /// The same as a run up to the plan, in a library that is only read.
  /// - Parameter namesAll: True if the ids of all entries of the sources are needed, as a saved plan records them.
  func rehearse(namesAll: Bool = false) async throws(JobError) -> (preparation: Preparation, opened: OpenedState) {
    let recorder = ReportRecorder(name: manifest.name, startedAt: now)
    var (library, opened) = try look(for: .run)
    await NetworkWait().run(for: manifest, upTo: options.networkWait)
    let network = try network(library, emit: recorder.emit)
    let preparation = try await prepare(library, &opened, network, recorder, nil, namesAll: namesAll)
    await network.close()
    guard let preparation else { throw .interrupted(.terminated) }
    var plan = preparation.plan
    // Includes those of the sources: a preview must show what the run will report.
    plan.warnings = recorder.current.warnings
    plan.sources = recorder.current.sources
    let (desired, seen) = (preparation.desired, preparation.seen)
    return (
      Preparation(plan: plan, desired: desired, seen: seen, reconciliation: preparation.reconciliation), opened
    )
  }

  /// The reasons why a run would treat items as it does now, without changing anything.
  /// - Parameter names: ids, beginnings of them, or titles.
  package func explain(_ names: [String]) async throws(JobError) -> Result<[Explanation], ItemSelector.Problem> {
    let now = now
    let (preparation, opened) = try await rehearse()
    // Includes items that the sources name but the queue does not know yet, or would not record.
    let entries = preparation.reconciliation?.entries ?? []
    let all = Queue(
      libraryID: opened.queue.libraryID, savedAt: opened.queue.savedAt, items: entries.map(\.queued))
    do throws(ItemSelector.Problem) {
      var explanations: [Explanation] = []
      for name in names {
        let id = try ItemSelector.find(name, in: all).id
        guard !explanations.contains(where: { $0.item.id == id }) else { continue }
        let explanation = preparation.reconciliation.flatMap {
          Explanation(id, in: $0, preparation.plan, known: opened.queue[id], manifest: manifest, now: now)
        }
        guard let explanation else { throw .unknown(name, nearest: nil) }
        explanations.append(explanation)
      }
      return .success(explanations)
    } catch { return .failure(error) }
  }

  /// The known facts about the library, without a request to any server.
  /// - Parameter scope: the playlists to include; nil for all.
  /// - Returns: the status, and warnings about damage of the state.
  package func status(of scope: Set<PlaylistName>? = nil) throws(JobError) -> (LibraryStatus, [Warning]) {
    let (library, opened) = try look()
    let queue = judged(opened.queue, in: library)
    let observer = LibraryObserver(library: library, manifest: manifest, trustsPartialLengths: false, now: now)
    let notOurs: Set<ItemID>
    do throws(FileError) { notOurs = try observer.changedByOthers(queue) } catch { throw .file(error) }
    let healths = SourceHealthStore(library: library).read()
    let status = LibraryStatus(
      manifest: manifest, queue: queue, scope: scope, notOurs: notOurs, orphans: orphans(library, queue),
      storage: try storage(library, queue, notOurs: notOurs), now: now,
      health: { healths[$0] ?? SourceHealth(queue.sources[$0]) })
    return (status, opened.damage)
  }

  /// The contents of the queue file, its finished items that no playlist names, and warnings about damage.
  package func queue() throws(JobError) -> (queue: Queue, orphans: Set<ItemID>, damage: [Warning]) {
    let (library, opened) = try look()
    return (judged(opened.queue, in: library), orphans(library, opened.queue), opened.damage)
  }

  /// The orphans, as far as the manifest and the copies of its feeds show.
  private func orphans(_ library: Library, _ queue: Queue) -> Set<ItemID> {
    // A playlist that keeps items which its source no longer lists has no orphans, unless it takes over another one's
    // items.
    let isAnyGone = !Set(queue.sources.keys).isSubset(of: manifest.playlists.map(\.name))
    return SourceCopies(library: library, manifest: manifest)
      .desired(queue, where: { $0.mirror || isAnyGone }, now: now)
      .orphans(of: queue, playlists: manifest.playlists)
  }

  /// No secret is read for this: a failure that depends only on a changed secret is shown as before, until the next
  /// run.
  private func judged(_ queue: Queue, in library: Library) -> Queue {
    TransferInputs(manifest, largest: library.rules.maximumFileSize)
      .judged(queue, message: Failure.inputsChangedWords)
  }

  /// Locks the library for edits of its queue.
  package func beginEdit(_ purpose: EditPurpose = .change) async throws(JobError) -> QueueEditor {
    let (library, opened, ledger) = try await open(for: purpose.opening)
    return QueueEditor(
      library: library, ledger: ledger, manifest: manifest, clock: steadyClock(opened),
      warnings: opened.allWarnings, clockDoubt: clockDoubt(opened))
  }

  /// The purpose of an edit, which decides what a full disk means for it.
  package enum EditPurpose: Sendable {
    /// To change the queue. A full disk prevents it.
    case change
    /// To move files back into the library.
    case undo
    /// To remove files from the library.
    case makeRoom

    fileprivate var opening: OpeningPurpose {
      switch self {
      case .change: .edit
      case .undo: .undo
      case .makeRoom: .makeRoom
      }
    }
  }

  /// Marks the library as initialised.
  package func initialise() async throws(JobError) -> Initialisation {
    let isNew = try look(for: .initialise).1.isNew
    let (library, _, ledger) = try await open(for: .initialise)
    let owner = try claim(library)
    try ledger.close(at: now)
    return isNew ? .made : owner.map { .takenOver(from: $0) } ?? .known
  }

  /// The result of marking a library.
  package enum Initialisation: Equatable, Sendable {
    case made
    /// It belonged to this manifest already.
    case known
    /// It belonged to the manifest of that name.
    case takenOver(from: String)
  }
}
