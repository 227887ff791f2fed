// SPDX-License-Identifier: Apache-2.0

/// How fast bytes come and when they will all be there, without jumping at every burst and pause.
///
/// The rate is an exponentially weighted mean over time, smoothed twice: a burst moves it gradually, and a pause lowers it
/// gradually. It is divided by what the same filter makes of a constant 1, so that it is unbiased from the start.
package struct ProgressEstimator: Equatable, Sendable {
  /// Of each of the two stages, in seconds: together they look back about ten.
  private static let timeConstant = 5.0
  /// Samples that are closer than this, in seconds, are taken together.
  private static let step = 0.1
  /// Before this time nothing is said to people, whom a jumping figure disturbs.
  package static let warmUp = Duration.seconds(1)

  private let start: Double
  private var latest: Double
  /// Came since `latest` and is in no stage yet.
  private var pending: Int64 = 0
  private var first = 0.0
  private var second = 0.0

  /// - Parameter time: on any clock that does not go back, the same for all calls.
  package init(startingAt time: Duration) {
    start = time.inSeconds
    latest = start
  }

  /// `bytes` more have come. What was there before the start is none of them.
  package mutating func add(_ bytes: ByteCount, at time: Duration) {
    pending = pending.addingReportingOverflow(bytes.bytes).partialValue
    let now = time.inSeconds
    if now - latest >= Self.step { settle(at: now) }
  }

  /// Bytes a second; nil while it is too early to say.
  /// - Parameter warmUp: how long it has to be observed first.
  package func rate(at time: Duration, after warmUp: Duration = warmUp) -> Double? {
    let now = max(time.inSeconds, latest)
    let age = now - start
    guard age > 0, age >= warmUp.inSeconds else { return nil }
    var settled = self
    if now > latest { settled.settle(at: now) }
    let ratio = age / Self.timeConstant
    return max(0, settled.second / (1 - (1 + ratio) * decay(ratio)))
  }

  /// How long `remaining` bytes take at this rate; nil when nobody can know.
  package func timeLeft(for remaining: ByteCount, at time: Duration, after warmUp: Duration = warmUp) -> Duration? {
    guard let rate = rate(at: time, after: warmUp), rate >= 1 else { return nil }
    let seconds = Double(remaining.bytes) / rate
    guard seconds < Self.farthest else { return nil }
    return .milliseconds(Int64(seconds * 1000))
  }

  /// Seconds beyond which a time left is a guess at best: a year.
  private static let farthest = 365.0 * 86_400

  /// Two low-pass filters in a row, fed with a constant rate since `latest`, in closed form: how often it is called
  /// makes no difference.
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

/// e^-x for x ≥ 0: the series of a small part of x, squared back up.
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
