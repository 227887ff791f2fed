// SPDX-License-Identifier: Apache-2.0

/// How the readings of one source went: its last success, its last change, and the failure that lasts now.
package struct SourceHealth: Equatable, Sendable {
  /// When it was last read whole.
  package var succeededAt: Timestamp?
  /// When it last had other entries than before.
  package var changedAt: Timestamp?
  /// Of its entries at the last success: tells whether they changed.
  package var contents: SHA256Digest?
  /// Nil when the last reading was whole.
  package var failure: SourceFailure?
  package init() {}

  package mutating func succeed(with contents: SHA256Digest, at now: Timestamp) {
    if contents != self.contents { changedAt = now }
    (succeededAt, self.contents, failure) = (now, contents, nil)
  }

  /// - Parameters:
  ///   - message: the problem in words.
  ///   - manifest: of the manifest that names the source, asked for when a server says that the source is gone.
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

/// Why a source cannot be read, and since when.
package struct SourceFailure: Equatable, Sendable {
  /// The first of the failures in a row.
  package var since: Timestamp
  /// Since when its document cannot be used; failures of the network in between do not count.
  package var unusableSince: Timestamp?
  /// No later run will fare better until somebody does something.
  package var isPermanent: Bool
  /// One sentence without a full stop.
  package var message: String
  /// The server said that the source is gone for good. As long as the manifest is this one, it is not asked again.
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

extension SourceProblem {
  /// What a problem means for later runs.
  package enum Severity: Sendable {
    /// It passes by itself.
    case passing
    /// It may pass: a captive portal, a broken deployment. After a day it is taken for permanent.
    case doubtful
    /// It stays until somebody does something.
    case lasting
  }

  /// How long a document that cannot be used may be an accident.
  package static let patience = Duration.days(1)

  package var severity: Severity {
    switch self {
    case .unreachable(.http(let status)) where status >= 500: .passing
    case .unreachable(.malformedResponse): .doubtful
    case .unreachable(let failure): failure.disposition.isTemporary ? .passing : .lasting
    case .unreadableFile, .webPage, .empty, .notAFeed, .malformed, .suddenlyEmpty, .nothingUsable: .doubtful
    case .excessive, .noReader: .lasting
    }
  }

  /// - Parameter since: when the document was first found to be unusable.
  package func isPermanent(since: Timestamp, now: Timestamp) -> Bool {
    switch severity {
    case .passing: false
    case .doubtful: now - since > Self.patience
    case .lasting: true
    }
  }

  /// The server says that there is nothing to come back for (RFC 9110 §15.5.11).
  package var isGone: Bool { self == .unreachable(.http(status: 410)) }
}
