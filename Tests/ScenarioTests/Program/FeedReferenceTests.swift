// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a feed with relative references")
struct FeedReferenceTests {
  @Test("is resolved against the address that it was found at, also when it is read from its copy")
  func relative() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    let document = """
      <rss version="2.0"><channel><title>Talk</title>
      <item><title><![CDATA[<b>Bold</b> Brief &amp; more]]></title><guid>1</guid><enclosure url="a.mp3"/></item>
      <item><title>Second</title><guid>2</guid><enclosure url="/media/b.mp3"/></item>
      <item><title>Third</title><guid>3</guid><enclosure url="//127.0.0.1:\(server.port)/c.mp3"/></item>
      <item xml:base="/media/"><title>Fourth</title><guid>4</guid><enclosure url="../deep/./d.mp3"/></item>
      </channel></rss>
      """
    let paths = ["/feeds/now/a.mp3", "/media/b.mp3", "/c.mp3", "/deep/d.mp3"]
    for (index, path) in paths.enumerated() {
      server.serve(path, Resource(bytes: GeneratedAudio(title: path, seconds: 1, seed: UInt64(index)).bytes))
    }
    server.script("/talk", [.redirect(to: server.url("/feeds/now/talk.xml?token=1"))])
    server.serve("/feeds/now/talk.xml", Resource(bytes: Array(document.utf8), etag: "\"1\""))
    try home.declare(
      """
      downloads: { network: { allow_private: true } }
      playlists: { talk: { feed: "\(server.url("/talk"))", select: { initial: all } } }
      """)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(4))
    for path in paths { #expect(server.requests(to: path).count == 1, "\(path)") }
    let names = try home.ownedPaths()
    #expect(names.contains { $0.contains("Bold Brief & more") }, "\(names)")

    let (second, again) = try home.run()
    #expect(second.ending == .exited(0), "\(second.standardError)")
    #expect(server.requests(to: "/feeds/now/talk.xml").map(\.line).last?.hasSuffix("304") == true)
    #expect(again[path: "totals.unchanged"] == .number(4))
    #expect(again[path: "warnings.count"] == .number(0))
  }

  @Test("asks another address for everything, however alike the answers of the two are")
  func otherAddress() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    server.serveAudio("a")
    for name in ["one", "two"] {
      let document = """
        <rss version="2.0"><channel><title>Talk</title><item><title>\(name)</title><guid>\(name)</guid>
        <enclosure url="/a.mp3?\(name)"/></item></channel></rss>
        """
      server.serve("/\(name).xml", Resource(bytes: Array(document.utf8), etag: "\"same\""))
    }
    for name in ["one", "two"] {
      try home.declare(
        """
        downloads: { network: { allow_private: true } }
        playlists: { talk: { feed: "\(server.url("/\(name).xml"))", select: { initial: all } } }
        """)
      let (result, report) = try home.run()
      #expect(result.ending == .exited(0), "\(result.standardError)")
      #expect(report[path: "totals.downloaded"] == .number(1), "\(name)")
    }
    #expect(server.requests(to: "/two.xml").map(\.line) == ["GET /two.xml 200"])
  }
}
