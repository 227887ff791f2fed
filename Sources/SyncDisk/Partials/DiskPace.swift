// SPDX-License-Identifier: Apache-2.0

/// The time that the disk took for the last requests. A stop waits for a quick disk but not for a slow one: there it
/// relies on what is durable already, and the next run fetches the little that is not.
package struct DiskPace {
  /// The limit for one buffer or one flush.
  private static let patience = Duration.milliseconds(300)

  private var slowest = Duration.zero
  private var flushBegan: ContinuousClock.Instant?

  /// True if writing the bytes that are still in memory would take too long.
  package var isSlow: Bool {
    slowest > Self.patience || (flushBegan.map { ContinuousClock.now - $0 > Self.patience } ?? false)
  }

  mutating func wrote(since start: ContinuousClock.Instant) { slowest = ContinuousClock.now - start }

  mutating func beginFlush() { flushBegan = .now }

  mutating func endFlush() {
    if let flushBegan { slowest = max(slowest, ContinuousClock.now - flushBegan) }
    flushBegan = nil
  }
}
