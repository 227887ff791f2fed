// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a feed as it was last read")
struct CachedFeedTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private var cached: String { "\(home.state)/cache/world.xml" }
  private var listing: String { "\(home.state)/cache/world.listing" }

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b")
    let items = ["a", "b"].map { name in
      """
      <item><title>\(name)</title><guid isPermaLink="false">\(name)</guid><pubDate>Mon, 05 Jan 2026 08:10:00 +0000</pubDate>
      <enclosure url="\(server.url("/\(name).mp3"))" type="audio/mpeg" length="0"/></item>
      """
    }
    let document = "<rss version=\"2.0\"><channel><title>World</title>\(items.joined())</channel></rss>"
    server.serve("/world.xml", Resource(bytes: Array(document.utf8), etag: "\"1\""))
    try home.declare(
      """
      storage: { orphans: remove }
      downloads: { network: { allow_private: true } }
      playlists: { world: { feed: "\(server.url("/world.xml"))", select: { initial: all }, mirror: true } }
      """)
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.run().result.ending == .exited(0))
    #expect(lines == ["GET /world.xml 200", "GET /world.xml 304"])
  }

  private var lines: [String] { server.requests(to: "/world.xml").map(\.line) }

  @Test(
    "is asked for anew when it is not what was kept, and nothing is removed for what is missing in it",
    arguments: ["cut", "empty", "without an item", "without its digest", "gone"])
  func changed(_ how: String) throws {
    let text = try FileBytes.text(cached)
    let item = try #require(text.firstRange(of: "<item>"))
    let end = try #require(text.firstRange(of: "</item>"))
    let seal = try #require(text.firstRange(of: "\n<!-- sha256:"))
    switch how {
    case "cut": try FileBytes.write(Array(text.utf8.prefix(200)), to: cached)
    case "empty": try FileBytes.write([], to: cached)
    case "without an item":
      try FileBytes.write(String(text[..<item.lowerBound] + text[end.upperBound...]), to: cached)
      try FileTree.remove(listing)
    case "without its digest": try FileBytes.write(String(text[..<seal.lowerBound]), to: cached)
    default: try FileTree.remove(cached)
    }
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardOutput)")
    #expect(report[path: "totals.removed"] == .number(0) && report[path: "totals.unchanged"] == .number(2))
    #expect(report[path: "warnings.count"] == .number(0))
    #expect(lines.dropFirst(2) == ["GET /world.xml 200"])
    #expect(try FileBytes.text(cached) == text)
    #expect(try home.run().result.ending == .exited(0))
    #expect(lines.last == "GET /world.xml 304")
  }

  @Test("is taken from its listing, and a damaged document beside it counts only when the listing is gone")
  func damaged() throws {
    let text = try FileBytes.text(cached)
    let item = try #require(text.firstRange(of: "<item>"))
    let end = try #require(text.firstRange(of: "</item>"))
    try FileBytes.write(String(text[..<item.lowerBound] + text[end.upperBound...]), to: cached)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardOutput)")
    #expect(report[path: "totals.removed"] == .number(0) && report[path: "totals.unchanged"] == .number(2))
    #expect(lines.last == "GET /world.xml 304")
    try FileBytes.write(Array(try FileBytes.text(listing).utf8.dropLast()), to: listing)
    #expect(try home.run().result.ending == .exited(0))
    #expect(lines.last == "GET /world.xml 200")
    #expect(try FileBytes.text(cached) == text)
  }
}
