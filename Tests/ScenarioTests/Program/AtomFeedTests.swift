// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("feeds of other dialects than RSS 2.0")
struct AtomFeedTests {
  private static let atom = """
    <feed xmlns="http://www.w3.org/2005/Atom"><title>Talk</title><id>urn:f</id>
    <entry><title>Tea &amp; toast</title><id>urn:1</id><updated>2026-01-05T08:30:00Z</updated>
      <link rel="enclosure" type="audio/mpeg" href="/a.mp3"/></entry></feed>
    """
  private static let rdf = """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Talk</title></channel>
    <item rdf:about="urn:1"><title>Tea &amp; toast</title><dc:date>2026-01-05T08:30:00Z</dc:date>
      <enclosure url="/a.mp3" type="audio/mpeg"/></item></rdf:RDF>
    """
  private static let media = """
    <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Talk</title><item><title>Tea &amp; toast</title>
      <pubDate>Mon, 05 Jan 2026 08:30:00 GMT</pubDate><media:content url="/a.mp3" type="audio/mpeg"/></item></channel></rss>
    """

  @Test("are fetched, named by their dates, and asked for conditionally the next time", arguments: [atom, rdf, media])
  func fetched(_ document: String) throws {
    let (home, server) = try LibraryFixture.hearingTalk()
    server.serve("/talk.xml", Resource(bytes: Array(document.utf8), etag: "\"1\""))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
    #expect(try home.ownedPaths() == ["talk/2026-01-05 Tea & toast.mp3"])
    let (again, second) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(second[path: "totals.unchanged"] == .number(1))
    #expect(server.requests(to: "/talk.xml").map(\.line) == ["GET /talk.xml 200", "GET /talk.xml 304"])
  }
}
