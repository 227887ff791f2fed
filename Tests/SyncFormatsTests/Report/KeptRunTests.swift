// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore
@testable import SyncFormats

@Suite("a kept report")
struct KeptRunTests {
  @Test("says what the run's report said")
  func roundTrip() throws {
    let report = try ReportSamples.report()
    let run = try KeptRun.decode(report.json())
    #expect(run.runID == report.runID && run.name == report.name && run.seconds == 125)
    #expect(run.startedAt == report.startedAt && run.finishedAt == report.finishedAt)
    #expect(run.totals == report.totals && run.storage == report.storage)
    #expect(run.outcome == RunOutcome(report.status) && run.status == Int(report.status.rawValue))
    #expect(run.sources.map(\.playlist) == ["news", "talk"] && run.sources[0].problem == nil)
    #expect(run.sources[1].problem != nil)
    #expect(run.lines.map(\.id).prefix(2) == ["gone", "old"])
    let begun = try #require(run.lines.first { $0.id == "begun" })
    #expect(begun.outcome == .failed && begun.error == ReportSamples.error(isTemporary: true) && begun.isTemporary)
    #expect(begun.host == "cdn.example" && begun.attempts == 4 && begun.title == "BEGUN" && begun.playlist == "mix")
    let new = try #require(run.lines.first { $0.id == "new" })
    #expect(new.retries == 1 && new.resumed == ByteCount(1 << 20) && new.bytes == ByteCount(7_551_424))
    let dead = try #require(run.lines.first { $0.id == "dead" })
    #expect(dead.outcome == .failedBefore && dead.title == "Dead\n")
  }

  @Test(
    "that is damaged or foreign is refused",
    arguments: [
      ("", "it is empty, or holds only zeros"), ("\0\0", "it is empty, or holds only zeros"),
      ("[]", "it is not a file of this program"), ("{}", "it is not a file of this program"),
      (#"{"format":"syncjob-plan","version":1}"#, #"it is a file of the format "syncjob-plan""#),
      (#"{"format":"syncjob-report","version":1}"#, #"the file has no field "run_id""#),
      (#"{"format":"syncjob-report","version":7}"#, "it has version 7, and version 1 is known"),
      (#"{"format":"syncjob-report","version":1,"items":[{"id":"a"}]}"#, #"item 1 has no field "action""#),
      (
        #"{"format":"syncjob-report","version":1,"items":[{"id":"a","action":"dance"}]}"#,
        #"the field "action" of item 1 has an impossible value"#
      ),
      (#"{"format":"syncjob-report","version":1,"items":[{"id":"a""#, "line 1, column 58: it ends too early"),
    ])
  func refused(text: String, words: String) {
    let problem = #expect(throws: QueueFileProblem.self) { try KeptRun.decode(Array(text.utf8)) }
    #expect(problem?.words == words)
  }

  @Test("of each length that was cut off is refused, and crashes nothing")
  func cut() throws {
    let bytes = try ReportSamples.report().json()
    for length in 0..<(bytes.count - 1) {
      #expect(throws: QueueFileProblem.self) { try KeptRun.decode(Array(bytes[..<length])) }
    }
  }
}
