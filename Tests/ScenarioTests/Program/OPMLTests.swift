// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a playlist with an OPML document")
struct OPMLTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    server.serveAudio("a", "b", "c")
    for name in ["a", "b", "c"] { serve(feed: name) }
    try declare()
  }

  private func serve(feed name: String) {
    let text = """
      <rss version="2.0"><channel><title>Feed \(name)</title><item><title>Episode \(name)</title><guid>\(name)</guid>
      <enclosure url="/\(name).mp3" type="audio/mpeg"/></item></channel></rss>
      """
    server.serve(
      "/\(name).xml", Resource(bytes: Array(text.utf8), contentType: "application/rss+xml", etag: "\"\(name)\""))
  }

  private func serve(_ outlines: String, end: String = "</body></opml>") {
    server.serve("/subs.opml", Resource(bytes: Array(document(outlines, end).utf8), contentType: "text/x-opml"))
  }

  private func document(_ outlines: String, _ end: String = "</body></opml>") -> String {
    "<opml version=\"2.0\"><head><title>Subs</title></head><body>\n\(outlines)\n\(end)"
  }

  private func outline(_ title: String, _ feed: String) -> String {
    "<outline text=\"\(title)\" xmlUrl=\"\(server.url("/\(feed).xml"))\"/>\n"
  }

  private func declare(
    _ source: String? = nil, keys: String = "", downloads: String = "network: { allow_private: true }"
  ) throws {
    try home.declare(
      """
      storage: { orphans: remove, max_delete: 100% }
      downloads: { retries: 0, \(downloads) }
      playlists: { everything: { opml: \(source ?? "\"\(server.url("/subs.opml"))\"")\(keys) } }
      """)
  }

  @discardableResult
  private func run(_ status: Int32 = 0, _ options: String...) throws -> JSONValue {
    let result = try home.command("run", options: ["--json"] + options).run()
    #expect(result.ending == .exited(status), "\(result.standardError) \(result.standardOutput)")
    return try JSONValue(result.stdout)
  }

  private var names: Set<String> {
    get throws { Set(try home.ownedPaths().map { String($0.split(separator: "/").last ?? "") }) }
  }

  private func requests() -> [String] {
    defer { server.clearLog() }
    return server.requests.map(\.line).sorted()
  }

  private var nested: String {
    "<outline text=\"News\"><outline text=\"World\">" + outline("Tea & Toast".replacing("&", with: "&amp;"), "a")
      + "</outline>"
      + outline("Beans", "b") + "</outline>" + outline("Cocoa", "c")
  }

  @Test("has a playlist for each feed, in folders too, and asks for all of them conditionally the next time")
  func nestedOutlines() throws {
    serve(nested)
    let report = try run()
    #expect(report[path: "totals.downloaded"] == .number(3))
    #expect(try home.ownedPaths() == ["Tea & Toast/Episode a.mp3", "Beans/Episode b.mp3", "Cocoa/Episode c.mp3"])
    let lists = try FileTree.names(home.library).filter { $0.hasSuffix(".m3u8") }
    #expect(Set(lists) == ["Tea & Toast.m3u8", "Beans.m3u8", "Cocoa.m3u8"])
    let status = try JSONValue(home.command("status", "--json").run().stdout)
    for (index, name) in ["everything", "everything/tea-toast", "everything/beans", "everything/cocoa"].enumerated() {
      #expect(status[path: "sources.\(index).playlist"]?.description == name)
      #expect(status[path: "sources.\(index).last_success_at"] != nil)
    }
    #expect(
      status[path: "playlists.count"] == .number(3)
        || status[path: "playlists.2.name"]?.description == "everything/cocoa")
    _ = requests()
    let again = try run()
    #expect(again[path: "totals.unchanged"] == .number(3))
    #expect(requests() == ["GET /a.xml 304", "GET /b.xml 304", "GET /c.xml 304", "GET /subs.opml 200"])
    let plan = try home.command("plan", "--detailed-exitcode").run()
    #expect(plan.ending == .exited(0), "\(plan.standardOutput)")
  }

  @Test(
    "takes the outlines that only names, and none that skip names",
    arguments: [
      ("only: [News]", ["a", "b"]), ("only: [\"news/w*\"]", ["a"]), ("only: World", ["a"]),
      ("skip: [\"c*\", BEANS]", ["a"]),
      ("only: [News, Cocoa], skip: [World]", ["b", "c"]), ("only: []", ["a", "b", "c"]),
    ])
  func filter(keys: String, feeds: [String]) throws {
    serve(nested)
    try declare("{ url: \"\(server.url("/subs.opml"))\", \(keys) }")
    try run()
    #expect(try names == Set(feeds.map { "Episode \($0).mp3" }))
    #expect(requests().filter { $0.contains(".xml") } == feeds.map { "GET /\($0).xml 200" })
  }

  @Test("names the folders and titles there are for a pattern that matches none of them")
  func unmatchedPattern() throws {
    serve(nested)
    try declare("{ url: \"\(server.url("/subs.opml"))\", only: [News, Tlaks], skip: [\"x*\"] }")
    let report = try run()
    #expect(try names == ["Episode a.mp3", "Episode b.mp3"])
    let warnings = report[path: "warnings"]?.description ?? ""
    for (pattern, key) in [("Tlaks", "only"), ("x*", "skip")] {
      #expect(report[path: "sources.0.flaws"]?.description.contains("unmatched_pattern") == true, "\(report)")
      #expect(warnings.contains(pattern) && warnings.contains("(\(key)) matches no folder or title"), "\(warnings)")
    }
    #expect(warnings.contains("News/World") && warnings.contains("Cocoa"), "\(warnings)")
  }

  @Test(
    "removes nothing if its patterns leave no feed, and says so",
    arguments: ["only: [Tlaks]", "skip: [\"*\"]", "only: [News], skip: [News]"])
  func nothingLeft(keys: String) throws {
    serve(nested)
    try run()
    let (owned, lists) = (try home.ownedPaths(), try FileTree.names(home.library))
    try declare("{ url: \"\(server.url("/subs.opml"))\", \(keys) }")
    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    #expect(plan[path: "totals.remove"] == .number(0) && plan[path: "totals.keep"] == .number(3), "\(plan)")
    for _ in 1...2 {
      let report = try run(3)
      #expect(report[path: "sources.0.message"]?.description.contains("News") == true, "\(report)")
      #expect(report[path: "totals.removed"] == .number(0) && report[path: "totals.unchanged"] == .number(3))
      #expect(try home.ownedPaths() == owned && FileTree.names(home.library) == lists)
    }
    let rows = try JSONValue(home.command("status", "--json").run().stdout)
    #expect(rows[path: "orphans.items"] == .number(0) || rows[path: "orphans"] == nil, "\(rows)")
    // The mistake is mended.
    try declare("{ url: \"\(server.url("/subs.opml"))\", only: [News] }")
    #expect(try run()[path: "totals.removed"] == .number(1))
  }

  @Test("releases the items of an outline that left a document which was read whole")
  func vanished() throws {
    serve(nested)
    try run()
    serve(outline("Beans", "b"))
    let report = try run()
    #expect(report[path: "totals.removed"] == .number(2))
    #expect(try names == ["Episode b.mp3"])
    #expect(try FileTree.names(home.library).filter { $0.hasSuffix(".m3u8") } == ["Beans.m3u8"])
  }

  @Test(
    "removes nothing if the document cannot be read whole, and reads the feeds known before", arguments: [true, false])
  func notWhole(isRemote: Bool) throws {
    let path = home.folder.file("subs.opml")
    if !isRemote { try declare("./subs.opml") }
    func offer(_ text: String) throws {
      if isRemote {
        server.serve("/subs.opml", Resource(bytes: Array(text.utf8), contentType: "text/x-opml"))
      } else {
        try FileBytes.write(text, to: path)
      }
    }
    try offer(document(nested))
    try run()
    let lists = try FileTree.names(home.library)
    let owned = try home.ownedPaths()
    for text in [
      document(outline("Beans", "b"), ""), "<html><body>Log in</body></html>", document(""), "", "<rss version='2.0'/>",
    ] {
      try offer(text)
      _ = requests()
      let report = try run(5)
      #expect(try home.ownedPaths() == owned, "\(text)")
      #expect(try FileTree.names(home.library) == lists, "\(text)")
      #expect(
        requests().filter { $0.contains(".xml") } == ["GET /a.xml 304", "GET /b.xml 304", "GET /c.xml 304"], "\(text)")
      #expect(report[path: "warnings.0"]?.description.contains("its items stay as they are") == true, "\(report)")
    }
    // Without what was known of the outlines, their items still stay.
    try FileBytes.write("", to: "\(home.state)/cache/sources")
    try FileBytes.write("", to: "\(home.state)/cache/everything.opml")
    try run(5)
    #expect(try home.ownedPaths() == owned)
    let status = try home.command("status", "--json").run()
    #expect(status.ending == .exited(0))
    try offer(document(nested))
    #expect(try run()[path: "totals.unchanged"] == .number(3))
  }

  @Test("keeps a name while outlines come and go, and fetches a feed that is listed twice once")
  func stableNames() throws {
    serve(outline("News", "a") + outline("News", "b") + outline("Again", "a"))
    let report = try run()
    #expect(report[path: "totals.downloaded"] == .number(2) && server.requests(to: "/a.xml").count == 1)
    #expect(report[path: "warnings.0"]?.description.contains("listed before") == true, "\(report)")
    let second = try #require(playlists().first { $0 != "everything/news" })
    #expect(second.hasPrefix("everything/news-"))
    // The second keeps its name when the first is gone, and so does the first when it returns below it.
    serve(outline("News", "b"))
    try run()
    #expect(try playlists() == [second])
    serve(outline("Daily News", "b") + outline("News", "c"))
    #expect(try run()[path: "totals.downloaded"] == .number(1))
    #expect(try playlists() == [second, "everything/news"])
    #expect(try home.ownedPaths() == ["Daily News/Episode b.mp3", "News/Episode c.mp3"])
    #expect(server.requests(to: "/b.mp3").count == 1)
  }

  private func playlists() throws -> [String] {
    let status = try JSONValue(home.command("status", "--json").run().stdout)
    return (0..<9).compactMap { status[path: "playlists.\($0).name"]?.description }
  }

  @Test("can be chosen in part with --playlist, as soon as it was read")
  func scope() throws {
    serve(nested)
    try run(0, "--playlist", "everything", "--no-download")
    _ = requests()
    try run(0, "--playlist", "everything/be*")
    #expect(try names == ["Episode b.mp3"])
    #expect(requests() == ["GET /b.mp3 200", "GET /b.xml 304", "GET /subs.opml 200"])
    let other = try home.command("run", "--playlist", "everything/x*").run()
    #expect(other.ending == .exited(64))
    let listed = try home.command("list", "--playlist", "everything/beans", "--json").run()
    #expect(listed.ending == .exited(0) && listed.standardOutput.contains("Episode b"))
    try run()
    #expect(try names.count == 3)
  }

  @Test("moves to another key of the manifest with its items")
  func renamed() throws {
    serve(nested)
    try run()
    let text = try FileBytes.text(home.manifest).replacing("everything", with: "all")
    try FileBytes.write(text, to: home.manifest)
    let report = try run()
    #expect(
      report[path: "totals.unchanged"] == .number(3) && report[path: "totals.downloaded"] == .number(0), "\(report)")
    #expect(try playlists() == ["all/tea-toast", "all/beans", "all/cocoa"])
  }

  @Test("may not lead into a private network")
  func privateAddress() throws {
    serve(outline("Beans", "b"))
    try declare(downloads: "network: { allow_private: false }")
    try run(3)
    #expect(requests() == ["GET /subs.opml 200"])
  }

  @Test("shows its credentials to its own origin only, unless auth.scope names others")
  func credentials() throws {
    let other = try FaultServer()
    let feed = "<rss version=\"2.0\"><channel><title>x</title></channel></rss>"
    other.serve("/x.xml", Resource(bytes: Array(feed.utf8), contentType: "application/rss+xml"))
    serve("<outline text=\"x\" xmlUrl=\"\(other.url("/x.xml"))\"/>" + outline("Beans", "b"))
    try FileBytes.write("hush\n", to: home.folder.file("secret"))
    let auth = ", auth: { user: anna, password_file: ./secret"
    try declare(keys: auth + " }")
    try run()
    #expect(server.requests(to: "/subs.opml").first?.authorization != nil)
    #expect(server.requests(to: "/b.xml").first?.authorization != nil)
    #expect(other.requests.first?.authorization == nil && other.requests.count == 1)
    try declare(keys: auth + ", scope: [\"\(other.url())\"] }")
    server.clearLog()
    try run()
    #expect(other.requests.last?.authorization != nil)
    #expect(server.requests(to: "/subs.opml").first?.authorization == nil)
  }
}
