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

  /// The same candidate, then the next; a later run may do.
  package static let again = Disposition(next: .retry, isTemporary: true)
  /// The next candidate; without one it stays so until somebody does something.
  package static let elsewhere = Disposition(next: .nextCandidate, isTemporary: false)
}

extension Failure {
  package var disposition: Disposition {
    switch self {
    case .network, .proxy, .timeout, .dns, .shortBody, .emptyBody: .again
    case .http(let status): StatusMeaning(status).isTransient ? .again : .elsewhere
    // OK is no failure by itself: something that nobody judged went wrong.
    case .engine(let code, _): code.meaning.disposition ?? .again
    case .tls, .malformedResponse, .notMedia, .size, .checksum, .invalidURL, .redirectRefused, .forbiddenAddress,
      .tooLarge, .tooLargeForFileSystem:
      .elsewhere
    case .storageFull, .io, .lockReplaced:
      Disposition(next: .stopRun, isTemporary: true)
    // Another candidate's file would have to go there as well.
    case .blocked, .changedByOthers, .notReplaced:
      Disposition(next: .giveUp, isTemporary: false)
    case .cancelled:
      Disposition(next: .giveUp, isTemporary: true)
    }
  }
}
