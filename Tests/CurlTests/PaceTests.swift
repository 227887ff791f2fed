// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Curl

@Suite("the pace of all transfers together")
struct PaceTests {
  private let start = SuspendingClock.now

  private func pace(_ bytesPerSecond: Int64?) -> Pace {
    var pace = Pace()
    pace.setLimit(bytesPerSecond, at: start)
    return pace
  }

  @Test("without a limit nobody waits")
  func unlimited() {
    var pace = pace(nil)
    #expect(pace.take(1 << 30, at: start) == nil)
  }

  @Test("each waits for all that was taken before")
  func shared() {
    var pace = pace(1000)
    #expect(pace.take(1000, at: start) == .seconds(1))
    #expect(pace.take(500, at: start) == .seconds(1.5))
    #expect(pace.take(500, at: start + .seconds(1)) == .seconds(1))
  }

  @Test("small debts add up before anybody waits")
  func small() {
    var pace = pace(1000)
    #expect(pace.take(19, at: start) == nil)
    #expect(pace.take(1, at: start) == .milliseconds(20))
  }

  @Test("a late timer is made up for, an idle hour is not")
  func slack() {
    var pace = pace(1000)
    _ = pace.take(1000, at: start)
    #expect(pace.take(1000, at: start + .milliseconds(1050)) == .milliseconds(950))
    #expect(pace.take(1000, at: start + .seconds(3600)) == .milliseconds(900))
  }

  @Test("a new limit forgets what was taken under the old one")
  func change() {
    var pace = pace(1)
    _ = pace.take(1000, at: start)
    pace.setLimit(1000, at: start + .seconds(1))
    #expect(pace.take(1000, at: start + .seconds(1)) == .seconds(1))
  }
}
