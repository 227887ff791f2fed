// SPDX-License-Identifier: Apache-2.0

/// The reason why no run does what the manifest asks for an item, before a command or a change of its inputs.
package enum SkipReason: Hashable, Sendable {
  case failedForGood(ErrorRecord)
  /// The file stays, because the file of the wanted quality could not be fetched.
  case upgradeFailed(ErrorRecord, to: Quality)
  case cancelled
  case removedByUser
  case missingAndSkipped
}

extension SkipReason {
  /// True if the user did not ask for it, so that every run reports it.
  package var isNews: Bool {
    switch self {
    case .failedForGood, .upgradeFailed, .missingAndSkipped: true
    case .cancelled, .removedByUser: false
    }
  }

  /// True if the item has its file, but not in the wanted quality.
  package var isFailedUpgrade: Bool { if case .upgradeFailed = self { true } else { false } }

  /// True if it counts as a failure of an earlier run.
  package var isFailure: Bool {
    switch self {
    case .failedForGood, .upgradeFailed: true
    case .cancelled, .removedByUser, .missingAndSkipped: false
    }
  }
}
