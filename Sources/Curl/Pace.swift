// SPDX-License-Identifier: Apache-2.0

/// How fast bytes may be taken, by whomever: each piece is paid for with time, one after the other, so that the sum is
/// exact however many take part, and what one leaves is there for the others.
struct Pace {
  /// Waits below this are not worth a timer; they add up until they are.
  static let shortestWait = Duration.milliseconds(20)
  /// So much time that passed without a byte may be made up for: timers come late.
  static let slack = Duration.milliseconds(100)

  private var bytesPerSecond: Int64?
  private var paidUntil: SuspendingClock.Instant?

  /// What was taken before is forgotten.
  mutating func setLimit(_ bytesPerSecond: Int64?, at now: SuspendingClock.Instant) {
    self.bytesPerSecond = bytesPerSecond
    paidUntil = now
  }

  /// - Returns: how long to wait before the same transfer takes more; nil for not at all.
  mutating func take(_ bytes: Int, at now: SuspendingClock.Instant) -> Duration? {
    guard let bytesPerSecond else { return nil }
    let start = max(paidUntil ?? now, now - Self.slack)
    let paid = start + .nanoseconds(Int64(bytes) * 1_000_000_000 / bytesPerSecond)
    paidUntil = paid
    let wait = now.duration(to: paid)
    return wait >= Self.shortestWait ? wait : nil
  }
}
