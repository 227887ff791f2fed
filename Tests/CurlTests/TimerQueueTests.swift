// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Curl

@Suite("The queue of timers") struct TimerQueueTests {
  @Test("fires what is due, soonest first, and keeps the rest")
  func order() {
    let queue = TimerQueue()
    let start = SuspendingClock.now
    var fired: [Int] = []
    for number in [5, 1, 4, 2, 3, 1] { _ = queue.add(at: start + .seconds(number)) { fired.append(number) } }
    queue.fire(at: start + .seconds(3))
    #expect(fired == [1, 1, 2, 3])
    #expect(queue.nextDeadline == start + .seconds(4))
  }

  @Test("forgets what is removed, even by an action that fires before it")
  func removal() {
    let queue = TimerQueue()
    let start = SuspendingClock.now
    var fired: [String] = []
    let second = queue.add(at: start + .seconds(2)) { fired.append("second") }
    let first = queue.add(at: start + .seconds(1)) {
      fired.append("first")
      queue.remove(second)
    }
    queue.fire(at: start + .seconds(9))
    queue.remove(first)
    #expect(fired == ["first"])
    #expect(queue.nextDeadline == nil)
  }
}
