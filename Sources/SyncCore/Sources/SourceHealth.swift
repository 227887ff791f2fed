// SPDX-License-Identifier: Apache-2.0

/// The reading history of one source: its last success, its last change and its current failure.
package struct SourceHealth: Equatable, Sendable {
  /// The time of the last whole reading.
  package var succeededAt: Timestamp?
  /// The time when its entries last changed.
  package var changedAt: Timestamp?
  /// The digest of its entries at the last success, used to detect a change.
  package var contents: SHA256Digest?
  /// Nil if the last reading was whole.
  package var failure: SourceFailure?
  /// Nil while the address in the manifest is right.
  package var move: SourceMove?
  /// The outline that names the source. Nil for a source that the manifest names.
  package var outline: Outline?
  package init() {}

  /// - Parameter contents: Nil if they are those of the last success.
  package mutating func succeed(with contents: SHA256Digest?, at now: Timestamp) {
    (succeededAt, failure) = (now, nil)
    guard let contents, contents != self.contents else { return }
    (changedAt, self.contents) = (now, contents)
  }

  /// - Parameters:
  ///   - message: The problem in words.
  ///   - manifest: The digest of the manifest that names the source.
  ///     Computed only if the server says that the source is gone.
  package mutating func fail(
    _ problem: SourceProblem, message: String, at now: Timestamp, manifest: () -> SHA256Digest
  ) {
    var unusableSince = failure?.unusableSince
    if problem.severity == .doubtful { unusableSince = min(unusableSince ?? now, now) }
    failure = SourceFailure(
      since: min(failure?.since ?? now, now), unusableSince: unusableSince,
      isPermanent: problem.isPermanent(since: unusableSince ?? now, now: now), message: message,
      goneFor: problem.isGone ? manifest() : nil)
  }
}

/// The move of a source to another address for good.
package struct SourceMove: Equatable, Sendable {
  /// The address in the manifest. A move from another one does not matter.
  package var from: RemoteURL
  package var to: RemoteURL
  package init(from: RemoteURL, to: RemoteURL) { (self.from, self.to) = (from, to) }
}

/// The reason why a source cannot be read, and the time when this began.
package struct SourceFailure: Equatable, Sendable {
  /// The time of the first of the consecutive failures.
  package var since: Timestamp
  /// The time since which its document is unusable. Network failures in between do not count.
  package var unusableSince: Timestamp?
  /// True if no later run can succeed until somebody acts.
  package var isPermanent: Bool
  /// One sentence without a full stop.
  package var message: String
  /// Set if the server said that the source is gone for good.
  /// It is not requested again while the manifest has this digest.
  package var goneFor: SHA256Digest?
  package init(
    since: Timestamp, unusableSince: Timestamp? = nil, isPermanent: Bool, message: String,
    goneFor: SHA256Digest? = nil
  ) {
    self.since = since
    self.unusableSince = unusableSince
    self.isPermanent = isPermanent
    self.message = message
    self.goneFor = goneFor
  }
}
