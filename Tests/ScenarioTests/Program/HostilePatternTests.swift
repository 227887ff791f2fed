// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("patterns and the titles of strangers")
struct HostilePatternTests {
  @Test("a title that sends other engines back and forth for ever does not hold up a run")
  func title() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    for number in 0...1 {
      let audio = GeneratedAudio(title: "A", seconds: 1, seed: UInt64(number))
      server.serve("/\(number).mp3", Resource(bytes: audio.bytes))
    }
    let titles = [String(repeating: "a", count: 40) + "!", "plain words"]
    let items = titles.enumerated().map { number, title in
      "<item><guid>\(number)</guid><title>\(title)</title><enclosure url=\"\(server.url("/\(number).mp3"))\" type=\"audio/mpeg\""
        + " length=\"1\"/></item>"
    }
    server.serve(
      "/feed.xml", Resource(text: "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"))
    try home.declare(
      """
      downloads: { network: { allow_private: true } }
      playlists:
        p: { feed: "\(server.url("/feed.xml"))", layout: "{title}.{ext}", select: { match: { title: '/^(\\w+\\s?)+$/' } } }
      """)
    let result = try home.command("run").run(timeout: 60)
    #expect(result.ending == .exited(0), "\(result.standardOutput) \(result.standardError)")
    #expect(try home.ownedPaths() == ["plain words.mp3"])
  }
}
