// SPDX-License-Identifier: Apache-2.0

/// How long the disk took for what was last asked of it. A stop waits for a quick disk and not for a slow one: there it
/// counts on what is durable already, and the next run fetches the little that is not.
struct DiskPace {
  /// Of one buffer, or of one flush.
  private static let patience = Duration.milliseconds(300)

  private var slowest = Duration.zero
  private var flushBegan: ContinuousClock.Instant?

  /// Bytes that are still in memory would take too long.
  var isSlow: Bool { slowest > Self.patience || (flushBegan.map { ContinuousClock.now - $0 > Self.patience } ?? false) }

  mutating func wrote(since start: ContinuousClock.Instant) { slowest = ContinuousClock.now - start }

  mutating func beginFlush() { flushBegan = .now }

  mutating func endFlush() {
    if let flushBegan { slowest = max(slowest, ContinuousClock.now - flushBegan) }
    flushBegan = nil
  }
}
