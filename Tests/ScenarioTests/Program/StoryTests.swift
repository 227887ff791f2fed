// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a story that is longer than its room")
struct StoryTests {
  @Test("goes on when played parts go, also while the trash takes their room")
  func continues() throws {
    let (home, server) = (try LibraryFixture(), try FaultServer())
    let parts = (1...6).map { "\($0)" }
    for part in parts {
      let audio = GeneratedAudio(title: part, seconds: 1, seed: 1).body(count: 100_000).bytes(in: 0..<100_000)
      server.serve("/\(part).mp3", Resource(bytes: audio))
    }
    let items = parts.map { part in
      """
      <item><title>Part \(part)</title><guid>\(part)</guid><pubDate>Mon, 0\(part) Jun 2026 08:10:00 +0000</pubDate>
      <enclosure url="\(server.url("/\(part).mp3"))" type="audio/mpeg" length="100000"/></item>
      """
    }
    let document = "<rss version=\"2.0\"><channel><title>Story</title>\(items.joined())</channel></rss>"
    server.serve("/story.xml", Resource(bytes: Array(document.utf8)))
    try home.declare(
      """
      storage: { budget: 320000, min_free: 0, evict: { trigger: 100%, target: 100% }, trash: { keep: 7d } }
      downloads: { network: { allow_private: true } }
      playlists:
        story:
          feed: "\(server.url("/story.xml"))"
          select: { initial: all, order: oldest }
          retain: { drop_played_after: 0s }
      """)
    #expect(try home.run().report[path: "totals.downloaded"] == .number(3))
    try home.edit("played", "story:1", "story:2")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(report)")
    #expect(
      report[path: "totals.removed"] == .number(2) && report[path: "totals.downloaded"] == .number(2), "\(report)")
    let present = try home.list().filter { $0.value[path: "state"] == .string("completed") }.keys
    #expect(present.sorted() == ["story:3", "story:4", "story:5"])
    #expect(try home.run().report[path: "totals.unchanged"] == .number(3))
    #expect(server.requests(to: "/6.mp3").isEmpty)
  }
}
