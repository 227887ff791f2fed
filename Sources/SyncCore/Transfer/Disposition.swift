// SPDX-License-Identifier: Apache-2.0

/// What a failure means for the candidate, the item and the run: the table of SPEC §5.5.
package struct Disposition: Hashable, Sendable {
  package enum Next: Hashable, Sendable {
    /// The same candidate after a backoff, keeping the partial; then the next one.
    case retry
    /// The next candidate at once.
    case nextCandidate
    /// The whole run stops writing.
    case stopRun
    /// The item ends here.
    case giveUp
  }

  package var next: Next
  /// Whether a later run may succeed without anybody's help.
  package var isTemporary: Bool
}

extension Failure {
  package var disposition: Disposition {
    switch self {
    case .network, .timeout, .dns, .shortBody, .emptyBody:
      Disposition(next: .retry, isTemporary: true)
    case .http(let status) where Self.isTransient(status):
      Disposition(next: .retry, isTemporary: true)
    case .http, .tls, .malformedResponse, .notMedia, .size, .checksum, .invalidURL, .redirectRefused, .forbiddenAddress,
      .tooLarge:
      Disposition(next: .nextCandidate, isTemporary: false)
    case .storageFull, .io:
      Disposition(next: .stopRun, isTemporary: true)
    // Another candidate's file would have to go there as well.
    case .blocked:
      Disposition(next: .giveUp, isTemporary: false)
    case .cancelled:
      Disposition(next: .giveUp, isTemporary: true)
    }
  }

  /// 408, 425, 429 and the server errors, but for 501 and 505, which say that it never will.
  static func isTransient(_ status: Int) -> Bool {
    switch status {
    case 408, 425, 429: true
    case 501, 505: false
    default: (500...599).contains(status)
    }
  }
}
