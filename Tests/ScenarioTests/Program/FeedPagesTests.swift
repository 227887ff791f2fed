// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a feed of several pages")
struct FeedPagesTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws { (home, server) = (try LibraryFixture(), try FaultServer(addresses: ["127.0.0.1", "127.0.0.2"])) }

  private func declare(pages: String, _ more: String = "") throws {
    try home.declare(
      """
      storage: { orphans: remove }
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        talk: { feed: "\(server.url("/1.xml"))", select: { initial: all, pages: \(pages) }, mirror: true\(more) }
      """)
  }

  /// - Parameter next: The reference in the link to the next page.
  private func serve(_ path: String, _ names: [String], next: String? = nil, relation: String = "next") {
    let items = names.map { name in
      server.serveAudio(name)
      return "<item><title>\(name)</title><guid>\(name)</guid><enclosure url=\"/\(name).mp3\"/></item>"
    }
    let link = next.map { "<atom:link rel=\"\(relation)\" href=\"\($0)\"/>" } ?? ""
    let document = """
      <rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Talk</title>\(link)\(items.joined())</channel></rss>
      """
    server.serve(path, Resource(bytes: Array(document.utf8), etag: "\"\(document.utf8.count)-\(names.joined())\""))
  }

  private var lines: [String] {
    let lines = server.requests.map(\.line).filter { $0.contains(".xml") }
    server.clearLog()
    return lines
  }

  private func titles() throws -> [String] {
    try FileTree.files(home.library, hidden: false).filter { $0.hasSuffix(".mp3") }
      .map { String($0.dropLast(4).suffix(1)) }.sorted()
  }

  @Test("has the entries of all pages, and asks for each page once, conditionally the next time")
  func conditional() throws {
    serve("/1.xml", ["d", "c"], next: "2.xml")
    serve("/2.xml", ["c", "b"], next: "/3.xml", relation: "prev-archive")
    serve("/3.xml", ["a"])
    try declare(pages: "all")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try titles() == ["a", "b", "c", "d"])
    #expect(lines == ["GET /1.xml 200", "GET /2.xml 200", "GET /3.xml 200"])
    let report = try home.run().report
    #expect(report[path: "totals.unchanged"] == .number(4) && report[path: "sources.0.outcome"] == .string("unchanged"))
    #expect(lines == ["GET /1.xml 304", "GET /2.xml 304", "GET /3.xml 304"])
    // A change of one page costs that page alone.
    serve("/3.xml", ["a", "e"])
    #expect(try home.run().report[path: "totals.downloaded"] == .number(1))
    #expect(lines == ["GET /1.xml 304", "GET /2.xml 304", "GET /3.xml 200"])
    // Commands that request nothing use the kept pages.
    #expect(try home.list().count == 5)
  }

  @Test("is read to the page that the manifest names", arguments: [("1", ["b"]), ("2", ["a", "b"])])
  func limited(_ pages: String, _ expected: [String]) throws {
    serve("/1.xml", ["b"], next: "/2.xml")
    serve("/2.xml", ["a"], next: "/3.xml")
    serve("/3.xml", ["z"])
    try declare(pages: pages)
    let report = try home.run().report
    #expect(try titles() == expected)
    #expect(report[path: "sources.0.flaws"] == nil)
    #expect(lines.count == expected.count)
  }

  @Test("adds what was read and removes nothing if a page fails")
  func failing() throws {
    serve("/1.xml", ["c"], next: "/2.xml")
    serve("/2.xml", ["b"], next: "/3.xml")
    serve("/3.xml", ["a"])
    try declare(pages: "all")
    #expect(try home.run().result.ending == .exited(0))
    serve("/1.xml", ["d"], next: "/2.xml")
    server.serve("/2.xml", Resource(text: "<rss><channel><item>"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5))
    #expect(report[path: "warnings"]?.description.contains("page 2 of the feed: the source breaks off") == true)
    #expect(report[path: "totals.removed"] == .number(0))
    #expect(try titles() == ["a", "b", "c", "d"])
    server.serve("/2.xml", nil)
    #expect(try home.run().result.ending == .exited(3))
    #expect(try titles() == ["a", "b", "c", "d"])
    // The page that failed and the one behind it are still known.
    serve("/2.xml", ["b"], next: "/3.xml")
    _ = lines
    #expect(try home.run().result.ending == .exited(0))
    #expect(lines == ["GET /1.xml 200", "GET /2.xml 304", "GET /3.xml 304"])
    // The entry that left counts as missing when the next reading does not find it either.
    #expect(try titles() == ["a", "b", "c", "d"])
    #expect(try home.run().report[path: "totals.removed"] == .number(1))
    #expect(try titles() == ["a", "b", "d"])
  }

  @Test("whose pages name themselves or each other is read once, and removes nothing", arguments: ["/2.xml", "/1.xml"])
  func circular(_ next: String) throws {
    serve("/1.xml", ["b"], next: "/2.xml")
    serve("/2.xml", ["a"], next: next)
    try declare(pages: "all")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardOutput)")
    #expect(report[path: "sources.0.flaws.0.kind"] == .string("repeated_page"))
    #expect(lines == ["GET /1.xml 200", "GET /2.xml 200"])
    serve("/2.xml", [], next: next)
    for _ in 1...2 { #expect(try home.run().report[path: "totals.removed"] == .number(0)) }
    #expect(try titles() == ["a", "b"])
  }

  @Test("without an end is read for 100 pages, and removes nothing")
  func endless() throws {
    for number in 1...101 { serve("/\(number).xml", number == 1 ? ["a"] : [], next: "/\(number + 1).xml") }
    try declare(pages: "all")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardOutput)")
    #expect(report[path: "sources.0.flaws.0.kind"] == .string("more_pages"))
    #expect(lines.count == 100)
  }

  @Test("sends credentials to the origin in the manifest alone, and opens no file")
  func origins() throws {
    serve("/1.xml", ["c"], next: server.url("/2.xml", host: "127.0.0.2"))
    serve("/2.xml", ["b"], next: server.url("/3.xml"))
    serve("/3.xml", ["a"], next: "file:///etc/shadow")
    try declare(pages: "all", ", auth: { user: anna, password: geheim-4711 }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardOutput)")
    let sent = server.requests.filter { $0.path.hasSuffix(".xml") }.map { $0.authorization != nil }
    #expect(sent == [true, false, true])
    #expect(report[path: "sources.0.flaws.0.kind"] == .string("bad_page"))
  }

  @Test("follows next_url of a JSON Feed")
  func jsonFeed() throws {
    func page(_ name: String, _ next: String) -> Resource {
      server.serveAudio(name)
      return Resource(
        text: """
          {"version": "https://jsonfeed.org/version/1.1", "title": "Talk"\(next), "items": [
          {"id": "\(name)", "title": "\(name)", "attachments": [{"url": "/\(name).mp3", "mime_type": "audio/mpeg"}]}]}
          """)
    }
    server.serve("/1.xml", page("b", #", "next_url": "/2.json""#))
    server.serve("/2.json", page("a", ""))
    try declare(pages: "all")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try titles() == ["a", "b"])
  }
}
