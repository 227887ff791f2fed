// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("what a run may use up")
struct RunLimitTests {
  @Test(
    "a limit is reached when so much has come or so much time is over, bytes first",
    arguments: [
      (nil, nil, 1 << 40, 1 << 20, nil), (100, nil, 99, 0, nil), (100, nil, 100, 0, .transfer(ByteCount(100))),
      (nil, 60, 0, 59, nil), (nil, 60, 0, 60, .duration(.seconds(60))), (100, 60, 100, 60, .transfer(ByteCount(100))),
    ] as [(Int64?, Int?, Int64, Int, RunLimit?)])
  func reached(bytes: Int64?, seconds: Int?, received: Int64, elapsed: Int, expected: RunLimit?) {
    var policy = DownloadPolicy()
    policy.maxTransfer = bytes.map(ByteCount.init)
    policy.maxDuration = seconds.map { .seconds($0) }
    #expect(RunLimit.reached(policy, received: ByteCount(received), elapsed: .seconds(elapsed)) == expected)
  }
}
