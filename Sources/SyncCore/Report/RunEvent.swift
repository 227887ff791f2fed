// SPDX-License-Identifier: Apache-2.0

/// What happened in a run, in order. Reports, progress and records are made of these alone.
package enum RunEvent: Equatable, Sendable {
  case began(runID: String, name: String)
  /// There is no way out of this machine; one is waited for, at most so long.
  case awaitingNetwork(Duration)
  /// What goes over the network, for those who look closely.
  case asked(RequestStep)
  case sourceRead(SourceSummary)
  case historyRead(HistorySummary)
  case planned(Plan)
  /// A transfer begins with this candidate; `offset` bytes are there already.
  case started(ItemID, candidate: Int, offset: ByteCount)
  case progressed(ItemID, received: ByteCount, total: ByteCount?)
  /// The request failed and is made again after the wait.
  case retrying(ItemID, Failure, attempt: Int, wait: Duration)
  /// The candidate is given up for the next one.
  case switched(ItemID, Failure, to: Int)
  case completed(ItemID, Completion)
  case adopted(ItemID, StoredFile)
  case moved(ItemID, from: LibraryPath, StoredFile)
  /// What an item cost that is about to be failed, deferred or paused.
  case spent(ItemID, Effort)
  case failed(ItemID, ErrorRecord, isTemporary: Bool, requests: Int, seconds: Double)
  case deferred(ItemID, Reason)
  /// - Parameter kept: bytes that the next run goes on from.
  case paused(ItemID, kept: ByteCount)
  case removed(ItemID, Removal.Cause, freed: ByteCount)
  /// Old trash or stray partials went.
  case cleaned(files: Int, freed: ByteCount)
  /// All of the trash went, for the room that it took.
  case trashEmptied(files: Int, freed: ByteCount)
  case warned(Warning)
  /// Nothing can be written any more.
  case storageFailed(Failure)
}

/// One request, as it goes on. Redirects are requests of their own.
package enum RequestStep: Equatable, Sendable {
  case sent(RemoteURL, from: ByteCount)
  case answered(RemoteURL, status: Int)
  case unanswered(RemoteURL, Failure)
}

/// What a run has put into an item.
package struct Effort: Equatable, Sendable {
  /// Bytes that were fetched and kept, as far as they were not cut off again.
  package var fetched: ByteCount
  /// Redirects and parts that were fetched beside not counted.
  package var requests: Int
  package var seconds: Double
  package init(fetched: ByteCount, requests: Int, seconds: Double) {
    self.fetched = fetched
    self.requests = requests
    self.seconds = seconds
  }
}

/// A finished transfer in numbers.
package struct Completion: Equatable, Sendable {
  package var file: StoredFile
  package var title: String
  /// Fetched in this run.
  package var fetched: ByteCount
  /// Taken over from an earlier attempt instead of being fetched again.
  package var resumed: ByteCount
  package var requests: Int
  package var seconds: Double
  /// The candidate's duration less the item's, for an alternative.
  package var difference: Duration?
  /// Of an upgrade: the file that gave way.
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

/// What reading one source gave.
package struct SourceSummary: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    case changed
    case unchanged
    case problem(SourceProblem)
  }
  package var playlist: PlaylistName
  package var location: String
  package var outcome: Outcome
  package var items: Int
  package var flaws: FeedFlaws
  /// With this reading.
  package var health: SourceHealth
  package init(
    playlist: PlaylistName, location: String, outcome: Outcome, items: Int, flaws: FeedFlaws = FeedFlaws(),
    health: SourceHealth = SourceHealth()
  ) {
    self.health = health
    self.playlist = playlist
    self.location = location
    self.outcome = outcome
    self.items = items
    self.flaws = flaws
  }
}

extension SourceSummary {
  /// It could not be read whole.
  package var problem: SourceProblem? {
    if case .problem(let problem) = outcome { problem } else { nil }
  }

  /// It could not be read, and no later run will fare better until somebody does something.
  package var isPermanentFailure: Bool {
    guard let problem else { return false }
    return health.failure?.isPermanent ?? (problem.severity == .lasting)
  }

  /// What it makes of the exit status of a run, or of a plan.
  package var status: ExitStatus {
    if problem == nil { return .ok }
    return isPermanentFailure ? .partial : .temporary
  }
}
