// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("an entry that is still listed")
struct ListedEntryTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b", "c")
    try home.declare(
      """
      storage: { orphans: remove }
      downloads: { network: { allow_private: true } }
      playlists: { world: { feed: "\(server.url("/world.xml"))", select: { initial: all }, mirror: true } }
      """)
  }

  private func enclosure(_ name: String) -> String {
    "<enclosure url=\"\(server.url("/\(name).mp3"))\" type=\"audio/mpeg\" length=\"0\"/>"
  }

  private func entry(_ name: String, guid: String, _ enclosure: String) -> String {
    """
    <item><title>Part \(name)</title>\(guid)<pubDate>Mon, 05 Jan 2026 08:10:00 +0000</pubDate>
    <itunes:duration>0:01</itunes:duration>\(enclosure)</item>
    """
  }

  private func publish(_ entries: String...) {
    let document = "<rss version=\"2.0\"><channel><title>World</title>\(entries.joined())</channel></rss>"
    server.serve("/world.xml", Resource(bytes: Array(document.utf8)))
  }

  @Test(
    "keeps its file when its enclosure is gone or cannot be used, though what left is removed",
    arguments: [
      "", "<enclosure/>", "<enclosure url=\"ftp://a.example/a.mp3\"/>", "<enclosure url=\"\" type=\"audio/mpeg\"/>",
    ],
    ["<guid>a</guid>", ""])
  func keeps(enclosure bad: String, guid: String) throws {
    let others = ["b", "c"].map { entry($0, guid: "<guid>\($0)</guid>", enclosure($0)) }
    publish(entry("a", guid: guid, enclosure("a")), others[0], others[1])
    #expect(try home.run().result.ending == .exited(0))
    publish(entry("a", guid: guid, bad), others[0])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.removed"] == .number(1))
    #expect(report[path: "totals.unchanged"] == .number(2))
    let files = try FileTree.files(home.library, hidden: false).filter { $0.hasSuffix(".mp3") }
    #expect(files.map { $0.suffix(10) } == ["Part a.mp3", "Part b.mp3"])
    publish(entry("a", guid: guid, enclosure("a")), others[0])
    #expect(try home.run().report[path: "totals.unchanged"] == .number(2))
    #expect(server.requests(to: "/a.mp3").count == 1)
  }

  @Test("that was never fetched waits, and comes when its enclosure is back")
  func waits() throws {
    server.script("/a.mp3", [.status(503), .honest])
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { world: { feed: "\(server.url("/world.xml"))", select: { initial: all }, mirror: true } }
      """)
    let b = entry("b", guid: "<guid>b</guid>", enclosure("b"))
    publish(entry("a", guid: "<guid>a</guid>", enclosure("a")), b)
    #expect(try home.run().result.ending == .exited(5))
    publish(entry("a", guid: "<guid>a</guid>", ""), b)
    _ = try home.run()
    #expect(try home.list()["world:a"]?[path: "title"] == .string("Part a"))
    publish(entry("a", guid: "<guid>a</guid>", enclosure("a")), b)
    #expect(try home.run().report[path: "totals.downloaded"] == .number(1))
  }
}
