// SPDX-License-Identifier: Apache-2.0

extension RunReport {
  /// The numbers of a run, counted from the lines of its report.
  package struct Totals: Equatable, Sendable {
    package var planned = 0
    package var downloaded = 0
    package var resumed = 0
    package var upgraded = 0
    package var adopted = 0
    package var unchanged = 0
    package var moved = 0
    package var removed = 0
    package var evicted = 0
    /// The changes of playlists that servers took.
    package var pushed = 0
    package var failed = 0
    package var deferred = 0
    package var recovered = 0
    package var cleaned = 0
    package var retries = 0
    package var alternativesUsed = 0
    package var bytesDownloaded: ByteCount = .zero
    package var bytesResumed: ByteCount = .zero
    package var bytesFreed: ByteCount = .zero
    package init() {}
  }

  package var totals: Totals {
    var totals = Totals()
    totals.planned = planned
    totals.unchanged = unchanged
    totals.recovered = recovered
    totals.pushed = lists.map(\.pushedCount).reduce(0, +)
    totals.cleaned = cleanedFiles + trashFiles
    totals.bytesFreed = cleanedBytes + trashBytes
    for line in lines { totals.count(line) }
    return totals
  }

  /// The number of items that were to be fetched but were never requested, because the run ended first.
  package var notBegun: Int {
    guard safetyStop == nil else { return 0 }
    return lines.count { $0.outcome == .unchanged && [.download, .resume, .upgrade].contains($0.action) }
  }

  /// The exit status that follows from the run's own events.
  package var statusOfItems: ExitStatus {
    var statuses: [ExitStatus] = []
    if safetyStop != nil { statuses.append(.safety) }
    if let storageFailure { statuses.append(storageFailure.statusOfRun) }
    if warnings.contains(where: \.isStorageShortage) || lines.contains(where: \.lacksDisk) { statuses.append(.storage) }
    if warnings.contains(where: \.isOfFatalHook) { statuses.append(.fatal) }
    let failures = lines.filter { $0.outcome == .failed }
    statuses += sources.map(\.status)
    if failures.contains(where: { !$0.isTemporary }) || skipped.contains(where: \.reason.isFailure)
      || history.contains(where: \.isBroken)
      || warnings.contains(where: \.isDamage)
      || warnings.contains(where: \.isUndone)
    {
      statuses.append(.partial)
    }
    let reasons = lines.filter { $0.outcome == .deferred }.compactMap(\.reason)
    let waits = reasons.contains(where: \.isOfServers)
    let isOffline = warnings.contains(.offline)
    let isLocked = history.contains(where: \.isForLater)
    let isUnpushed = warnings.contains { if case .list(_, let trouble) = $0 { trouble.isForLater } else { false } }
    let isUnlicensed = warnings.contains(where: \.isUnlicensedForNow)
    if failures.contains(where: \.isTemporary) || waits || isOffline || isLocked || isUnlicensed || isUnpushed {
      statuses.append(.temporary)
    }
    statuses += reasons.compactMap(\.limit).map(\.status)
    return .decisive(of: statuses)
  }
}

extension RunReport.Line {
  /// True if the disk has no room for the item. The budget does not count, because it is only a wish.
  fileprivate var lacksDisk: Bool {
    if outcome == .deferred, case .noFreeSpace? = reason { true } else { false }
  }
}

extension Reason {
  /// True if the server may well answer differently at another time.
  fileprivate var isOfServers: Bool {
    switch self {
    case .askedToWait, .hostLeftAlone: true
    default: false
    }
  }

  fileprivate var limit: RunLimit? {
    if case .limitReached(let limit) = self { limit } else { nil }
  }
}

extension RunReport.Totals {
  fileprivate mutating func count(_ line: RunReport.Line) {
    retries += line.retries
    switch (line.action, line.outcome) {
    case (.download, .completed), (.resume, .completed):
      downloaded += 1
      if line.resumed > .zero { resumed += 1 }
      if line.candidate > 0 { alternativesUsed += 1 }
      bytesDownloaded += line.bytes
      bytesResumed += line.resumed
    case (.upgrade, .completed):
      upgraded += 1
      if line.resumed > .zero { resumed += 1 }
      bytesDownloaded += line.bytes
      bytesResumed += line.resumed
    case (.adopt, .completed):
      adopted += 1
      // The item was fetched before its file turned out to be present.
      if line.attempts > 0 { bytesDownloaded += line.bytes }
    case (.move, .completed): moved += 1
    case (.remove, .removed):
      removed += 1
      bytesFreed += line.bytes
    case (.evict, .removed):
      evicted += 1
      bytesFreed += line.bytes
    case (_, .failed): failed += 1
    case (_, .deferred): deferred += 1
    default: break
    }
  }
}

extension Warning {
  fileprivate var isStorageShortage: Bool {
    switch self {
    case .pinsOverBudget, .protectedOverBudget, .overBudget, .playlistOverBudget, .pinsOverShare, .reportNotWritten,
      .notProtected(_, .noRoom):
      true
    default: false
    }
  }

  /// True if a planned action could not be carried out.
  fileprivate var isUndone: Bool {
    switch self {
    case .notProtected(_, .noRoom): false
    case .notLicensed(_, let problem, _, let expiresAt): expiresAt == nil && !problem.isTemporary
    case .manyNotLicensed(_, let problem, _, let areOver): areOver && !problem.isTemporary
    case .notMoved, .notRemoved, .filesUnreachable, .notProtected, .sealedFilesStay: true
    default: false
    }
  }

  /// True for a file without a valid licence that a later run may get one for.
  fileprivate var isUnlicensedForNow: Bool {
    switch self {
    case .notLicensed(_, let problem, _, nil), .manyNotLicensed(_, let problem, _, areOver: true): problem.isTemporary
    default: false
    }
  }

  /// True if recorded state seems to be lost.
  fileprivate var isDamage: Bool {
    switch self {
    case .recovered(let note): note.isLoss
    case .outboxDamaged, .outboxUnusable: true
    case .list(_, let trouble): trouble.isLasting
    default: false
    }
  }
}

extension HistorySummary {
  /// True if later runs cannot read the history either. A drive that is not plugged in is not a failure.
  fileprivate var isBroken: Bool {
    problems.contains { !$0.isTransient } || push?.drops.keys.contains(where: \.isLoss) == true
      || push?.feeds.refused ?? 0 > 0
  }

  /// True if a later run may read or push what this one could not.
  fileprivate var isForLater: Bool { problems.contains { $0.isTransient && $0 != .missing } }

  private var problems: [HistoryProblem] { [problem, push?.problem, push?.feeds.problem].compactMap(\.self) }
}

/// The bytes used by the library at the end of a run.
package struct StorageSummary: Equatable, Sendable {
  package var budget: ByteCount?
  /// Finished, partial and trash bytes.
  package var used: ByteCount
  package var partial: ByteCount
  package var trash: ByteCount
  /// The number of files in the trash.
  package var trashFiles: Int
  /// The free space on the library's file system.
  package var free: ByteCount
  package init(
    budget: ByteCount?, used: ByteCount, partial: ByteCount, trash: ByteCount, trashFiles: Int = 0, free: ByteCount
  ) {
    self.budget = budget
    self.used = used
    self.partial = partial
    self.trash = trash
    self.trashFiles = trashFiles
    self.free = free
  }

  /// `used` as a share of the budget.
  package var usage: Double? {
    budget.map { $0 == .zero ? 1 : Double(used.bytes) / Double($0.bytes) }
  }
}
