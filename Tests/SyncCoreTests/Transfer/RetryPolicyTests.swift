// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("The retry of a request")
struct RetryPolicyTests {
  private let policy = RetryPolicy(retries: 2, backoff: DownloadPolicy.Backoff(), longestWait: .seconds(30))

  @Test(
    "comes after a backoff that grows, as often as the policy allows",
    arguments: [(1, Duration.seconds(1)), (2, .seconds(2)), (3, nil)] as [(Int, Duration?)])
  func transient(requests: Int, delay: Duration?) {
    #expect(policy.delay(after: .network(detail: "reset"), requests: requests, chance: 0.5) == delay)
  }

  @Test("does not come after a failure that would come again")
  func permanent() { #expect(policy.delay(after: .http(status: 404), requests: 1, chance: 0.5) == nil) }

  @Test(
    "waits at least as long as the server asks, unless that is too long for a run",
    arguments: [
      (1, .milliseconds(500), .seconds(1)), (1, .seconds(30), .seconds(30)), (1, .seconds(31), nil), (3, .zero, nil),
    ] as [(Int, Duration, Duration?)])
  func requested(requests: Int, pause: Duration, delay: Duration?) {
    #expect(policy.delay(requested: pause, requests: requests, chance: 0.5) == delay)
  }
}
