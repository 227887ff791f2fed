// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a feed with content after its end")
struct FollowedFeedTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in ["a", "b", "c"] {
      server.serve("/\(name).mp3", Resource(bytes: GeneratedAudio(title: name, seconds: 1, seed: 1).bytes))
    }
    try home.declare(
      """
      storage: { orphans: remove }
      downloads: { network: { allow_private: true } }
      playlists: { world: { feed: "\(server.url("/world.xml"))", select: { initial: all }, mirror: true } }
      """)
  }

  private func document(_ names: String...) -> String {
    let items = names.map { name in
      """
      <item><title>Part \(name)</title><guid>\(name)</guid><pubDate>Mon, 05 Jan 2026 08:10:00 +0000</pubDate>
      <enclosure url="\(server.url("/\(name).mp3"))" type="audio/mpeg" length="0"/></item>
      """
    }
    return "<rss version=\"2.0\"><channel><title>World</title>\(items.joined())</channel></rss>\n"
  }

  private func publish(_ text: String) { server.serve("/world.xml", Resource(bytes: Array(text.utf8))) }

  @Test(
    "adds its entries, removes nothing and reports the flaw, in this run and in the next",
    arguments: ["<html><body>502 Bad Gateway</body></html>", "Fatal error: out of memory", "<rss/>", "<!-- cached at"])
  func followed(content: String) throws {
    publish(document("a", "b"))
    #expect(try home.run().result.ending == .exited(0))
    publish(document("c") + content)
    for _ in 1...2 {
      let (result, report) = try home.run()
      #expect(result.ending == .exited(0), "\(result.standardOutput)")
      #expect(report[path: "totals.removed"] == .number(0))
      let flaw = try #require(report[path: "sources.0.flaws.0"])
      #expect(flaw[path: "kind"] == .string("content_after_end"))
    }
    let files = try FileTree.files(home.library, hidden: false).filter { $0.hasSuffix(".mp3") }
    #expect(files.map { $0.suffix(10) } == ["Part a.mp3", "Part b.mp3", "Part c.mp3"])
    publish(document("c"))
    #expect(try home.run().report[path: "totals.removed"] == .number(2))
  }

  @Test("is whole if only comments, processing instructions and white space follow")
  func comments() throws {
    publish(document("a", "b"))
    #expect(try home.run().result.ending == .exited(0))
    publish(document("b", "c") + "\n<!-- cached --> <?cache hit?>\r\n\t")
    let report = try home.run().report
    #expect(report[path: "totals.removed"] == .number(1))
    #expect(report[path: "sources.0.flaws"] == nil)
  }
}
