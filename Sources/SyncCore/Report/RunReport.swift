// SPDX-License-Identifier: Apache-2.0

/// The results of a run, folded from its events. Totals are derived from the items.
package struct RunReport: Equatable, Sendable {
  package enum Outcome: String, Sendable {
    case completed, unchanged, failed, deferred, removed, paused
  }

  /// One item that the run touched.
  package struct Line: Equatable, Sendable {
    package var id: ItemID
    package var title: String
    package var playlist: PlaylistName?
    package var action: Step.Action
    package var outcome: Outcome
    package var reason: Reason?
    package var path: LibraryPath?
    /// The bytes fetched in this run, adopted, or freed.
    package var bytes: ByteCount = .zero
    /// The size of the finished file. Nil if there is none.
    package var size: ByteCount?
    /// The bytes of a paused item that the next run can continue from.
    package var kept: ByteCount = .zero
    package var resumed: ByteCount = .zero
    package var seconds: Double = 0
    package var attempts = 0
    package var retries = 0
    package var candidate = 0
    /// The page that a search found, if the file came from there.
    package var origin: RemoteURL?
    package var difference: Duration?
    package var confidence: StoredFile.Confidence = .normal
    package var error: ErrorRecord?
    /// The host of the candidate that failed.
    package var host: String?
    package var isTemporary = false

    /// True if the next run tries the failed item again by itself.
    package var isTriedAgain: Bool { isTemporary || (error?.kind == .io && action != .upgrade) }
  }

  package var runID: String
  package var name: String
  package var startedAt: Timestamp
  package var finishedAt: Timestamp
  package var seconds: Double = 0
  package var status: ExitStatus = .ok
  package private(set) var lines: [Line] = []
  package private(set) var sources: [SourceSummary] = []
  package private(set) var history: [HistorySummary] = []
  /// The playlists that were merged with their servers', if anything changed.
  package private(set) var lists: [ListSyncResult] = []
  /// The items that no run fetches or replaces before a command or a change of their inputs.
  package private(set) var skipped: [SkippedItem] = []
  package private(set) var warnings: [Warning] = []
  package private(set) var storageFailure: Failure?
  package private(set) var safetyStop: SafetyStop?
  package private(set) var recovered = 0
  package private(set) var unchanged = 0
  package private(set) var planned = 0
  package private(set) var heldBack = 0
  package private(set) var cleanedFiles = 0
  package private(set) var cleanedBytes: ByteCount = .zero
  /// The files and bytes of the trash that were deleted to make room.
  package private(set) var trashFiles = 0
  package private(set) var trashBytes: ByteCount = .zero
  package var storage: StorageSummary?
  /// The offline states of all items at the end. Nil if no item needs a licence.
  package var offline: LibraryStatus.Licenses?
  private var index: [ItemID: Int] = [:]

  /// True if the report already warns that pinned items exceed the budget.
  package var reportsPins: Bool {
    warnings.contains { if case .pinsOverBudget = $0 { true } else { false } }
  }

  /// True if the clock cannot be trusted, so nothing may be judged by its age.
  package var isClockDoubtful: Bool { warnings.contains(where: \.isOfClock) }

  package init(runID: String, name: String, startedAt: Timestamp) {
    self.runID = runID
    self.name = name
    self.startedAt = startedAt
    finishedAt = startedAt
  }

  /// Reading and pushing share the entry of their server.
  private mutating func add(_ push: HistoryPush, of source: PlaySource, server: String) {
    if let index = history.firstIndex(where: { $0.source == source && $0.path == server }) {
      history[index].push = push
    } else {
      var summary = HistorySummary(source: source, path: server)
      summary.push = push
      history.append(summary)
    }
  }

  package mutating func fold(_ event: RunEvent) {
    switch event {
    case .sourceRead(let summary): sources.append(summary)
    case .historyRead(let summary): history.append(summary)
    case .historyPushed(let source, let server, let push): add(push, of: source, server: server)
    case .planned(let plan): begin(plan)
    case .listSynced(let result): lists.append(result)
    case .started(let id, let candidate, _): update(id) { $0.candidate = candidate }
    case .began, .awaitingNetwork, .worked, .asked, .progressed, .offlineStateChanged: break
    case .retrying(let id, _, _, _): update(id) { $0.retries += 1 }
    case .switched(let id, _, let candidate): update(id) { $0.candidate = candidate }
    case .completed(let id, let completion): update(id) { $0.complete(completion) }
    case .adopted(let id, let file, _): update(id) { $0.adopt(file) }
    case .moved(let id, _, let file):
      update(id) { line in
        line.outcome = .completed
        line.path = file.path
        line.bytes = file.size
      }
    case .failed(let id, let error, let host, let isTemporary, let requests, let seconds):
      update(id) { line in
        line.outcome = .failed
        (line.error, line.host) = (error, host)
        line.isTemporary = isTemporary
        line.attempts = max(line.attempts, requests)
        line.seconds = seconds
      }
    case .deferred(let id, let reason):
      update(id) { line in
        line.outcome = .deferred
        line.action = .defer
        line.reason = reason
      }
    case .paused(let id, let kept): update(id) { ($0.outcome, $0.kept) = (.paused, kept) }
    case .spent(let id, let effort):
      update(id) { line in
        line.bytes = effort.fetched
        line.attempts = effort.requests
        line.seconds = effort.seconds
      }
    case .removed(let id, _, let freed):
      update(id) { line in
        line.outcome = .removed
        line.bytes = freed
      }
    case .cleaned(let files, let freed):
      cleanedFiles += files
      cleanedBytes += freed
    case .trashEmptied(let files, let freed):
      trashFiles += files
      trashBytes += freed
    case .warned(let warning): warn(warning)
    case .storageFailed(let failure): storageFailure = storageFailure ?? failure
    }
  }

  /// Returns nil for an item that the run leaves alone.
  package func line(of id: ItemID) -> Line? { index[id].map { lines[$0] } }

  private mutating func begin(_ plan: Plan) {
    planned = plan.steps.indices.count { plan.steps[$0].altersLibrary }
    unchanged = plan.count(.keep)
    recovered = plan.recovered.count
    skipped = plan.skipped
    heldBack = plan.heldBack
    safetyStop = plan.safetyStop
    // The final usage is known only at the end.
    for warning in plan.warnings { if case .usageAboveWarning = warning { continue } else { warn(warning) } }
    for step in plan.steps where !step.isKept && !step.isPush {
      guard let line = Line(step) else { continue }
      index[line.id] = lines.count
      lines.append(line)
    }
  }

  private mutating func update(_ id: ItemID, _ change: (inout Line) -> Void) {
    guard let position = index[id] else { return }
    change(&lines[position])
  }

  private mutating func warn(_ warning: Warning) {
    if warning == .offline { warnings.removeAll(where: \.isWithoutNetwork) }
    guard !warnings.contains(warning), !(warning.isWithoutNetwork && warnings.contains(.offline)) else { return }
    warnings.append(warning)
  }
}

extension RunReport.Line {
  /// Returns nil for an item that the run leaves alone.
  fileprivate init?(_ step: Step) {
    guard let action = step.action, let reason = step.reason else { return nil }
    // An item that the run never reached stays as it was. The old path applies until the file has moved.
    self.init(
      id: step.id, title: step.title, playlist: step.playlist, action: action,
      outcome: action == .defer ? .deferred : .unchanged, reason: reason, path: reason.origin ?? step.path)
    if action == .defer { bytes = step.bytes ?? .zero }
  }

  fileprivate mutating func adopt(_ file: StoredFile) {
    outcome = .completed
    path = file.path
    confidence = file.confidence
    guard action != .adopt else {
      bytes = file.size
      return
    }
    // The item was fetched and turned out to be present already. Its bytes are those received.
    (action, reason) = (.adopt, .sameContent(.fetchedContent))
  }

  fileprivate mutating func complete(_ completion: Completion) {
    outcome = .completed
    path = completion.file.path
    bytes = completion.fetched
    size = completion.file.size
    resumed = completion.resumed
    seconds = completion.seconds
    attempts = completion.requests
    (candidate, origin) = (completion.file.candidate, completion.file.origin)
    difference = completion.difference
    confidence = completion.file.confidence
  }
}

extension Warning {
  /// True if `offline` already covers this warning for all sources and hosts.
  fileprivate var isWithoutNetwork: Bool {
    switch self {
    case .sourceNotWhole(_, .unreachable, _), .serverNotRead(_, .unreachable), .hostLeftAlone: true
    default: false
    }
  }
}
