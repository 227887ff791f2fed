// SPDX-License-Identifier: Apache-2.0

/// Delays transfers so that all of them together keep to a pace. Confined to the loop's thread.
final class Throttle {
  /// Called with each transfer that may continue.
  var release: (TransferID) -> Void = { _ in }
  private let timers: TimerQueue
  private var pace = Pace()
  private var held: [TransferID: TimerID] = [:]

  init(timers: TimerQueue) { self.timers = timers }

  /// Sets a new limit. Transfers that wait for the old pace are released.
  func setLimit(_ bytesPerSecond: Int64?) {
    pace.setLimit(bytesPerSecond, at: SuspendingClock.now)
    for id in Array(held.keys) { letGo(id) }
  }

  /// - Returns: True if the transfer must wait until it is released.
  func took(_ bytes: Int, _ id: TransferID) -> Bool {
    guard let wait = pace.take(bytes, at: SuspendingClock.now) else { return false }
    forget(id)
    held[id] = timers.add(after: wait) { [unowned self] in letGo(id) }
    return true
  }

  /// Counts bytes that came another way.
  /// - Returns: The time to wait before more are taken, or nil for no wait.
  func took(_ bytes: Int) -> Duration? { pace.take(bytes, at: SuspendingClock.now) }

  /// Called when the transfer is over.
  func forget(_ id: TransferID) { if let timer = held.removeValue(forKey: id) { timers.remove(timer) } }

  private func letGo(_ id: TransferID) {
    forget(id)
    release(id)
  }
}

/// A byte rate shared by any number of users. Each piece is paid for with time, one after the other, so the sum is
/// exact and what one user leaves is available to the others.
struct Pace {
  /// Waits shorter than this are not worth a timer. They add up until one is.
  static let shortestWait = Duration.milliseconds(20)
  /// The longest idle time that may be made up for, because timers fire late.
  static let slack = Duration.milliseconds(100)

  private var bytesPerSecond: Int64?
  private var paidUntil: SuspendingClock.Instant?

  /// Sets a new limit. Earlier bytes no longer count.
  mutating func setLimit(_ bytesPerSecond: Int64?, at now: SuspendingClock.Instant) {
    self.bytesPerSecond = bytesPerSecond
    paidUntil = now
  }

  /// - Returns: The time to wait before the same transfer takes more, or nil for no wait.
  mutating func take(_ bytes: Int, at now: SuspendingClock.Instant) -> Duration? {
    guard let bytesPerSecond else { return nil }
    let start = max(paidUntil ?? now, now - Self.slack)
    let paid = start + .nanoseconds(Int64(bytes) * 1_000_000_000 / bytesPerSecond)
    paidUntil = paid
    let wait = now.duration(to: paid)
    return wait >= Self.shortestWait ? wait : nil
  }
}
