// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

/// Each case runs with many draws of chance, because a run that is saved by luck is not saved.
@Suite("a server's hiccup does not end a run")
struct HostRecoveryPropertyTests {
  @Test("an outage of up to five seconds costs no item and little more time than itself", arguments: 0..<200)
  func outage(seed: Int) throws {
    var chance = SeededGenerator(seed)
    let from = Duration.milliseconds(Int.random(in: 0...2000, using: &chance))
    let length = Duration.milliseconds(Int.random(in: 1...5000, using: &chance))
    var run = try HostSimulation(items: 300, .down(from: from, to: from + length), seed: seed)
    run.run()
    let (served, time, requests) = (run.served.count, run.time, run.requests)
    #expect(served == 300)
    #expect(time <= from + length * 3 + .seconds(8))
    #expect(requests <= 300 + 8)
  }

  @Test(
    "a rate limit without Retry-After is kept, with every item, in about the time that the limit needs",
    arguments: 0..<100, [429, 503])
  func rateLimit(seed: Int, status: Int) throws {
    let interval = Duration.milliseconds([100, 200, 500, 1000, 3000][seed % 5])
    var run = try HostSimulation(items: 60, .limited(every: interval, status: status), seed: seed)
    run.run()
    let (served, time, requests) = (run.served.count, run.time, run.requests)
    #expect(served == 60)
    #expect(time <= interval * 60 * 1.6 + .seconds(10), "\(time) with \(interval)")
    #expect(requests <= 60 * 3 / 2, "\(requests) with \(interval)")
  }

  @Test("a server that serves one request at a time gets one at a time", arguments: 0..<50)
  func oneAtATime(seed: Int) throws {
    var run = try HostSimulation(items: 20, .narrow(width: 1, seconds: .seconds(10)), seed: seed)
    run.run()
    let (served, time) = (run.served.count, run.time)
    #expect(served == 20)
    #expect(time <= .seconds(300))
  }

  @Test(
    "a few items that always fail cost the others of their host neither their turn nor their time",
    arguments: 0..<50, [500, 502, 429, 503])
  func brokenItems(seed: Int, status: Int) throws {
    let broken = Set([0, 1, 100 + seed])
    var run = try HostSimulation(items: 300, .broken(items: broken, status: status), seed: seed)
    run.run()
    let (served, time) = (run.served.count, run.time)
    #expect(served == 297)
    let failed = run.failed
    #expect(failed == broken)
    // Each refusal slows the others down, because it may be about them.
    #expect(time <= .seconds(status == 429 || status == 503 ? 120 : 40), "\(time)")
  }

  @Test("a server that never serves is left alone after a handful of requests", arguments: 0..<50, [429, 500, 503])
  func refusing(seed: Int, status: Int) throws {
    var run = try HostSimulation(items: 300, .refusing(status: status), seed: seed)
    run.run()
    let (served, time, requests) = (run.served.count, run.time, run.requests)
    let isClosed = run.isClosed
    #expect(isClosed)
    #expect(requests <= 10)
    let lost = run.failed.count + run.deferred.count
    #expect(served == 0 && lost == 300)
    #expect((.seconds(15) ... .seconds(35)).contains(time), "\(time)")
  }

  @Test("a server that answers nobody is left alone only after as long as an item's retries take", arguments: 0..<50)
  func gone(seed: Int) throws {
    var run = try HostSimulation(items: 300, .down(from: .zero, to: .seconds(1 << 20)), seed: seed)
    run.run()
    let (served, time, requests) = (run.served.count, run.time, run.requests)
    let isClosed = run.isClosed
    #expect(isClosed && served == 0)
    #expect(requests <= 7)
    let most = run.attempts.max()
    #expect(most == 3, "one item has had all of its tries but the last, which is for an item that has not failed")
    #expect((.seconds(15) ... .seconds(35)).contains(time), "\(time)")
  }
}
