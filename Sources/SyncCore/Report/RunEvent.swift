// SPDX-License-Identifier: Apache-2.0

/// The events of a run, in order. Reports, progress and records are derived from these alone.
package enum RunEvent: Equatable, Sendable {
  case began(runID: String, name: String)
  /// There is no network. The run waits for one, at most this long.
  case awaitingNetwork(Duration)
  /// Work that is not a transfer has begun or gone on, for live progress.
  case worked(RunWork)
  /// A step on the network, for detailed output.
  case asked(RequestStep)
  case sourceRead(SourceSummary)
  case historyRead(HistorySummary)
  /// Plays were pushed to a server.
  case historyPushed(PlaySource, server: String, HistoryPush)
  case planned(Plan)
  /// A playlist was merged with its server's.
  case listSynced(ListSyncResult)
  /// A transfer begins with this candidate. `offset` bytes are present already.
  case started(ItemID, candidate: Int, offset: ByteCount)
  case progressed(ItemID, received: ByteCount, total: ByteCount?)
  /// The request failed and is repeated after the wait.
  case retrying(ItemID, Failure, attempt: Int, wait: Duration)
  /// The candidate is abandoned for the next one.
  case switched(ItemID, Failure, to: Int)
  case completed(ItemID, Completion)
  /// - Parameter state: The offline state that comes with the file.
  case adopted(ItemID, StoredFile, state: OfflineState)
  case moved(ItemID, from: LibraryPath, StoredFile)
  /// The effort for an item that is about to fail, or to be deferred or paused.
  case spent(ItemID, Effort)
  /// - Parameter host: The host of the candidate that failed. Nil for a search.
  case failed(ItemID, ErrorRecord, host: String?, isTemporary: Bool, requests: Int, seconds: Double)
  case deferred(ItemID, Reason)
  /// - Parameter kept: The bytes from which the next run continues.
  case paused(ItemID, kept: ByteCount)
  case removed(ItemID, Removal.Cause, freed: ByteCount)
  /// A licence was granted or is over. Files that come and go change the state as well, which their events tell.
  case offlineStateChanged(ItemID, OfflineState, expiresAt: Timestamp?)
  /// Old trash or stray partials were deleted.
  case cleaned(files: Int, freed: ByteCount)
  /// The whole trash was deleted, because its room was needed.
  case trashEmptied(files: Int, freed: ByteCount)
  case warned(Warning)
  /// Nothing can be written any more.
  case storageFailed(Failure)
}

/// A step of one request. Every redirect is a request of its own.
package enum RequestStep: Equatable, Sendable {
  case sent(RemoteURL, from: ByteCount, isPost: Bool = false)
  case answered(RemoteURL, status: Int)
  case unanswered(RemoteURL, Failure)
}

/// The effort of a run for one item.
package struct Effort: Equatable, Sendable {
  /// The bytes that were fetched and kept. Bytes that were cut off again do not count.
  package var fetched: ByteCount
  /// The number of requests. Redirects and parts fetched in parallel do not count.
  package var requests: Int
  package var seconds: Double
  package init(fetched: ByteCount, requests: Int, seconds: Double) {
    self.fetched = fetched
    self.requests = requests
    self.seconds = seconds
  }
}

/// The numbers of a finished transfer.
package struct Completion: Equatable, Sendable {
  package var file: StoredFile
  package var title: String
  /// The bytes fetched in this run.
  package var fetched: ByteCount
  /// The bytes kept from an earlier attempt.
  package var resumed: ByteCount
  package var requests: Int
  package var seconds: Double
  /// The duration of the candidate less that of the item, for an alternative.
  package var difference: Duration?
  /// The file that an upgrade replaced.
  package var replaced: StoredFile?
  package init(
    file: StoredFile, title: String, fetched: ByteCount, resumed: ByteCount, requests: Int, seconds: Double,
    difference: Duration? = nil, replaced: StoredFile? = nil
  ) {
    self.replaced = replaced
    self.file = file
    self.title = title
    self.fetched = fetched
    self.resumed = resumed
    self.requests = requests
    self.seconds = seconds
    self.difference = difference
  }
}

extension SourceSummary {
  /// The problem that prevented a whole reading. Nil if there was none.
  package var problem: SourceProblem? {
    if case .problem(let problem) = outcome { problem } else { nil }
  }

  /// True if the source could not be read and no later run can succeed until somebody acts.
  package var isPermanentFailure: Bool {
    guard let problem else { return false }
    return health.failure?.isPermanent ?? (problem.severity == .lasting)
  }

  /// The exit status that follows from the reading, for a run or a plan.
  package var status: ExitStatus {
    if problem == nil { return .ok }
    return isPermanentFailure ? .partial : .temporary
  }
}
