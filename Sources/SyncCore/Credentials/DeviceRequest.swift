// SPDX-License-Identifier: Apache-2.0

/// The offer of a provider to a device without a browser (RFC 8628 §3.2).
package struct DeviceOffer: Hashable, Sendable {
  package var code: Secret
  /// The text that the person types at `page`.
  package var userCode: String
  package var page: String
  /// The page with the code in it. Nil if the provider offers none.
  package var wholePage: String?
  package var lifetime: Duration
  package var interval: Duration

  package init(
    code: Secret, userCode: String, page: String, wholePage: String?, lifetime: Duration, interval: Duration
  ) {
    (self.code, self.userCode, self.page, self.wholePage) = (code, userCode, page, wholePage)
    (self.lifetime, self.interval) = (lifetime, interval)
  }

  /// The interval of a provider that names none (RFC 8628 §3.5).
  package static let usualInterval = Duration.seconds(5)
}

/// Decides when a provider is asked whether the person has agreed (RFC 8628 §3.5).
///
/// Waiting leads to waiting, granted or failed.
package struct DevicePolling: Sendable {
  package enum Answer: Hashable, Sendable {
    case wait(Duration)
    case granted(TokenGrant)
    case failed(LoginProblem)
  }

  private let lifetime: Duration
  private var interval: Duration
  /// The requests in a row that had no answer.
  private var failures = 0

  /// The time by which a provider that is asked too often lengthens the interval.
  private static let slowing = Duration.seconds(5)
  private static let shortest = Duration.seconds(1)
  private static let longest = Duration.minutes(5)

  package init(_ offer: DeviceOffer) {
    lifetime = offer.lifetime
    interval = min(max(offer.interval, Self.shortest), Self.longest)
  }

  /// The wait before the first request.
  package var first: Answer { .wait(interval) }

  /// - Parameter elapsed: The time since the offer.
  package mutating func next(
    after answer: Result<TokenGrant, LoginProblem>, elapsed: Duration
  ) -> Answer {
    switch answer {
    case .success(let grant): return .granted(grant)
    case .failure(.refused("authorization_pending", _)): failures = 0
    case .failure(.refused("slow_down", _)):
      failures = 0
      interval = min(interval + Self.slowing, Self.longest)
    case .failure(let problem) where problem.isTemporary && problem != .expired:
      failures += 1
      // RFC 8628 §3.5: a client that gets no answer doubles its interval.
      interval = min(interval * 2, Self.longest)
      if failures > 5 { return .failed(problem) }
    case .failure(let problem): return .failed(problem)
    }
    return elapsed + interval < lifetime ? .wait(interval) : .failed(.expired)
  }
}
