// SPDX-License-Identifier: Apache-2.0

/// What a run has learned of the servers that it asks: which want a pause, which fail, and which are left alone for the
/// rest of the run.
///
/// A server is an origin, because another port is another server. Times are those of any clock that does not go back.
package struct HostBook: Equatable, Sendable {
  /// Why an origin is not asked again in this run.
  package enum Closure: Hashable, Sendable {
    /// It wants a longer pause than a run makes.
    case askedToWait(Failure, until: Timestamp)
    /// It failed so many times in a row, at last in this way.
    case failing(Failure, times: Int)

    package var failure: Failure {
      switch self {
      case .askedToWait(let failure, _), .failing(let failure, _): failure
      }
    }
  }

  /// What an origin made of a request.
  package enum Answer: Hashable, Sendable {
    /// Any answer that blames the request and not the server.
    case served
    /// No answer at all, a server error, or a 429 or 503 that names no time.
    case failed(Failure)
    /// 429, or 503 with the time after which to come again.
    case asksToWait(Failure, Duration)
  }

  /// So many failures in a row that no retry can help are enough, unless the transfers to one host could have as many
  /// with their own retries.
  private static let fewestFailures = 10
  /// A server that answers is alive. It is in trouble only when so many answers in a row are errors.
  private static let toleratedErrors = 4
  /// So many probes are sent at least, however few retries an item has.
  private static let fewestProbes = 3

  private let failureLimit: Int
  private let probeLimit: Int
  private let backoff: DownloadPolicy.Backoff
  private let longestWait: Duration
  private var openings: [RemoteURL.Origin: Duration] = [:]
  private var failures: [RemoteURL.Origin: Int] = [:]
  private var troubles: [RemoteURL.Origin: HostTrouble] = [:]
  private var paces: [RemoteURL.Origin: HostPace] = [:]
  package private(set) var closures: [RemoteURL.Origin: Closure] = [:]

  package init(_ policy: DownloadPolicy) {
    failureLimit = max(Self.fewestFailures, policy.perHost * (policy.retries + 1))
    // One is perhaps the first request of its item, and the others are all retries of it.
    probeLimit = max(Self.fewestProbes, policy.retries + 1)
    backoff = policy.backoff
    longestWait = policy.retryAfterMax
  }

  /// - Parameters:
  ///   - asked: when the request went out, on the clock of pauses.
  ///   - time: now, on the same clock.
  ///   - now: on the calendar, for what a later run has to know.
  ///   - chance: from 0 up to 1, for the jitter of a wait.
  /// - Returns: the closure, if this answer was the one too many.
  @discardableResult
  package mutating func note(
    _ answer: Answer, of origin: RemoteURL.Origin, asked: Duration, at time: Duration, now: Timestamp, chance: Double
  ) -> Closure? {
    switch answer {
    case .served:
      served(origin, asked: asked)
      return nil
    case .failed(let failure):
      failures[origin, default: 0] += 1
      return failed(origin, failure, asked: asked, at: time, chance: chance)
    case .asksToWait(let failure, let wait):
      openings[origin] = max(openings[origin] ?? .zero, time + wait)
      return wait > longestWait ? close(origin, .askedToWait(failure, until: now + wait)) : nil
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
  ) -> Closure? {
    let times = failures[origin, default: 0]
    guard failure.disposition.next == .retry else {
      return times >= failureLimit ? close(origin, .failing(failure, times: times)) : nil
    }
    guard let trouble = troubles[origin] else {
      begin(origin, failure, times: times, asked: asked, at: time, chance: chance)
      return nil
    }
    // It went out with the one that began the trouble.
    guard asked >= trouble.began else { return nil }
    let probes = trouble.failedProbes + 1
    guard probes < probeLimit else { return close(origin, .failing(failure, times: times)) }
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

  /// Leaves the origin alone for the rest of the run. The first reason counts.
  /// - Returns: nil when there was one already.
  @discardableResult
  package mutating func close(_ origin: RemoteURL.Origin, _ closure: Closure) -> Closure? {
    guard closures[origin] == nil else { return nil }
    closures[origin] = closure
    return closure
  }

  /// When the pause that the origin itself asked for is over; nil when it is.
  package func requestedOpening(of origin: RemoteURL.Origin, at time: Duration) -> Duration? {
    openings[origin].flatMap { $0 > time ? $0 : nil }
  }

  /// When the origin may be asked again; nil when it may now.
  package func opening(of origin: RemoteURL.Origin, at time: Duration) -> Duration? {
    let latest = [openings[origin], troubles[origin]?.opening, paces[origin]?.opening].compactMap { $0 }.max()
    return latest.flatMap { $0 > time ? $0 : nil }
  }

  /// The origins that are to be left alone for now, and until when.
  func pauses(at time: Duration) -> [RemoteURL.Origin: Duration] {
    guard !openings.isEmpty || !troubles.isEmpty || !paces.isEmpty else { return [:] }
    let origins = Set(openings.keys).union(troubles.keys).union(paces.keys)
    return origins.reduce(into: [:]) { $0[$1] = opening(of: $1, at: time) }
  }

  /// Whether a request may go out to the origin now.
  package func isOpen(_ origin: RemoteURL.Origin, at time: Duration) -> Bool {
    closures[origin] == nil && opening(of: origin, at: time) == nil
  }

  /// Whether a request may go out only when the one before it has been answered.
  func isProbed(_ origin: RemoteURL.Origin) -> Bool { troubles[origin] != nil || paces[origin] != nil }

  /// Whether a request may go out only when none runs.
  func wantsQuiet(_ origin: RemoteURL.Origin) -> Bool { troubles[origin]?.isRefusal ?? (paces[origin] != nil) }

  /// Whether the next request should be one that has not failed: one item that always fails says little of the origin,
  /// and a refusal that comes anyway should not cost the same item all of its retries. Once such a probe has failed the
  /// origin is in trouble for everybody, and one item at a time uses up its retries.
  func prefersFresh(_ origin: RemoteURL.Origin) -> Bool {
    troubles[origin].map { $0.failedProbes == 0 } ?? (paces[origin] != nil)
  }
}

extension Failure {
  /// The server is there, and has no time for this request now.
  fileprivate var isRefusal: Bool { status == 429 || status == 503 }

  /// The server is there, and something behind it fails, perhaps for one item only.
  fileprivate var isServerError: Bool { status != nil && !isRefusal }
}
