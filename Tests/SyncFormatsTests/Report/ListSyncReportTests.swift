// SPDX-License-Identifier: Apache-2.0

import SyncCore
import Testing

@testable import SyncFormats

@Suite("the result of a sync")
struct ListSyncReportTests {
  private func report() throws -> RunReport {
    var result = ListSyncResult(playlist: try #require(PlaylistName("gym")), title: "Gym")
    result.titles = ["a": "A\u{1B}", "b": "B"]
    result.pulled = [ListChange(.removed, .song("a"), at: 2)]
    result.pushed = [ListChange(.added, .song("b"), at: 1), ListChange(.created)]
    result.merged = [ListChange(.moved, .song("c"))]
    result.conflicts = [ListConflict(.movedTwice, .song("b"), taken: .server)]
    var report = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    report.fold(.listSynced(result))
    return report
  }

  @Test("for people has a line for each change and conflict")
  func text() throws {
    let text = ListSyncReport(try report(), isDryRun: false).text(style: TextStyle(hasColor: false))
    #expect(
      text == """
        gym: 1 pulled, 2 pushed, 1 made on both sides, 1 conflict
          ! B: moved to different places on both sides; the change made on the server counts
          ↓ A\\u{1B}: removed on the server
          ↑ B: added here, place 1
          ↑ the playlist: created here

        """)
    let nothing = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    #expect(
      ListSyncReport(nothing, isDryRun: true).text(style: TextStyle(hasColor: false))
        == "all playlists are in step with their servers\n")
  }

  @Test("for programs has the reason of each, and a kept report gives it back")
  func json() throws {
    let report = try report()
    let json = try JSONValue(parsing: ListSyncReport(report, isDryRun: false).json())
    #expect(json["totals"]?["pushed"]?.integer == 2 && json["totals"]?["conflicts"]?.integer == 1)
    let list = try #require(json["playlists"]?.array?.first)
    #expect(
      list.names == ["playlist", "title", "status", "pulled", "pushed", "merged", "conflicts"])
    #expect(list["pulled"]?.array?.first?["reason"] == .string("removed_there"))
    #expect(list["merged"]?.array?.first?["reason"] == .string("moved_on_both_sides"))
    #expect(list["conflicts"]?.array?.first?["taken"] == .string("server"))
    let kept = try KeptRun.decode(report.json())
    #expect(kept.totals.pushed == 2)
    #expect(kept.lists.map(\.direction) == [.pulled, .pushed, .pushed, .merged, .conflicts])
    #expect(kept.lists.map(\.reason)[1] == "added here" && kept.lists[1].title == "B")
  }
}
