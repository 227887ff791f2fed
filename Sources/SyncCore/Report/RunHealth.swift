// SPDX-License-Identifier: Apache-2.0

/// How well the transfers of some runs went.
package struct RunHealth: Equatable, Sendable {
  /// A number of cases that went well, of all cases of their kind.
  package struct Rate: Equatable, Sendable {
    package var good = 0
    package var all = 0
    /// The share that is wanted, 0.9 for 90 %.
    package let aim: Double

    /// Nil without a case.
    package var share: Double? { all > 0 ? Double(good) / Double(all) : nil }
    /// True without a case: nothing went wrong.
    package var isReached: Bool { share.map { $0 >= aim } ?? true }

    init(aim: Double) { self.aim = aim }

    fileprivate mutating func count(_ isGood: Bool) {
      all += 1
      if isGood { good += 1 }
    }
  }

  /// Failures of one kind at one host.
  package struct Failures: Equatable, Sendable {
    package var kind: FailureKind
    /// The status of the HTTP answer.
    package var status: Int?
    /// Nil for a failure without a request, and in reports of versions that did not keep hosts.
    package var host: String?
    package var count: Int
    /// The newest of their messages.
    package var message: String
  }

  /// The number of runs.
  package var runs: Int
  /// The numbers of runs by outcome.
  package var outcomes: [RunOutcome: Int]
  /// The beginnings of the first and the last run. Nil without a run.
  package var period: ClosedRange<Timestamp>?
  /// Transfers that completed, of all that came to an end.
  package var success = Rate(aim: 0.995)
  /// Transfers that completed, of those in which a request was repeated.
  package var retry = Rate(aim: 0.9)
  /// Transfers that continued a partial, of the completed ones that were planned to or did.
  package var resume = Rate(aim: 0.9)
  /// Items that a later run fetched, of those that failed for a time.
  package var recovery = Rate(aim: 0.9)
  /// The bytes of all transfers.
  package var bytes: ByteCount = .zero
  /// The time that the transfers took, one after another.
  package var seconds: Double = 0
  /// The most frequent first.
  package var failures: [Failures] = []

  /// Bytes per second of one transfer on average. Nil if nothing was fetched.
  package var speed: Double? { seconds > 0 && bytes > .zero ? Double(bytes.bytes) / seconds : nil }

  /// - Parameter runs: In their order.
  package init(_ runs: [KeptRun]) {
    self.runs = runs.count
    outcomes = runs.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
    if let first = runs.map(\.startedAt).min(), let last = runs.map(\.startedAt).max() { period = first...last }
    for line in runs.lazy.flatMap(\.lines) where line.isTransfer { count(line) }
    countRecoveries(runs)
    countFailures(runs)
  }

  private mutating func count(_ line: KeptRun.Line) {
    let isCompleted = line.outcome == .completed
    success.count(isCompleted)
    if line.retries > 0 { retry.count(isCompleted) }
    if isCompleted, line.action == .resume || line.resumed > .zero { resume.count(line.resumed > .zero) }
    if line.bytes > .zero {
      bytes += line.bytes
      seconds += line.seconds
    }
  }

  /// An item that failed in the last run has not been tried again, so it does not count.
  private mutating func countRecoveries(_ runs: [KeptRun]) {
    var failing: Set<String> = []
    var last: [String: Bool] = [:]
    for run in runs {
      for line in run.lines where line.isTransfer {
        let isCompleted = line.outcome == .completed
        if failing.contains(line.id) { last[line.id] = isCompleted }
        if !isCompleted, line.isTemporary { failing.insert(line.id) }
      }
    }
    for isFetched in last.values { recovery.count(isFetched) }
  }

  private mutating func countFailures(_ runs: [KeptRun]) {
    struct Group: Hashable {
      var kind: FailureKind
      var status: Int?
      var host: String?
    }
    var groups: [Group: Failures] = [:]
    for line in runs.lazy.flatMap(\.lines) where line.outcome == .failed {
      guard let error = line.error else { continue }
      let group = Group(kind: error.kind, status: error.status, host: line.host)
      groups[
        group,
        default: Failures(kind: error.kind, status: error.status, host: line.host, count: 0, message: "")
      ].count += 1
      groups[group]?.message = error.message
    }
    failures = groups.values.sorted { a, b in
      (b.count, a.kind.rawValue, a.status ?? 0, a.host ?? "") < (a.count, b.kind.rawValue, b.status ?? 0, b.host ?? "")
    }
  }
}
