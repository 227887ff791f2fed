// SPDX-License-Identifier: Apache-2.0

/// Holds transfers up so that all together keep to a pace. Belongs to the loop's thread.
final class Throttle {
  /// Told of a transfer that may go on.
  var release: (TransferID) -> Void = { _ in }
  private let timers: TimerQueue
  private var pace = Pace()
  private var held: [TransferID: TimerID] = [:]

  init(timers: TimerQueue) { self.timers = timers }

  /// Who waits for the old pace does not wait any more.
  func setLimit(_ bytesPerSecond: Int64?) {
    pace.setLimit(bytesPerSecond, at: SuspendingClock.now)
    for id in Array(held.keys) { letGo(id) }
  }

  /// - Returns: whether the transfer has to wait now, until it is released.
  func took(_ bytes: Int, _ id: TransferID) -> Bool {
    guard let wait = pace.take(bytes, at: SuspendingClock.now) else { return false }
    forget(id)
    held[id] = timers.add(after: wait) { [unowned self] in letGo(id) }
    return true
  }

  /// The transfer is over.
  func forget(_ id: TransferID) { if let timer = held.removeValue(forKey: id) { timers.remove(timer) } }

  private func letGo(_ id: TransferID) {
    forget(id)
    release(id)
  }
}
