// SPDX-License-Identifier: Apache-2.0

/// The settings for fetching items.
package struct DownloadPolicy: Equatable, Sendable {
  /// Delays of `min(max, initial × factor^n)` with full jitter.
  package struct Backoff: Equatable, Sendable {
    package var initial: Duration = .seconds(2)
    package var factor: Double = 2
    package var max: Duration = .minutes(5)
    package init() {}
  }

  /// The order in which items are fetched and get space.
  package enum Order: String, CaseIterable, Sendable {
    /// By priority, then in the order of the manifest.
    case priority
    case manifest, newest, oldest, smallest
  }

  package var concurrency = 3
  package var perHost = 2
  package var order: Order = .priority
  /// The limit for all transfers together.
  package var bandwidth: Bandwidth = .unlimited
  /// The number of parallel requests for one large file, if its server supports ranges.
  package var segments = 1
  /// Retries of one candidate after transient failures, not counting the first request.
  package var retries = 3
  package var backoff = Backoff()
  /// A longer `Retry-After` defers the item to a later run.
  package var retryAfterMax: Duration = .minutes(10)
  package var connectTimeout: Duration = .seconds(15)
  package var stallTimeout: Duration = .seconds(30)
  /// The bytes that one run may receive. Nil for no limit.
  package var maxTransfer: ByteCount?
  package var maxTransferOrigin = LimitOrigin.manifest
  /// The time for which one run may fetch, from the start of the run. Nil for no limit.
  package var maxDuration: Duration?
  package var maxDurationOrigin = LimitOrigin.manifest
  package var maxItemSize = ByteCount(4 << 30)
  /// The time for which an unused partial is kept.
  package var partialsKeep: Duration = .days(7)
  /// Nil for `syncjob/VERSION`.
  package var userAgent: String?
  /// Sent only where credentials of the same playlist may go.
  package var headers: [HTTPField] = []
  /// Applies to URLs that came from a source. URLs in the manifest are always allowed.
  package var addresses: AddressPolicy = .forbidPrivate
  package var proxy: ProxyPolicy = .environment
  package var metered: MeteredPolicy = .allow
  package var tls = TLSPolicy()
  package init() {}
}

/// The rules for replacing an item with another candidate, judged by duration.
package struct AlternativePolicy: Equatable, Sendable {
  /// The largest number of candidates to try.
  package var max = 3
  /// The largest accepted difference between a candidate's duration and the item's.
  package var tolerance: Duration = .seconds(30)
  /// The value in the manifest.
  package var declaredConfidence: Duration?
  /// The difference in duration above which a candidate is accepted with low confidence. The default is five seconds,
  /// or `tolerance` if that is less.
  package var confidentWithin: Duration {
    get { declaredConfidence ?? min(.seconds(5), tolerance) }
    set { declaredConfidence = newValue }
  }
  /// Skips candidates whose titles add *live*, *remix* or the like.
  package var avoidOtherVersions = true
  /// The search for an item without a URL, or whose candidates have all failed.
  package var search: SearchTemplate?
  package init() {}

  /// Compares the effect: an explicit default equals an omitted one.
  package static func == (a: Self, b: Self) -> Bool {
    (a.max, a.tolerance, a.confidentWithin, a.avoidOtherVersions, a.search)
      == (b.max, b.tolerance, b.confidentWithin, b.avoidOtherVersions, b.search)
  }
}

/// The origin of a limit that a manifest, a variable or a flag may set.
package enum LimitOrigin: Hashable, Sendable { case manifest, environment, flag }
