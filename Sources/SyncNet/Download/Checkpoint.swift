// SPDX-License-Identifier: Apache-2.0

/// The time when progress was last made durable.
struct Checkpoint {
  private static let interval = Duration.seconds(1)

  var isUnderWay = false
  private var latest = ContinuousClock.now

  /// Restarts the interval: nothing has been received yet that could be made durable.
  mutating func restart() { latest = .now }

  mutating func isDue() -> Bool {
    let now = ContinuousClock.now
    guard !isUnderWay, now - latest >= Self.interval else { return false }
    latest = now
    return true
  }
}
