// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("names of reports")
struct ReportNameTests {
  private let home: LibraryFixture

  init() throws {
    home = try LibraryFixture(inMemory: true)
    try home.declare("playlists: {}")
  }

  @Test("sort in the order of the runs, also within one second, and the thirty that are kept are the newest")
  func order() throws {
    var runs: [String] = []
    for _ in 0..<33 {
      let result = try home.command("run", "--json", "--now", "2090-01-01").run()
      let report = try JSONValue(result.stdout)
      runs.append(try #require(report[path: "run_id"]?.description))
    }
    #expect(runs == runs.sorted())
    #expect(Set(runs).count == 33)
    let kept = try FileTree.names("\(home.state)/reports").filter { $0.hasSuffix(".json") }.sorted()
    #expect(kept == runs.suffix(30).map { "\($0).json" })
  }
}
