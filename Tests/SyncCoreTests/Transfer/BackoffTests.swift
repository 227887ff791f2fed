// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("backoff")
struct BackoffTests {
  @Test(
    "waits grow by the factor up to the maximum",
    arguments: [(0, 2), (1, 4), (2, 8), (6, 128), (7, 256), (8, 300), (9, 300), (1000, 300)])
  func ceiling(retry: Int, seconds: Int) {
    #expect(DownloadPolicy.Backoff().ceiling(retry: retry) == .seconds(seconds))
  }

  @Test("a first wait above the maximum is the maximum")
  func initialAboveMaximum() {
    var backoff = DownloadPolicy.Backoff()
    backoff.initial = .seconds(900)
    #expect(backoff.ceiling(retry: 0) == .seconds(300))
  }

  @Test("a factor of one keeps the wait")
  func constant() {
    var backoff = DownloadPolicy.Backoff()
    backoff.factor = 1
    #expect(backoff.ceiling(retry: 50) == .seconds(2))
  }

  @Test("jitter takes any part of it", arguments: [(0.0, 0), (0.5, 4000), (0.25, 2000)])
  func jitter(chance: Double, milliseconds: Int) {
    #expect(DownloadPolicy.Backoff().wait(retry: 2, chance: chance) == .milliseconds(milliseconds))
  }

  @Test("a server's wish is a lower bound")
  func lowerBound() {
    let backoff = DownloadPolicy.Backoff()
    #expect(backoff.wait(retry: 2, chance: 0, atLeast: .seconds(120)) == .seconds(120))
    #expect(backoff.wait(retry: 2, chance: 0.75, atLeast: .seconds(1)) == .seconds(6))
  }
}
