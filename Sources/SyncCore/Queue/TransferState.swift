// SPDX-License-Identifier: Apache-2.0

/// The state of a transfer: that of an item without a file, or that of an upgrade. The legal transitions are those of
/// the items (`ItemState.Name.predecessors`).
package enum TransferState: Equatable, Sendable {
  case queued(Pending)
  case downloading(Attempt)
  case retrying(Attempt, nextAttemptAt: Timestamp)
  case paused(Pending)
  case failed(FailureRecord)

  package var partial: PartialDownload? {
    switch self {
    case .queued(let pending), .paused(let pending): pending.partial
    case .downloading(let attempt), .retrying(let attempt, _): attempt.partial
    case .failed(let record): record.partial
    }
  }

  /// The same state with another partial.
  func with(_ partial: PartialDownload?) -> TransferState {
    switch self {
    case .queued(var pending):
      pending.partial = partial
      return .queued(pending)
    case .downloading(var attempt):
      attempt.partial = partial
      return .downloading(attempt)
    case .retrying(var attempt, let next):
      attempt.partial = partial
      return .retrying(attempt, nextAttemptAt: next)
    case .paused(var pending):
      pending.partial = partial
      return .paused(pending)
    case .failed(var record):
      record.partial = partial
      return .failed(record)
    }
  }

  /// The file that a run announced before it renamed the file into its place.
  package var publishing: StoredFile? {
    switch self {
    case .downloading(let attempt), .retrying(let attempt, _): attempt.publishing
    case .queued, .paused, .failed: nil
    }
  }

  /// True while a run works on it. A run that is killed leaves the transfer in such a state.
  package var isUnderWay: Bool {
    switch self {
    case .downloading, .retrying: true
    case .queued, .paused, .failed: false
    }
  }
}

extension ItemState {
  package init(_ transfer: TransferState) {
    switch transfer {
    case .queued(let pending): self = .queued(pending)
    case .downloading(let attempt): self = .downloading(attempt)
    case .retrying(let attempt, let next): self = .retrying(attempt, nextAttemptAt: next)
    case .paused(let pending): self = .paused(pending)
    case .failed(let record): self = .failed(record)
    }
  }

  /// The transfer of an item without a file. Nil in the states that have none.
  package var transfer: TransferState? {
    switch self {
    case .queued(let pending): .queued(pending)
    case .downloading(let attempt): .downloading(attempt)
    case .retrying(let attempt, let next): .retrying(attempt, nextAttemptAt: next)
    case .paused(let pending): .paused(pending)
    case .failed(let record): .failed(record)
    case .completed, .cancelled, .removed: nil
    }
  }
}
