// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the health of past runs")
struct RunHealthTests {
  private static func line(
    _ id: String, _ action: Step.Action, _ outcome: KeptRun.Outcome, retries: Int = 0, resumed: Int64 = 0,
    isTemporary: Bool = false
  ) -> KeptRun.Line {
    var line = KeptRun.Line()
    (line.id, line.action, line.outcome, line.retries) = (id, action, outcome, retries)
    (line.resumed, line.attempts, line.isTemporary) = (ByteCount(resumed), 1, isTemporary)
    if outcome == .failed {
      line.error = ErrorRecord(
        kind: .http, status: isTemporary ? 503 : 404, message: "no \(id)", at: Timestamp(secondsSince1970: 0))
      line.host = "a.example"
    }
    return line
  }

  private static func health(_ runs: [KeptRun.Line]...) -> RunHealth {
    RunHealth(
      runs.enumerated().map { number, lines in
        let time = Timestamp(secondsSince1970: Int64(number) * 86_400)
        var run = KeptRun(
          runID: "\(number)", name: "car", startedAt: time, finishedAt: time, outcome: .ok, status: 0)
        run.lines = lines
        return run
      })
  }

  @Test("without a run or a transfer has no rate, and nothing is missed")
  func empty() {
    for health in [
      RunHealth([]), Self.health([Self.line("a", .remove, .removed), Self.line("b", .download, .deferred)]),
    ] {
      #expect(health.success.share == nil && health.success.isReached && health.speed == nil && health.failures.isEmpty)
    }
    #expect(RunHealth([]).period == nil)
  }

  @Test("an item that fails and comes later is a failure, a success and a recovery")
  func recovery() {
    let health = Self.health(
      [Self.line("a", .download, .failed, isTemporary: true), Self.line("b", .download, .failed)],
      [Self.line("a", .resume, .completed, resumed: 5)])
    #expect(health.success.good == 1 && health.success.all == 3)
    #expect(health.recovery.good == 1 && health.recovery.all == 1)
    #expect(health.resume.good == 1 && health.resume.all == 1)
  }

  @Test("an item that failed in the last run alone is not judged, and one that failed again is no recovery")
  func open() {
    let health = Self.health(
      [Self.line("a", .download, .failed, isTemporary: true)],
      [Self.line("a", .download, .failed, isTemporary: true), Self.line("b", .download, .failed, isTemporary: true)])
    #expect(health.recovery.good == 0 && health.recovery.all == 1)
  }

  @Test("a repeated request counts by its end, and a partial that was begun again is not continued")
  func retries() {
    let health = Self.health([
      Self.line("a", .download, .completed, retries: 2), Self.line("b", .download, .failed, retries: 3),
      Self.line("c", .resume, .completed), Self.line("d", .upgrade, .completed),
      Self.line("e", .adopt, .completed),
    ])
    #expect(health.retry.good == 1 && health.retry.all == 2)
    #expect(health.resume.good == 0 && health.resume.all == 1 && !health.resume.isReached)
    #expect(health.success.all == 5)
  }

  @Test("failures are grouped by kind, status and host, the most frequent first, with the last message")
  func failures() {
    let health = Self.health(
      [Self.line("a", .download, .failed), Self.line("b", .download, .failed, isTemporary: true)],
      [Self.line("b", .download, .failed, isTemporary: true), Self.line("c", .download, .failed, isTemporary: true)])
    #expect(health.failures.map(\.count) == [3, 1] && health.failures.map(\.status) == [503, 404])
    #expect(health.failures[0].message == "no c" && health.failures[0].host == "a.example")
  }
}
