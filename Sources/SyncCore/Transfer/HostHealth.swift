// SPDX-License-Identifier: Apache-2.0

/// The reason why an origin is blocked for the rest of a run: an open circuit breaker.
package enum CircuitBreaker: Hashable, Sendable {
  /// The origin asks for a longer pause than a run makes.
  case askedToWait(Failure, until: Timestamp)
  /// The origin failed this many times in a row, the last time with this failure.
  case failing(Failure, times: Int)

  package var failure: Failure {
    switch self {
    case .askedToWait(let failure, _), .failing(let failure, _): failure
    }
  }
}

/// The experience of a run with its servers: which ask for a pause, which fail,
/// and which are blocked for the rest of the run.
///
/// A server is an origin, because another port is another server. Times are those of any clock that never goes back.
package struct HostHealth: Equatable, Sendable {
  /// The result of a request to an origin.
  package enum Answer: Hashable, Sendable {
    /// Any response that blames the request and not the server.
    case served
    /// No response at all, a server error, or a 429 or 503 without a time.
    case failed(Failure)
    /// A 429 or 503 with a time after which to return.
    case asksToWait(Failure, Duration)
  }

  /// The least number of consecutive permanent failures that blocks an origin. The limit is higher if the transfers to
  /// one host may cause as many failures with their own retries.
  private static let fewestFailures = 10
  /// The number of consecutive error responses after which a server is in trouble. Fewer mean little, because a server
  /// that responds is alive.
  private static let toleratedErrors = 4
  /// The least number of probes, however few retries an item has.
  private static let fewestProbes = 3

  private let failureLimit: Int
  private let probeLimit: Int
  private let backoff: DownloadPolicy.Backoff
  private let longestWait: Duration
  private var openings: [RemoteURL.Origin: Duration] = [:]
  private var failures: [RemoteURL.Origin: Int] = [:]
  private var troubles: [RemoteURL.Origin: HostTrouble] = [:]
  private var paces: [RemoteURL.Origin: HostPace] = [:]
  /// The origins that are blocked for the rest of the run.
  package private(set) var breakers: [RemoteURL.Origin: CircuitBreaker] = [:]

  package init(_ policy: DownloadPolicy) {
    failureLimit = max(Self.fewestFailures, policy.perHost * (policy.retries + 1))
    // One probe may be the first request of its item; the others are all its retries.
    probeLimit = max(Self.fewestProbes, policy.retries + 1)
    backoff = policy.backoff
    longestWait = policy.retryAfterMax
  }

  /// Records the answer of an origin.
  /// - Parameters:
  ///   - asked: The time when the request went out, on the clock of pauses.
  ///   - time: The current time on the same clock.
  ///   - now: The calendar time, for use by a later run.
  ///   - chance: A random number from 0 up to 1, for the jitter of a delay.
  /// - Returns: The circuit breaker, if this answer blocks the origin.
  @discardableResult
  package mutating func note(
    _ answer: Answer, of origin: RemoteURL.Origin, asked: Duration, at time: Duration, now: Timestamp, chance: Double
  ) -> CircuitBreaker? {
    switch answer {
    case .served:
      served(origin, asked: asked)
      return nil
    case .failed(let failure):
      failures[origin, default: 0] += 1
      return failed(origin, failure, asked: asked, at: time, chance: chance)
    case .asksToWait(let failure, let wait):
      openings[origin] = max(openings[origin] ?? .zero, time + wait)
      return wait > longestWait ? trip(origin, .askedToWait(failure, until: now + wait)) : nil
    }
  }

  private mutating func served(_ origin: RemoteURL.Origin, asked: Duration) {
    if let trouble = troubles[origin] {
      guard asked >= trouble.began else { return }
      troubles[origin] = nil
      if trouble.isRefusal {
        paces[origin]?.goOn(asked: asked)
        paces[origin] = paces[origin] ?? pace(after: trouble, asked: asked)
      }
    } else if paces[origin]?.wasServed(asked: asked) == false {
      paces[origin] = nil
    }
    failures[origin] = nil
  }

  private func pace(after trouble: HostTrouble, asked: Duration) -> HostPace {
    HostPace(gap: min(asked - trouble.began, backoff.ceiling(retry: 1)), after: asked)
  }

  private mutating func failed(
    _ origin: RemoteURL.Origin, _ failure: Failure, asked: Duration, at time: Duration, chance: Double
  ) -> CircuitBreaker? {
    let times = failures[origin, default: 0]
    guard failure.disposition.next == .retry else {
      return times >= failureLimit ? trip(origin, .failing(failure, times: times)) : nil
    }
    guard let trouble = troubles[origin] else {
      begin(origin, failure, times: times, asked: asked, at: time, chance: chance)
      return nil
    }
    // The request went out before the trouble began, so it is not a probe.
    guard asked >= trouble.began else { return nil }
    let probes = trouble.failedProbes + 1
    guard probes < probeLimit else { return trip(origin, .failing(failure, times: times)) }
    troubles[origin]?.probeFailed(nextAt: time + backoff.sharedWait(retry: probes, chance: chance))
    return nil
  }

  private mutating func begin(
    _ origin: RemoteURL.Origin, _ failure: Failure, times: Int, asked: Duration, at time: Duration, chance: Double
  ) {
    guard !failure.isServerError || times >= Self.toleratedErrors else { return }
    if failure.isRefusal { paces[origin]?.wasRefused(asked: asked) }
    let opening = failure.isRefusal ? paces[origin]?.opening : nil
    troubles[origin] = HostTrouble(
      isRefusal: failure.isRefusal, began: time,
      opening: opening ?? time + backoff.sharedWait(retry: 0, chance: chance))
  }

  /// Blocks the origin for the rest of the run. The first reason is kept.
  /// - Returns: Nil if the origin was blocked already.
  @discardableResult
  package mutating func trip(_ origin: RemoteURL.Origin, _ breaker: CircuitBreaker) -> CircuitBreaker? {
    guard breakers[origin] == nil else { return nil }
    breakers[origin] = breaker
    return breaker
  }

  /// The end of the pause that the origin asked for. Nil if there is none or it is over.
  package func requestedOpening(of origin: RemoteURL.Origin, at time: Duration) -> Duration? {
    openings[origin].flatMap { $0 > time ? $0 : nil }
  }

  /// The time from which requests to the origin may go out. Nil if they may now.
  package func opening(of origin: RemoteURL.Origin, at time: Duration) -> Duration? {
    let latest = [openings[origin], troubles[origin]?.opening, paces[origin]?.opening].compactMap { $0 }.max()
    return latest.flatMap { $0 > time ? $0 : nil }
  }

  /// The origins that are paused now, with the ends of their pauses.
  func pauses(at time: Duration) -> [RemoteURL.Origin: Duration] {
    guard !openings.isEmpty || !troubles.isEmpty || !paces.isEmpty else { return [:] }
    let origins = Set(openings.keys).union(troubles.keys).union(paces.keys)
    return origins.reduce(into: [:]) { $0[$1] = opening(of: $1, at: time) }
  }

  /// True if a request to the origin may go out now.
  package func admits(_ origin: RemoteURL.Origin, at time: Duration) -> Bool {
    breakers[origin] == nil && opening(of: origin, at: time) == nil
  }

  /// True if a request may go out only after the previous one has been answered.
  func isProbed(_ origin: RemoteURL.Origin) -> Bool { troubles[origin] != nil || paces[origin] != nil }

  /// True if a request may go out only while no other is running.
  func wantsQuiet(_ origin: RemoteURL.Origin) -> Bool { troubles[origin]?.isRefusal ?? (paces[origin] != nil) }

  /// True if the next request should be one without earlier failures. An item that always fails says little about the
  /// origin, and an expected refusal should not cost the same item all of its retries. After such a probe has failed,
  /// the origin is in trouble for all items, and one item at a time uses up its retries. The probe that could block the
  /// origin is fresh again, so that two bad items do not cost the run all the others.
  package func prefersFresh(_ origin: RemoteURL.Origin) -> Bool {
    troubles[origin].map { $0.failedProbes == 0 || $0.failedProbes == probeLimit - 1 } ?? (paces[origin] != nil)
  }
}

extension Failure {
  /// True if the server responds but has no capacity for this request now.
  fileprivate var isRefusal: Bool { status == 429 || status == 503 }

  /// True if the server responds but something behind it fails, perhaps for one item only.
  fileprivate var isServerError: Bool { status != nil && !isRefusal }
}
