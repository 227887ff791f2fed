// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The answer to "is all well?", in one sentence without a full stop.
struct StatusVerdict {
  enum Tone { case well, waits, unwell, unknown }

  let words: String
  let tone: Tone

  /// - Parameter lastRun: The last run, as far as its report is kept and can be read.
  init(_ status: LibraryStatus, lastRun: KeptRun?) {
    let failing = status.failures.count
    let troubled = status.troubledSources
    let unlicensed = status.licenses.states[.offlinedButNotValid] ?? 0
    let problems = joinedCounts([
      (failing, failing == 1 ? "item has failed" : "items have failed"),
      (troubled, troubled == 1 ? "source cannot be read" : "sources cannot be read"),
      (unlicensed, unlicensed == 1 ? "file has no valid licence" : "files have no valid licence"),
    ])
    (words, tone) =
      if !problems.isEmpty {
        (problems, .unwell)
      } else if let lastRun, lastRun.outcome != .ok {
        (
          "the last run \(lastRun.outcome.verb) (exit \(lastRun.status))",
          lastRun.outcome.isWait ? .waits : .unwell
        )
      } else if lastRun != nil {
        ("all is well", .well)
      } else {
        ("no run is on record", .unknown)
      }
  }
}

extension LibraryStatus {
  /// The number of sources that could not be read when they were last asked.
  var troubledSources: Int { sources.count { $0.health.failure != nil } }
}

extension RunOutcome {
  /// The predicate of a sentence that begins with `the last run`.
  fileprivate var verb: String {
    switch self {
    case .ok: "went well"
    case .partial: "could not do everything"
    case .temporary: "left something for the next one"
    case .storage: "had no room"
    case .limit: "reached its limit"
    case .locked: "found another one at work"
    case .safety: "was stopped for safety"
    case .failed: "failed"
    case .interrupted: "was interrupted"
    }
  }
}
