// SPDX-License-Identifier: Apache-2.0

/// The state of a failing origin.
/// It gets one request at a time, a probe, after a backoff that grows with each failed probe.
struct HostTrouble: Equatable, Sendable {
  /// True if the server responds and asks for fewer requests (429, 503). A probe then waits until no other request to
  /// its host is running.
  let isRefusal: Bool
  /// The time of the first failure. An answer to an earlier request says nothing about recovery.
  let began: Duration
  /// The number of probes that failed.
  private(set) var failedProbes = 0
  /// The time from which the next probe may go out.
  private(set) var opening: Duration

  init(isRefusal: Bool, began: Duration, opening: Duration) {
    self.isRefusal = isRefusal
    self.began = began
    self.opening = opening
  }

  mutating func probeFailed(nextAt opening: Duration) {
    failedProbes += 1
    self.opening = opening
  }
}

/// The pace of an origin that refused requests and serves again. Requests go one at a time, `gap` apart.
///
/// The gap halves with each answer until the origin refuses again. From then on it shrinks slowly, so that it stays near
/// the rate that the server allows, and faster once many answers have come without a refusal.
struct HostPace: Equatable, Sendable {
  private static let shortest = Duration.milliseconds(20)
  private static let growth = 1.2
  private static let (slowShrink, fastShrink, halving) = (0.97, 0.85, 0.5)
  /// The number of answers without a refusal that show that the server allows more.
  private static let trust = 8

  private(set) var gap: Duration
  /// The time when the latest served request went out.
  private var served: Duration
  private var wasRefused = false
  private var answers = 0

  /// - Parameters:
  ///   - gap: The time that the server took until it served again.
  ///   - asked: The time when the served request went out.
  init(gap: Duration, after asked: Duration) {
    self.gap = gap * Self.halving
    served = asked
  }

  /// The time from which the next request may go out.
  var opening: Duration { served + gap }

  /// - Returns: True if the origin still needs a pace.
  mutating func wasServed(asked: Duration) -> Bool {
    answers += 1
    gap = gap * (wasRefused ? answers > Self.trust ? Self.fastShrink : Self.slowShrink : Self.halving)
    served = asked
    return gap >= Self.shortest
  }

  mutating func wasRefused(asked: Duration) {
    gap = max(gap, asked - served) * Self.growth
    (wasRefused, answers) = (true, 0)
  }

  /// Called for the first answer after a refusal. It shows a gap that the server allows, though perhaps a much longer
  /// one than necessary.
  mutating func goOn(asked: Duration) {
    gap = min(max(gap, asked - served), gap * 2)
    served = asked
  }
}
