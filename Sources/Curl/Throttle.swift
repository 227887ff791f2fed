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

  /// Called when the transfer is over.
  func forget(_ id: TransferID) { if let timer = held.removeValue(forKey: id) { timers.remove(timer) } }

  private func letGo(_ id: TransferID) {
    forget(id)
    release(id)
  }
}
