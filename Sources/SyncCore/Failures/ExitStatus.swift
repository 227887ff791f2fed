// SPDX-License-Identifier: Apache-2.0

/// The exit status of the process. The manual lists all values (docs/manual/commands.md).
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case ok = 0
  case fatal = 1
  case changesPending = 2
  case partial = 3
  case storage = 4
  case temporary = 5
  case maxTransfer = 8
  case maxDuration = 10
  case locked = 11
  case safety = 12
  case usage = 64
  case manifestInvalid = 78
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  /// The stable name used in reports and the manual.
  package var name: String {
    switch self {
    case .ok: "ok"
    case .fatal: "fatal"
    case .changesPending: "changes_pending"
    case .partial: "partial"
    case .storage: "storage"
    case .temporary: "temporary"
    case .maxTransfer: "max_transfer"
    case .maxDuration: "max_duration"
    case .locked: "locked"
    case .safety: "safety"
    case .usage: "usage"
    case .manifestInvalid: "manifest_invalid"
    case .hungUp: "hung_up"
    case .interrupted: "interrupted"
    case .terminated: "terminated"
    }
  }

  /// True if nothing went wrong: what is left over waits for the next run.
  package var isSuccess: Bool {
    switch self {
    case .ok, .temporary, .maxTransfer, .maxDuration: true
    default: false
    }
  }

  /// True if the process was not ended by a signal.
  package var endedByItself: Bool { self != .hungUp && self != .interrupted && self != .terminated }

  /// The status that decides if several apply to a run: 12 > 4 > 1 > 3 > 5 > 8 > 10.
  /// Any other counts only if none of these applies.
  package static func decisive(of statuses: some Sequence<ExitStatus>) -> ExitStatus {
    let order: [ExitStatus] = [.safety, .storage, .fatal, .partial, .temporary, .maxTransfer, .maxDuration]
    let present = Set(statuses)
    return order.first(where: present.contains)
      ?? present.subtracting([.ok]).min { $0.rawValue < $1.rawValue } ?? .ok
  }
}

/// The outcome of a run in its report.
package enum RunOutcome: String, CaseIterable, Sendable {
  case ok, partial, temporary, storage, limit, locked, safety, failed, interrupted

  package init(_ status: ExitStatus) {
    switch status {
    case .ok, .changesPending: self = .ok
    case .partial: self = .partial
    case .temporary: self = .temporary
    case .storage: self = .storage
    case .maxTransfer, .maxDuration: self = .limit
    case .locked: self = .locked
    case .safety: self = .safety
    case .fatal, .usage, .manifestInvalid: self = .failed
    case .hungUp, .interrupted, .terminated: self = .interrupted
    }
  }
}
