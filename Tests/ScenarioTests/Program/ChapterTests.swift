// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("Chapters of episodes")
struct ChapterTests {
  private let server: FaultServer
  private let home: LibraryFixture

  init() throws {
    (server, home) = (try FaultServer(), try LibraryFixture())
    server.serveAudio("a", "b", seconds: 4)
    let document = #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"Intro"},{"startTime":2.5,"title":"News"}]}"#
    server.serve("/chapters.json", Resource(text: document, contentType: "application/json+chapters"))
  }

  private func declare(chapters: String = "/chapters.json") throws {
    func enclosure(_ name: String) -> String {
      "<enclosure url='\(server.url("/\(name).mp3"))' type='audio/mpeg'/>"
    }
    let marks =
      "<psc:chapters version='1.2'><psc:chapter start='0' title='Opening'/>"
      + "<psc:chapter start='00:00:01.500' title='Middle'/></psc:chapters>"
    let feed =
      "<rss version='2.0' xmlns:podcast='https://podcastindex.org/namespace/1.0'"
      + " xmlns:psc='http://podlove.org/simple-chapters'><channel><title>Talk</title>"
      + "<item><title>a</title><guid>a</guid>\(enclosure("a"))"
      + "<podcast:chapters url='\(server.url(chapters))' type='application/json+chapters'/></item>"
      + "<item><title>b</title><guid>b</guid>\(enclosure("b"))\(marks)</item></channel></rss>"
    server.serve("/talk.xml", Resource(text: feed, contentType: "application/rss+xml"))
    try home.declare(
      """
      tags: { chapters: embed }
      downloads: { retries: 0, network: { allow_private: true } }
      report: { m3u8: false }
      playlists:
        talk: { feed: "\(server.url("/talk.xml"))", layout: "{title}.{ext}", select: { initial: all } }
      """)
  }

  /// The chapters as another program reads them.
  private func chapters(_ name: String) throws -> String {
    let words = ["-v", "error", "-i", "\(home.library)/\(name).mp3", "-f", "ffmetadata", "-"]
    return try #require(Tool.ffmpeg.command(words)).run().standardOutput
  }

  @Test("are embedded, from a document and from the feed", .requires(.ffmpeg))
  func embed() throws {
    try declare()
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "warnings"] == .array([]), "\(report)")
    let (a, b) = (try chapters("a"), try chapters("b"))
    #expect(a.contains("START=2500") && a.contains("title=Intro") && a.contains("title=News"), "\(a)")
    #expect(b.contains("START=1500") && b.contains("title=Opening") && b.contains("title=Middle"), "\(b)")
    #expect(try home.strays() == [])
  }

  @Test("that cannot be had are a warning", arguments: [("/absent", "404"), ("/a.mp3", "no chapters in JSON")])
  func failure(path: String, words: String) throws {
    try declare(chapters: path)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect("\(report)".contains(words), "\(report)")
    #expect(try home.ownedPaths().count == 2)
  }
}
