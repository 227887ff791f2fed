// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("The budget of a run")
struct TransferBudgetTests {
  private func budget(_ change: (inout DownloadPolicy) -> Void = { _ in }) -> TransferBudget {
    var policy = DownloadPolicy()
    change(&policy)
    return TransferBudget(policy)
  }

  @Test("has no end without limits")
  func unlimited() {
    var budget = budget()
    budget.take(ByteCount(1 << 40))
    #expect(budget.reached(after: .seconds(1 << 30)) == nil && !budget.isExceeded)
    #expect(budget.timeLeft(after: .zero) == nil && budget.overlap == PartialDownload.overlap)
  }

  @Test("is used up by its last byte, and exceeded by the next one")
  func bytes() {
    var budget = budget { $0.maxTransfer = ByteCount(100) }
    budget.take(ByteCount(60))
    #expect(budget.reached(after: .zero) == nil && budget.overlap == ByteCount(20))
    budget.take(ByteCount(40))
    #expect(budget.reached(after: .zero) == .transfer(ByteCount(100)) && !budget.isExceeded)
    budget.take(ByteCount(1))
    #expect(budget.isExceeded && budget.overlap == ByteCount(1))
  }

  @Test("ends with its time")
  func time() {
    let budget = budget { $0.maxDuration = .seconds(60) }
    #expect(budget.reached(after: .seconds(59)) == nil && budget.timeLeft(after: .seconds(59)) == .seconds(1))
    #expect(budget.reached(after: .seconds(60)) == .duration(.seconds(60)))
  }
}
