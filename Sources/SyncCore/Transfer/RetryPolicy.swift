// SPDX-License-Identifier: Apache-2.0

/// The rule by which requests are repeated, for media and sources alike.
package struct RetryPolicy: Equatable, Sendable {
  /// The number of retries of one candidate, or of one source.
  package var retries: Int
  package var backoff: DownloadPolicy.Backoff
  /// The longest pause that a server may ask for within a run.
  package var longestWait: Duration

  package init(retries: Int, backoff: DownloadPolicy.Backoff, longestWait: Duration) {
    self.retries = retries
    self.backoff = backoff
    self.longestWait = longestWait
  }

  /// Returns the delay before a request is repeated. Nil if a repetition is of no use, or if there were enough.
  /// - Parameters:
  ///   - requests: The number of requests so far, without redirects.
  ///   - chance: A random number from 0 up to 1, for the jitter.
  package func delay(after failure: Failure, requests: Int, chance: Double) -> Duration? {
    guard failure.disposition.next == .retry, requests <= retries else { return nil }
    return backoff.wait(retry: requests - 1, chance: chance)
  }

  /// Returns the delay before a request is repeated whose server asks for a pause. Nil if the pause is too long, or if
  /// there were enough requests.
  package func delay(requested pause: Duration, requests: Int, chance: Double) -> Duration? {
    guard pause <= longestWait, requests <= retries else { return nil }
    return backoff.wait(retry: requests - 1, chance: chance, atLeast: pause)
  }
}

extension DownloadPolicy.Backoff {
  /// The longest wait before retry number `retry` (from 0): `min(max, initial × factor^retry)`.
  package func ceiling(retry: Int) -> Duration {
    var seconds = initial.inSeconds
    for _ in 0..<retry where seconds < max.inSeconds { seconds *= factor }
    return .seconds(min(max.inSeconds, seconds))
  }

  /// A delay with full jitter, from zero to the ceiling, but at least `lowerBound`.
  /// - Parameter chance: A random number from 0 up to 1, drawn by the caller.
  package func wait(retry: Int, chance: Double, atLeast lowerBound: Duration = .zero) -> Duration {
    Swift.max(lowerBound, .seconds(ceiling(retry: retry).inSeconds * chance))
  }

  /// A delay shared by all requests to one origin, from half of the ceiling to the ceiling. Every draw therefore
  /// outlasts a short outage, not only most of them.
  /// - Parameter chance: A random number from 0 up to 1, drawn by the caller.
  func sharedWait(retry: Int, chance: Double) -> Duration {
    .seconds(ceiling(retry: retry).inSeconds * (0.5 + chance / 2))
  }
}
