// SPDX-License-Identifier: Apache-2.0

/// Estimates the transfer rate and the remaining time, without jumps at every burst and pause.
///
/// The rate is an exponentially weighted mean over time, smoothed twice: bursts and pauses change it only gradually. It
/// is divided by the response of the same filter to a constant 1, so it is unbiased from the start.
package struct ProgressEstimator: Equatable, Sendable {
  /// The time constant of each of the two stages, in seconds. Together they look back about ten seconds.
  private static let timeConstant = 5.0
  /// Samples closer together than this, in seconds, are merged.
  private static let step = 0.1
  /// The time before anything is shown, because a jumping figure disturbs people.
  package static let warmUp = Duration.seconds(1)

  private let start: Double
  private var latest: Double
  /// Bytes that arrived after `latest` and are not yet in a stage.
  private var pending: Int64 = 0
  private var first = 0.0
  private var second = 0.0

  /// - Parameter time: A time on any clock that never goes back. All calls must use the same clock.
  package init(startingAt time: Duration) {
    start = time.inSeconds
    latest = start
  }

  /// Adds newly received bytes. Bytes present before the start must not be added.
  package mutating func add(_ bytes: ByteCount, at time: Duration) {
    pending = pending.addingReportingOverflow(bytes.bytes).partialValue
    let now = time.inSeconds
    if now - latest >= Self.step { settle(at: now) }
  }

  /// The rate in bytes per second. Nil if it is too early to say.
  /// - Parameter warmUp: The time to observe before a rate is returned.
  package func rate(at time: Duration, after warmUp: Duration = warmUp) -> Double? {
    let now = max(time.inSeconds, latest)
    let age = now - start
    guard age > 0, age >= warmUp.inSeconds else { return nil }
    var settled = self
    if now > latest { settled.settle(at: now) }
    let ratio = age / Self.timeConstant
    return max(0, settled.second / (1 - (1 + ratio) * decay(ratio)))
  }

  /// The time for `remaining` bytes at this rate. Nil if it cannot be estimated.
  package func timeLeft(for remaining: ByteCount, at time: Duration, after warmUp: Duration = warmUp) -> Duration? {
    guard let rate = rate(at: time, after: warmUp), rate >= 1 else { return nil }
    let seconds = Double(remaining.bytes) / rate
    guard seconds < Self.farthest else { return nil }
    return .milliseconds(Int64(seconds * 1000))
  }

  /// The remaining time in seconds beyond which an estimate is only a guess: a year.
  private static let farthest = 365.0 * 86_400

  /// Applies two low-pass filters in a row, fed with a constant rate since `latest`, in closed form. The result does
  /// not depend on how often this is called.
  private mutating func settle(at now: Double) {
    let input = Double(pending) / (now - latest)
    let ratio = (now - latest) / Self.timeConstant
    let kept = decay(ratio)
    second = input + (second - input) * kept + (first - input) * ratio * kept
    first = input + (first - input) * kept
    pending = 0
    latest = now
  }
}

/// Returns e^-x for x ≥ 0: the series for a small fraction of x, squared repeatedly.
private func decay(_ x: Double) -> Double {
  guard x < 700 else { return 0 }
  var halvings = 0
  var small = x
  while small > 0.125 {
    small /= 2
    halvings += 1
  }
  var (sum, term) = (1.0, 1.0)
  for power in 1...10 {
    term *= -small / Double(power)
    sum += term
  }
  for _ in 0..<halvings { sum *= sum }
  return sum
}
