// SPDX-License-Identifier: Apache-2.0

/// How items are fetched.
package struct DownloadPolicy: Equatable, Sendable {
  /// Waits of `min(max, initial × factor^n)`, with full jitter.
  package struct Backoff: Equatable, Sendable {
    package var initial: Duration = .seconds(2)
    package var factor: Double = 2
    package var max: Duration = .minutes(5)
    package init() {}
  }

  /// What is fetched first, and first gets room.
  package enum Order: String, CaseIterable, Sendable {
    /// By priority, then as the manifest has it.
    case priority
    case manifest, newest, oldest, smallest
  }

  package var concurrency = 3
  package var perHost = 2
  package var order: Order = .priority
  /// Of all transfers together.
  package var bandwidth: Bandwidth = .unlimited
  /// Requests for one large file at the same time, where its server lets parts be asked for.
  package var segments = 1
  /// Retries of one candidate after transient failures; the first request is not one.
  package var retries = 3
  package var backoff = Backoff()
  /// A longer `Retry-After` defers the item to a later run.
  package var retryAfterMax: Duration = .minutes(10)
  package var connectTimeout: Duration = .seconds(15)
  package var stallTimeout: Duration = .seconds(30)
  /// What one run may receive; nil: as much as there is.
  package var maxTransfer: ByteCount?
  /// How long one run may fetch, counted from its beginning; nil: as long as it takes.
  package var maxDuration: Duration?
  package var maxItemSize = ByteCount(4 << 30)
  /// How long an unfinished download that nobody continues is kept.
  package var partialsKeep: Duration = .days(7)
  /// Nil: `syncjob/VERSION`.
  package var userAgent: String?
  /// Sent only where credentials of the same playlist may go.
  package var headers: [HTTPField] = []
  /// For URLs that came from a source; what the manifest itself names is always allowed.
  package var addresses: AddressPolicy = .forbidPrivate
  package var proxy: ProxyPolicy = .environment
  package var tls = TLSPolicy()
  package init() {}
}

/// A header field that the manifest asks to send.
package struct HTTPField: Equatable, Sendable {
  package var name: String
  package var value: String
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// Which other candidates may stand in for an item, by duration.
package struct AlternativePolicy: Equatable, Sendable {
  /// How many are tried at most.
  package var max = 3
  /// How far a candidate's duration may lie from the item's.
  package var tolerance: Duration = .seconds(30)
  /// As the manifest has it.
  package var declaredConfidence: Duration?
  /// A candidate further off is taken, but marked as of low confidence. By default five seconds, or `tolerance` where that
  /// is less.
  package var confidentWithin: Duration {
    get { declaredConfidence ?? min(.seconds(5), tolerance) }
    set { declaredConfidence = newValue }
  }
  /// Skips titles that add *live*, *remix* and their like.
  package var avoidOtherVersions = true
  package init() {}

  /// By what they do: a default that is written out is the default.
  package static func == (a: Self, b: Self) -> Bool {
    (a.max, a.tolerance, a.confidentWithin, a.avoidOtherVersions)
      == (b.max, b.tolerance, b.confidentWithin, b.avoidOtherVersions)
  }
}
