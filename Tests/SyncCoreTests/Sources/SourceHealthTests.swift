// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the health of a source")
struct SourceHealthTests {
  private let start = Timestamp(secondsSince1970: 1_000_000_000)

  private func digest(_ byte: String) throws -> SHA256Digest {
    try #require(SHA256Digest(hex: String(repeating: byte, count: 32)))
  }

  @Test(
    "a problem passes, may pass for a day, or stays",
    arguments: [
      (.unreachable(.http(status: 500)), .passing), (.unreachable(.http(status: 501)), .passing),
      (.unreachable(.http(status: 503)), .passing), (.unreachable(.http(status: 429)), .passing),
      (.unreachable(.dns(host: "a")), .passing), (.unreachable(.timeout(.connect, after: .seconds(1))), .passing),
      (.unreachable(.http(status: 401)), .lasting), (.unreachable(.http(status: 403)), .lasting),
      (.unreachable(.http(status: 404)), .lasting), (.unreachable(.http(status: 410)), .lasting),
      (.unreachable(.forbiddenAddress("10.0.0.1")), .lasting), (.excessive("x"), .lasting), (.webPage, .doubtful),
      (.empty, .doubtful), (.notAFeed(root: "feed"), .doubtful), (.malformed(line: 1, detail: ""), .doubtful),
      (.suddenlyEmpty(before: 3), .doubtful), (.nothingUsable(entries: 3), .doubtful),
      (.unreadableFile(path: "/a", .enoent), .doubtful),
    ] as [(SourceProblem, SourceProblem.Severity)])
  func severity(problem: SourceProblem, severity: SourceProblem.Severity) {
    #expect(problem.severity == severity)
  }

  @Test("a failure of the network in between does not begin the day anew, a success does")
  func day() throws {
    var health = SourceHealth()
    func fail(_ problem: SourceProblem, hours: Int) throws {
      let digest = try digest("0a")
      health.fail(problem, message: "", at: start + .seconds(3600 * hours), manifest: { digest })
    }
    try fail(.webPage, hours: 0)
    #expect(health.failure?.isPermanent == false)
    try fail(.unreachable(.emptyBody), hours: 20)
    #expect(health.failure?.isPermanent == false)
    try fail(.empty, hours: 25)
    #expect(health.failure?.isPermanent == true)
    try fail(.unreachable(.emptyBody), hours: 26)
    #expect(health.failure?.isPermanent == false)
    #expect(health.failure?.since == start)
    health.succeed(with: try digest("0b"), at: start + .seconds(3600 * 27))
    #expect(health.failure == nil)
    try fail(.webPage, hours: 30)
    #expect(health.failure?.isPermanent == false)
    #expect(health.failure?.since == start + .seconds(3600 * 30))
  }

  @Test("only other entries are a change")
  func change() throws {
    var health = SourceHealth()
    health.succeed(with: try digest("0a"), at: start)
    health.succeed(with: try digest("0a"), at: start + .seconds(1))
    #expect(health.changedAt == start && health.succeededAt == start + .seconds(1))
    health.succeed(with: try digest("0b"), at: start + .seconds(2))
    #expect(health.changedAt == start + .seconds(2))
  }
}
