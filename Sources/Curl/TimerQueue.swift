// SPDX-License-Identifier: Apache-2.0

/// The identity of one timer of one loop, never reused.
package struct TimerID: Hashable, Sendable {
  let deadline: SuspendingClock.Instant
  let number: UInt64
}

/// Actions ordered by deadline, soonest first. Actions with the same deadline run in the order in which they were
/// added. Confined to the loop's thread. The clock is `CLOCK_MONOTONIC`: it never jumps and does not count the time for
/// which the machine is suspended.
final class TimerQueue {
  /// Latest first, so that the soonest can be removed from the end.
  private var entries: [(id: TimerID, action: () -> Void)] = []
  private var lastNumber: UInt64 = 0

  var nextDeadline: SuspendingClock.Instant? { entries.last?.id.deadline }

  func add(at deadline: SuspendingClock.Instant, _ action: @escaping () -> Void) -> TimerID {
    lastNumber += 1
    let id = TimerID(deadline: deadline, number: lastNumber)
    entries.insert((id, action), at: place(of: id))
    return id
  }

  /// A negative delay counts as zero.
  func add(after delay: Duration, _ action: @escaping () -> Void) -> TimerID {
    add(at: SuspendingClock.now + max(.zero, delay), action)
  }

  /// Does nothing if the timer has fired.
  func remove(_ id: TimerID) {
    let index = place(of: id)
    if index < entries.count, entries[index].id == id { entries.remove(at: index) }
  }

  func removeAll() { entries = [] }

  /// Runs the due actions one by one, so that each may remove the next.
  func fire(at now: SuspendingClock.Instant) {
    while let deadline = nextDeadline, deadline <= now { entries.popLast()?.action() }
  }

  /// The first index whose entry is not later than `id`.
  private func place(of id: TimerID) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let other = entries[middle].id
      if (other.deadline, other.number) > (id.deadline, id.number) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
