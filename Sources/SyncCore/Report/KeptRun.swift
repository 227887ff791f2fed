// SPDX-License-Identifier: Apache-2.0

/// The facts that the kept report of an earlier run holds.
package struct KeptRun: Equatable, Sendable {
  package enum Outcome: String, CaseIterable, Sendable {
    case completed, unchanged, failed, deferred, removed, paused
    /// The item failed in an earlier run and was not tried.
    case failedBefore = "failed_before"
  }

  /// One item that the run touched.
  package struct Line: Equatable, Sendable {
    package var id = ""
    /// Empty in reports of versions that did not keep titles.
    package var title = ""
    package var playlist: String?
    package var action = Step.Action.keep
    package var outcome = Outcome.unchanged
    /// The sentence of the plan or the deferral.
    package var reason: String?
    /// The path in the library, as text.
    package var path: String?
    /// The bytes fetched in the run, adopted, or freed.
    package var bytes: ByteCount = .zero
    package var resumed: ByteCount = .zero
    package var seconds: Double = 0
    package var attempts = 0
    package var retries = 0
    /// The host that was asked last.
    package var host: String?
    package var error: ErrorRecord?
    package var isTemporary = false

    package init() {}

    /// True if the run tried to fetch the item, and came to an end with it.
    package var isTransfer: Bool {
      switch (action, outcome) {
      case (.download, .completed), (.resume, .completed), (.upgrade, .completed): true
      case (.download, .failed), (.resume, .failed), (.upgrade, .failed): true
      // The item was fetched, and turned out to be present already.
      case (.adopt, .completed): attempts > 0
      default: false
      }
    }
  }

  /// A source that the run read.
  package struct Source: Equatable, Sendable {
    package var playlist: String
    package var location: String
    /// The problem in words. Nil if the source was read completely.
    package var problem: String?
    package var items = 0

    package init(playlist: String, location: String) { (self.playlist, self.location) = (playlist, location) }
  }

  /// A change of a synced playlist, or a conflict.
  package struct ListLine: Equatable, Sendable {
    package enum Direction: String, CaseIterable, Sendable { case pulled, pushed, merged, conflicts }
    package var playlist: String
    package var direction: Direction
    /// The title of the song. Empty for a change of the playlist itself.
    package var title = ""
    package var reason = ""

    package init(playlist: String, direction: Direction) { (self.playlist, self.direction) = (playlist, direction) }
  }

  package var runID: String
  package var name: String
  package var startedAt: Timestamp
  package var finishedAt: Timestamp
  package var seconds: Double = 0
  package var outcome: RunOutcome
  /// The exit status of the process.
  package var status: Int
  package var totals = RunReport.Totals()
  package var storage: StorageSummary?
  package var sources: [Source] = []
  package var lines: [Line] = []
  package var lists: [ListLine] = []
  package var warnings: [String] = []

  package init(
    runID: String, name: String, startedAt: Timestamp, finishedAt: Timestamp, outcome: RunOutcome, status: Int
  ) {
    (self.runID, self.name, self.startedAt, self.finishedAt) = (runID, name, startedAt, finishedAt)
    (self.outcome, self.status) = (outcome, status)
  }
}
