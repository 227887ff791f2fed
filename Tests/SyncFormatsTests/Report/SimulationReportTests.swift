// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("what another policy would have kept")
struct SimulationReportTests {
  private func text(columns: Int?) -> String {
    var outcome = Simulation.Outcome(score: .balanced, budget: ByteCount(600_000))
    outcome.days = 9
    (outcome.plays, outcome.hits, outcome.downloads) = (2, 2, 2)
    outcome.peak = ByteCount(500_000)
    let report = SimulationReport(
      [outcome], omissions: Simulation.Omissions(), until: Timestamp(secondsSince1970: 1_800_000_000), score: .balanced)
    var style = TextStyle(hasColor: false, columns: columns)
    style.units = .decimal
    return report.text(style: style)
  }

  @Test("sizes have the units of the manifest")
  func units() {
    #expect(text(columns: nil).contains("with a budget of 600 kB"))
    #expect(text(columns: nil).contains("500 kB\n"))
  }

  @Test(
    "a narrow terminal shows the most important columns, and none is cut",
    arguments: [
      (80, ["score", "hits", "misses", "fetched", "evicted", "removed", "peak"]),
      (55, ["score", "hits", "fetched", "evicted", "peak"]), (40, ["score", "hits", "fetched"]), (5, ["score"]),
    ])
  func columns(_ width: Int, _ names: [String]) throws {
    let lines = text(columns: width).split(separator: "\n")
    let head = try #require(lines.first { $0.contains("score") })
    #expect(head.split(separator: " ").map(String.init) == names)
  }
}
