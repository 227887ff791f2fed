// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// The stages of a run up to the plan, in a library that is only read.
package struct RunPreview: Sendable {
  private let context: JobContext
  private let listener: @Sendable (RunEvent) -> Void

  /// - Parameter listener: Called for the events of planning.
  package init(_ context: JobContext, _ listener: @escaping @Sendable (RunEvent) -> Void = { _ in }) {
    (self.context, self.listener) = (context, listener)
  }

  /// The plan of a run.
  /// - Parameter listsAll: False if the numbers of entries that no playlist selects and of items that only stay are
  ///   enough.
  package func plan(listsAll: Bool = true) async throws(JobError) -> Plan {
    try await prepare(naming: listsAll ? .listed : nil).prepared.plan
  }

  /// The plan that a run for a saved plan would carry out. It is refused if the run would refuse it.
  package func planOfSavedPlan() async throws(JobError) -> Plan {
    let mode = RunMode(context)
    try mode.checkBeforeOpening()
    try mode.check(try LibraryOpener(context).look(for: .run))
    return try await plan()
  }

  /// The same as `plan`, with a record that shows later whether the plan still holds.
  /// - Parameter inputs: everything that the program was given.
  package func plan(recording inputs: PlanInputs) async throws(JobError) -> (plan: Plan, record: PlanRecord) {
    let (prepared, view) = try await prepare(naming: .named)
    guard let seen = prepared.seen else { throw .stateLost(library: context.manifest.library.path) }
    let basis = PlanBasis(
      inputs: inputs, options: context.options.plan, scope: context.options.scope, libraryID: view.queue.libraryIDIfAny,
      queue: view.queue.digest, library: seen.digest)
    let unknown = prepared.desired.items.lazy.map(\.item.id).filter { view.queue[$0] == nil }
    return (prepared.plan, PlanRecord(basis: basis, considered: Set(unknown).union(prepared.desired.unlistedIDs)))
  }

  /// The reasons why a run would treat items as it does now.
  /// - Parameter names: ids, beginnings of them, or titles.
  package func explain(_ names: [String]) async throws(JobError) -> Result<[Explanation], ItemSelector.Problem> {
    let now = context.now
    let (prepared, view) = try await prepare(checksSearches: false)
    // Includes items that the sources name but the queue does not know yet, or would not record.
    let entries = prepared.reconciliation?.entries ?? []
    let all = Queue(libraryID: view.queue.libraryID, savedAt: view.queue.savedAt, items: entries.map(\.queued))
    do throws(ItemSelector.Problem) {
      var explanations: [Explanation] = []
      for name in names {
        let id = try ItemSelector.find(name, in: all).id
        guard !explanations.contains(where: { $0.item.id == id }) else { continue }
        let explanation = prepared.reconciliation.flatMap {
          Explanation(id, in: $0, prepared.plan, known: view.queue[id], manifest: context.manifest, now: now)
        }
        guard let explanation else { throw .unknown(name, nearest: nil) }
        explanations.append(explanation)
      }
      return .success(explanations)
    } catch { return .failure(error) }
  }

  /// - Parameters:
  ///   - naming: Nil for that of a run, which does not list the items that only stay.
  ///   - checksSearches: True to find out whether what the plan searches for can be searched for.
  private func prepare(
    naming: DesiredState.UnselectedNaming? = .listed, checksSearches: Bool = true
  ) async throws(JobError) -> (prepared: PreparedPlan, view: LibraryView) {
    let recorder = ReportRecorder(context, listener: listener)
    let context = try await context.withKeys(recorder.emit)
    var view = try LibraryOpener(context).look(for: .run)
    let network = try await context.connect(view.library, recorder)
    let run = Run(context)
    let prepared = try await run.prepare(
      &view, nil, network, recorder, naming: naming ?? run.unselectedNaming(view), listsKept: naming != nil)
    await network.close()
    guard var prepared else { throw .interrupted(.terminated) }
    // Includes those of the sources: a preview must show what the run will report.
    prepared.plan.warnings = recorder.current.warnings
    prepared.plan.sources = recorder.current.sources
    if checksSearches { await warnOfSearches(&prepared.plan, network.settings.ytdlp) }
    UntilExit.keep(prepared)
    return (prepared, view)
  }

  /// A run says of each item that it cannot be searched for.
  private func warnOfSearches(_ plan: inout Plan, _ ytdlp: YtDlp) async {
    let searches = plan.searches
    guard !searches.isEmpty, let problem = await ytdlp.problem(),
      !plan.warnings.contains(where: { $0.tells(of: problem) })
    else { return }
    plan.warnings.append(.searchUnavailable(problem, searches))
  }
}
