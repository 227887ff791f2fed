// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// Adopts the files of a collection for items that have none. The items are those that a run would want now, so the
/// sources are read first. Nothing is removed from the library, and nothing is fetched.
package struct ImportFiles: Sendable {
  private var context: JobContext
  private let request: Request

  package struct Request: Sendable {
    /// The folder of the collection.
    package var folder: String
    /// True if a file leaves the collection once it is in the library.
    package var isMove: Bool
    /// True if nothing is done but planning. Then nothing is locked.
    package var isDryRun: Bool

    package init(folder: String, isMove: Bool, isDryRun: Bool) {
      (self.folder, self.isMove, self.isDryRun) = (folder, isMove, isDryRun)
    }
  }

  private let listener: @Sendable (RunEvent) -> Void

  /// - Parameter listener: Called for the events of planning, and for the progress.
  package init(
    _ context: JobContext, _ request: Request, _ listener: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) {
    (self.context, self.request, self.listener) = (context, request, listener)
  }

  /// - Parameter stops: Yields the exit status of a signal that asks the import to end.
  /// - Returns: The result, the warnings of the library, and the results of reading the sources.
  package func perform(
    stopping stops: AsyncStream<ExitStatus>
  ) async throws(JobError) -> (CollectionImport, [Warning], [SourceSummary]) {
    try await Interruption.watching(stops) { interruption throws(JobError) in
      let recorder = ReportRecorder(context, listener: listener)
      var keyed = self
      keyed.context = try await context.withKeys(recorder.emit)
      var result = request.isDryRun ? try await keyed.rehearse(recorder) : try await keyed.take(recorder)
      result.interruption = interruption.status
      return (result, recorder.current.warnings, recorder.current.sources)
    }
  }

  private func rehearse(_ recorder: ReportRecorder) async throws(JobError) -> CollectionImport {
    var view = try LibraryOpener(context).look(for: .run)
    guard view.state.loss == nil else { throw .stateLost(library: context.manifest.library.path) }
    let walk = try walk(view.library)
    let (plan, _) = try await prepare(&view, nil, walk, recorder)
    return plan.result
  }

  private func take(_ recorder: ReportRecorder) async throws(JobError) -> CollectionImport {
    var library = try await LibraryOpener(context).open(for: .edit)
    let journal = library.journal
    do throws(JobError) {
      let walk = try walk(library.view.library)
      var (plan, prepared) = try await prepare(&library.view, journal, walk, recorder)
      do throws(Failure) {
        try record(prepared, plan, library)
        try await carryOut(&plan, library, walk)
      } catch { plan.result.stopped = error }
      let failure = end(library, prepared.desired.playlists, plan.result, recorder)
      plan.result.stopped = plan.result.stopped ?? failure
      return plan.result
    } catch {
      try journal.close(at: context.now)
      throw error
    }
  }

  private func walk(_ library: Library) throws(JobError) -> CollectionWalk {
    do throws(FileError) { return try CollectionWalk(request.folder, library: library) } catch { throw .file(error) }
  }

  private func prepare(
    _ view: inout LibraryView, _ journal: JournaledQueue?, _ walk: CollectionWalk, _ recorder: ReportRecorder
  ) async throws(JobError) -> (CollectionPlan, PreparedPlan) {
    let network = try await context.connect(view.library, recorder)
    let prepared = try await Run(context).prepare(&view, journal, network, recorder)
    await network.close(keepingHSTSAt: journal == nil ? nil : context.now)
    guard let prepared, let reconciliation = prepared.reconciliation, let seen = prepared.seen else {
      throw .interrupted(.terminated)
    }
    let queue = view.queue
    var plan = CollectionPlan(
      reconciliation.lacking(view.library.rules.naming),
      CollectionImport(folder: walk.folder.path, isDryRun: request.isDryRun))
    let planner = CollectionPlanner(
      context: context, library: view.library, walk: walk, isMove: request.isMove, emit: listener)
    let room = ImportRoom(
      context.manifest.storage, used: prepared.plan.storage.before, free: seen.freeSpace,
      playlists: prepared.desired.playlists, queue)
    do throws(FileError) { try await planner.plan(&plan, room, besides: queue) } catch { throw .file(error) }
    guard !Task.isCancelled else { throw .interrupted(.terminated) }
    return (plan, prepared)
  }

  /// Records what a run would record before it fetches. A plan that no run carries out changes only the items that get
  /// files.
  private func record(
    _ prepared: PreparedPlan, _ plan: CollectionPlan, _ library: OpenLibrary
  ) throws(Failure) {
    var recorded = prepared.plan
    if recorded.safetyStop != nil {
      let ids = Set(plan.result.lines.map(\.id))
      recorded.bookkeeping = recorded.bookkeeping.filter { change in
        if case .item(let item) = change { ids.contains(item.id) } else { false }
      }
    }
    var executor = Executor(
      plan: recorded, manifest: context.manifest, library: library.view.library, journal: library.journal,
      clock: library.view.clock, emit: { _ in })
    try executor.record()
  }

  private func carryOut(
    _ plan: inout CollectionPlan, _ library: OpenLibrary, _ walk: CollectionWalk
  ) async throws(Failure) {
    let publisher: Publisher
    do throws(FileError) {
      publisher = try Publisher(
        library: library.view.library, journal: library.journal, clock: library.view.clock,
        naming: library.view.library.rules.naming, sealing: context.sealing(library.view.queue))
    } catch { throw error.failure }
    let intake = CollectionIntake(publisher, from: walk.folder, sniffs: context.manifest.checks.sniff)
    let places = plan.result.lines.indices.filter { plan.result.lines[$0].outcome == .planned }
    for start in stride(from: 0, to: places.count, by: PublicationGroup.maximum) where !Task.isCancelled {
      listener(.worked(RunWork(.importingFiles, done: start, of: places.count)))
      let group = places[start..<min(places.count, start + PublicationGroup.maximum)]
      let results = try await intake.take(group.compactMap { plan.orders[$0] })
      for (place, result) in zip(group, results) {
        plan.result.lines[place].outcome = result.outcome
        if let path = result.path { plan.result.lines[place].path = path }
      }
    }
  }

  /// - Returns: The failure that kept the state or a playlist from being written. The result tells it, with everything
  /// that was imported.
  private func end(
    _ library: OpenLibrary, _ playlists: [Playlist], _ result: CollectionImport, _ recorder: ReportRecorder
  ) -> Failure? {
    // After a failure, the journal has what could be saved. Another write could only make it wrong.
    guard result.stopped == nil || result.stopped?.kind == .storageFull else { return nil }
    var failure: Failure?
    do throws(FileError) {
      if PlaylistFiles.show(library.journal.changes) {
        for format in context.manifest.report.playlistFormats {
          let files = PlaylistFiles(
            library: library.view.library, playlists: playlists, format: format,
            listsSealed: context.manifest.report.sealedInPlaylists)
          for warning in try files.write(library.journal.queue) { recorder.emit(.warned(warning)) }
        }
      }
    } catch { failure = error.failure }
    do throws(Failure) {
      try library.journal.close(orStopping: context.now, closingJournalFrom: context.options.longQueue)
    } catch { failure = failure ?? error }
    return failure
  }
}
