// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a feed that points into the network at home")
struct FeedAddressTests {
  /// Notations for this machine, for private ranges and for the address where clouds serve their keys.
  static let hosts = [
    "127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]", "0.0.0.0", "2130706433",
    "0x7f000001", "0177.0.0.1", "127.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1",
    "[fd00::1]", "[fe80::1]", "[64:ff9b::7f00:1]",
  ]

  @Test("no spelling of a private address is even connected to")
  func spellings() throws {
    let home = try LibraryFixture()
    let (feed, victim) = (try FaultServer(), try FaultServer())
    victim.serveAudio("a")
    feed.serve("/feed.xml", Resource(text: document(port: victim.port)))
    try home.declare(
      """
      downloads: { retries: 0, timeouts: { connect: 3s } }
      playlists: { brief: { title: Brief, feed: "\(feed.url("/feed.xml"))", select: { initial: all } } }
      """)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "totals.failed"] == .number(Double(Self.hosts.count)))
    for (index, host) in Self.hosts.enumerated() {
      let error = report[path: "items[id=brief:ep-\(index)].error.kind"]
      #expect(error == .string("forbidden_address"), "\(host): \(error?.description ?? "none")")
    }
    #expect(victim.connectionCount == 0)
    #expect(feed.requests.map(\.line) == ["GET /feed.xml 200"])
    #expect(try home.ownedPaths().isEmpty)
    #expect(try home.strays() == [])
  }

  @Test("nor when a redirect of a host that may be asked leads there")
  func redirects() throws {
    let home = try LibraryFixture()
    let (origin, victim) = (try FaultServer(), try FaultServer(address: "127.0.0.9"))
    victim.serveAudio("a")
    origin.script("/a.mp3", [.redirect(to: victim.url("/a.mp3"))])
    try home.declare(
      "playlists: { all: { items: [{ id: a, title: A, url: \"\(origin.url("/a.mp3"))\" }] } }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3))
    #expect(report[path: "items.0.error.kind"] == .string("forbidden_address"))
    #expect(victim.connectionCount == 0)
    #expect(try home.strays() == [])
  }

  private func document(port: UInt16) -> String {
    let items = Self.hosts.enumerated().map { index, host in
      """
      <item><title>Episode \(index)</title><guid isPermaLink="false">ep-\(index)</guid>
      <pubDate>Mon, 05 Jan 2026 08:\(10 + index):00 +0000</pubDate>
      <enclosure url="http://\(host):\(port)/a.mp3?\(index)" type="audio/mpeg" length="0"/></item>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0"><channel><title>Brief</title>\(items.joined())</channel></rss>

      """
  }
}
