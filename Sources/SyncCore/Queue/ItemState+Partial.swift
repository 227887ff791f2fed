// SPDX-License-Identifier: Apache-2.0

extension ItemState {
  /// The same state without its partial.
  package var withoutPartial: ItemState {
    switch self {
    case .queued(var pending):
      pending.partial = nil
      return .queued(pending)
    case .downloading(var attempt):
      attempt.partial = nil
      return .downloading(attempt)
    case .retrying(var attempt, let next):
      attempt.partial = nil
      return .retrying(attempt, nextAttemptAt: next)
    case .paused(var attempt):
      attempt.partial = nil
      return .paused(attempt)
    case .failed(var record):
      record.partial = nil
      return .failed(record)
    case .completed, .cancelled, .removed: return self
    }
  }
}
