// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// One run: the stages in order, each as one call. `RunPreview` ends before the plan is carried out.
package struct Run: Sendable {
  let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// Opens the library, makes the plan, carries it out and writes the report.
  /// - Parameters:
  ///   - stops: yields the exit status of a signal that asks the run to end.
  ///   - listener: called for every event, on the thread on which it happens.
  package func perform(
    stopping stops: AsyncStream<ExitStatus>, _ listener: @escaping @Sendable (RunEvent) -> Void
  ) async throws(JobError) -> RunReport {
    do throws(JobError) {
      return try await Interruption.watching(stops) { interruption throws(JobError) in
        let recorder = ReportRecorder(context, listener: listener)
        recorder.announce()
        let context = try await context.withKeys(recorder.emit)
        let end = try await Run(context).performToReport(recorder, interruption)
        return await RunHook(context: context, recorder: recorder, interruption: interruption).call(after: end)
      }
    } catch {
      RunMetrics.record(error, in: context)
      throw error
    }
  }

  private func performToReport(
    _ recorder: ReportRecorder, _ interruption: Interruption
  ) async throws(JobError) -> EndedRun {
    try mode.checkBeforeOpening()
    var library = try await LibraryOpener(context).open(for: .run)
    recorder.emitTrash(library.view.state.cleaned)
    try mode.check(library.view)
    var record = UpToDateRecord(context)
    let network = try await context.connect(library.view.library, recorder)
    var ending = RunEnding(library, recorder, interruption)
    let naming = unselectedNaming(library.view)
    let prepared = try await prepare(&library.view, library.journal, network, recorder, naming: naming)
    // A run that fetches takes its time, and needs the memory.
    if let prepared, !prepared.plan.fetchesAnything {
      UntilExit.keep((prepared.desired, prepared.seen, prepared.reconciliation))
    }
    if let (plan, playlists, counts, lists) = prepared.map({
      ($0.plan, $0.desired.playlists, $0.songCounts, ($0.listSyncs, $0.abandonedLists))
    }) {
      (ending.playlists, ending.usesLicenses) = (playlists, library.view.licenses != nil)
      ending.notOurs = Set(plan.changedByOthers)
      record.expect(plan, library.view)
      let client = plan.fetchesAnything ? try await network.start() : nil
      try await execute(consume plan, library, client, recorder, network.settings.mask)
      await library.exchangeLists(lists.0, lists.1, network, recorder)
      await library.pushPlays(playlists, counts, network, recorder)
    }
    await network.close(keepingHSTSAt: context.now)
    var end = try ending.close(record)
    end.mask = network.settings.mask
    return end
  }

  /// Makes the plan. Changes nothing but the cache of sources and the counts of plays.
  /// - Parameters:
  ///   - view: updated with new plays and with decisions about items that are new in the queue.
  ///   - journal: nil if the library is only inspected.
  ///   - naming: the treatment of entries that no playlist selects.
  ///   - listsKept: false if the number of items that only stay is enough.
  /// - Returns: nil if the run is being stopped, because no plan may be based on sources that were not read whole.
  func prepare(
    _ view: inout LibraryView, _ journal: JournaledQueue?, _ network: Network, _ recorder: ReportRecorder,
    naming: DesiredState.UnselectedNaming = .listed, listsKept: Bool = false
  ) async throws(JobError) -> PreparedPlan? {
    for warning in view.state.allWarnings { recorder.emit(.warned(warning)) }
    let resolution = try await resolve(view, keeps: journal != nil, network, recorder)
    guard !Task.isCancelled else { return nil }
    let now = mode.time(view)
    var desired = DesiredState(
      resolution, layout: context.manifest.library.layout, queue: view.queue, considered: mode.considered,
      naming: naming, now: now)
    let answers = try await pullPlays(view, resolution, journal, network, recorder)
    guard !Task.isCancelled else { return nil }
    try view.importPlays(into: &desired, answers, journal, recorder)
    try view.recall(&desired, journal, recorder)
    try await license(&desired, &view, journal, network, recorder)
    var planning = Planning(
      view: view, desired: desired, scope: resolution.scope(context.options.scope), now: now)
    if let loss = view.state.loss {
      guard let plan = try await planning.rebuild(after: loss, recorder.emit) else { return nil }
      recorder.emit(.planned(plan))
      return PreparedPlan(plan: plan, desired: desired)
    }
    var seen = try planning.observe()
    guard !Task.isCancelled else { return nil }
    try mode.check(seen)
    let limited = planning.limitQuality(seen)
    let reconciliation = try await planning.reconcile(&seen, network.settings.inputs)
    var plan = try planning.plan(reconciliation, &seen, listsKept: listsKept, warnsOfObstacles: journal == nil)
    try mode.accept(plan, view, resolution)
    if let cap = planning.conditions.cap {
      for (quality, items) in plan.fetched(of: limited).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        recorder.emit(.warned(.qualityLimited(cap, to: quality, items: items)))
      }
    }
    plan.push(resolution.listSyncs, view.queue)
    recorder.emit(.planned(plan))
    return PreparedPlan(
      plan: plan, desired: planning.desired, seen: seen, reconciliation: reconciliation,
      songCounts: resolution.songCounts(of: context.manifest.historyServers), listSyncs: resolution.listSyncs,
      abandonedLists: resolution.abandonedLists)
  }

  /// A run does nothing with entries that no playlist selects, unless a decision of a person, a rebuild or a saved plan
  /// may refer to them.
  func unselectedNaming(_ view: LibraryView) -> DesiredState.UnselectedNaming {
    view.state.decisions.isEmpty && view.state.loss == nil && mode.considered == nil ? .counted : .listed
  }

  private var mode: RunMode { RunMode(context) }
}
