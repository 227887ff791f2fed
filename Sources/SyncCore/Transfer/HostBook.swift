// SPDX-License-Identifier: Apache-2.0

/// What a run has learned of the servers that it asks: which want a pause, and which are left alone for the rest of it.
///
/// A server is an origin, for another port is another server. Times are those of any clock that does not go back.
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
    /// No answer at all, or a server error.
    case failed(Failure)
    /// 429, or 503 with the time after which to come again.
    case asksToWait(Failure, Duration)
  }

  /// So many failures in a row are enough, unless the transfers to one host could have as many with their own retries.
  private static let fewestFailures = 10

  private let failureLimit: Int
  private let longestWait: Duration
  private var openings: [RemoteURL.Origin: Duration] = [:]
  private var failures: [RemoteURL.Origin: Int] = [:]
  package private(set) var closures: [RemoteURL.Origin: Closure] = [:]

  package init(_ policy: DownloadPolicy) {
    failureLimit = max(Self.fewestFailures, policy.perHost * (policy.retries + 1))
    longestWait = policy.retryAfterMax
  }

  /// - Parameters:
  ///   - time: on the clock of pauses.
  ///   - now: on the calendar, for what a later run has to know.
  /// - Returns: the closure, if this answer was the one too many.
  @discardableResult
  package mutating func note(
    _ answer: Answer, of origin: RemoteURL.Origin, at time: Duration, now: Timestamp
  ) -> Closure? {
    switch answer {
    case .served:
      failures[origin] = nil
      return nil
    case .failed(let failure):
      failures[origin, default: 0] += 1
      let times = failures[origin, default: 0]
      return times >= failureLimit ? close(origin, .failing(failure, times: times)) : nil
    case .asksToWait(let failure, let wait):
      openings[origin] = max(openings[origin] ?? .zero, time + wait)
      return wait > longestWait ? close(origin, .askedToWait(failure, until: now + wait)) : nil
    }
  }

  /// Leaves the origin alone for the rest of the run. The first reason counts.
  /// - Returns: nil when there was one already.
  @discardableResult
  package mutating func close(_ origin: RemoteURL.Origin, _ closure: Closure) -> Closure? {
    guard closures[origin] == nil else { return nil }
    closures[origin] = closure
    return closure
  }

  /// When the origin may be asked again; nil when it may now.
  package func opening(of origin: RemoteURL.Origin, at time: Duration) -> Duration? {
    openings[origin].flatMap { $0 > time ? $0 : nil }
  }

  /// The origins that are to be left alone for now, and until when.
  func pauses(at time: Duration) -> [RemoteURL.Origin: Duration] {
    openings.isEmpty ? [:] : openings.filter { $0.value > time }
  }

  /// Whether a request may go out to the origin now.
  package func isOpen(_ origin: RemoteURL.Origin, at time: Duration) -> Bool {
    closures[origin] == nil && opening(of: origin, at: time) == nil
  }
}
