// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("an episode with alternate enclosures")
struct AlternateEnclosureTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = try LibraryFixture.hearingTalk()
    server.serveAudio("main", "mirror", "low")
  }

  private func declare(quality: String) throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { talk: { feed: "\(server.url("/talk.xml"))", quality: \(quality), select: { initial: all } } }
      """)
  }

  private func publish(_ alternates: String) {
    let document = """
      <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Talk</title><item><title>A</title>
      <guid>1</guid><enclosure url="/main.mp3" type="audio/mpeg"/>\(alternates)</item></channel></rss>
      """
    server.serve("/talk.xml", Resource(bytes: Array(document.utf8), etag: "\"\(document.hashValue)\""))
  }

  private static let low = """
    <podcast:alternateEnclosure type="audio/mpeg" bitrate="64000"><podcast:source uri="/low.mp3"/>
    </podcast:alternateEnclosure>
    """

  private func mirror(_ more: String = "") -> String {
    """
    <podcast:alternateEnclosure type="audio/mpeg" default="true"><podcast:source uri="ipfs://x"/>
    <podcast:source uri="/mirror.mp3"/>\(more)</podcast:alternateEnclosure>
    """
  }

  private func count(_ path: String) -> Int { server.requests(to: path).count }

  @Test("is fetched from another place if the enclosure is gone")
  func gone() throws {
    server.serve("/main.mp3", nil)
    publish(mirror())
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardOutput)")
    #expect(report[path: "totals.alternatives_used"] == .number(1) && count("/mirror.mp3") == 1)
  }

  @Test("whose bytes are not those that its integrity names is not finished")
  func integrity() throws {
    let wrong = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    publish(mirror("<podcast:integrity type=\"sri\" value=\"sha256-\(wrong)\"/>"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardOutput)")
    #expect(report[path: "items.0.error.kind"] == .string("checksum"))
    #expect(try home.ownedPaths().isEmpty)
  }

  @Test("has the wanted quality, and gets the enclosure when that is wanted, each once")
  func quality() throws {
    publish(Self.low)
    try declare(quality: "low")
    #expect(try home.run().result.ending == .exited(0))
    for _ in 1...2 { #expect(try home.run().report[path: "totals.unchanged"] == .number(1)) }
    #expect(count("/low.mp3") == 1 && count("/main.mp3") == 0)
    try declare(quality: "source")
    #expect(try home.run().report[path: "totals.upgraded"] == .number(1))
    // The enclosure counts as high.
    try declare(quality: "high")
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
    #expect(count("/low.mp3") == 1 && count("/main.mp3") == 1)
  }

  @Test("that was finished stays as it is when the feed begins to name other files")
  func later() throws {
    publish("")
    #expect(try home.run().result.ending == .exited(0))
    publish(Self.low + mirror("<podcast:integrity type=\"sri\" value=\"sha256-AAAA\"/>"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0) && report[path: "totals.unchanged"] == .number(1))
    #expect(count("/main.mp3") == 1 && count("/low.mp3") == 0 && count("/mirror.mp3") == 0)
  }
}
