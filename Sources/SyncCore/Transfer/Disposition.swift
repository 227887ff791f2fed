// SPDX-License-Identifier: Apache-2.0

/// The meaning of a failure for the candidate, the item and the run.
package struct Disposition: Hashable, Sendable {
  package enum Next: Hashable, Sendable {
    /// The same candidate is tried again after a backoff, with its partial kept, then the next one.
    case retry
    /// The next candidate is tried at once.
    case nextCandidate
    /// The whole run stops writing.
    case stopRun
    /// The item ends here.
    case giveUp
  }

  package var next: Next
  /// True if a later run may succeed without anybody's help.
  package var isTemporary: Bool

  /// Tries the same candidate, then the next. A later run may succeed.
  package static let again = Disposition(next: .retry, isTemporary: true)
  /// Tries the next candidate. Without one the failure stays until somebody acts.
  package static let elsewhere = Disposition(next: .nextCandidate, isTemporary: false)
}

extension Failure {
  package var disposition: Disposition {
    switch self {
    case .localFile(_, .changed), .network, .proxy, .timeout, .dns, .shortBody, .emptyBody, .compressedBodyCut,
      .compressedBodyDamaged:
      .again
    case .http(let status): StatusMeaning(status).isTransient ? .again : .elsewhere
    // OK is not a failure by itself: something went wrong that no other check noticed.
    case .engine(let code, _): code.meaning.disposition ?? .again
    case .tls, .malformedResponse, .notMedia, .size, .checksum, .duration, .invalidURL, .redirectRefused,
      .forbiddenAddress, .tooLarge, .tooLargeForFileSystem, .localFile:
      .elsewhere
    case .storageFull, .io, .lockReplaced:
      Disposition(next: .stopRun, isTemporary: true)
    // The file of another candidate would go to the same place.
    case .blocked, .folderClosed, .nameRefused, .changedByOthers, .notReplaced:
      Disposition(next: .giveUp, isTemporary: false)
    case .extraction(let problem): problem.disposition
    // A licence is one of the item, whatever its file comes from.
    case .license(let problem, _): Disposition(next: .giveUp, isTemporary: problem.isTemporary)
    // The renewal was tried as often as a request is. Another candidate may need no token.
    case .login(let problem, _): Disposition(next: .nextCandidate, isTemporary: problem.isTemporary)
    case .cancelled:
      Disposition(next: .giveUp, isTemporary: true)
    }
  }
}

extension EngineCode.Meaning {
  /// Nil if the code is not a failure.
  package var disposition: Disposition? {
    switch self {
    case .judged: nil
    case .unknownHost, .badProxy, .unconnected, .tooSlow, .broken, .noMemory, .unknown: .again
    case .badURL, .malformed, .untrusted, .notPinned, .noHandshake, .badAuthorities, .wantsCertificate, .badTLS,
      .incapable, .unexpected:
      .elsewhere
    case .ended: Disposition(next: .giveUp, isTemporary: true)
    }
  }
}

extension ExtractionProblem {
  package var disposition: Disposition {
    switch self {
    case .timedOut, .wentSilent, .failed: .again
    // Another call gets the same answer, and a later run another one.
    case .notInstalled, .notStarted, .noFolder, .tooOld, .tooMuchOutput, .notUnderstood, .live, .resultsMissing:
      Disposition(next: .nextCandidate, isTemporary: true)
    case .unavailable, .nothingThere, .severalFiles, .noneFits: .elsewhere
    }
  }
}
