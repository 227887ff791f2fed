// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("an export")
struct ExportTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    server.serveAudio("a", "b", "c")
    try declare(
      """
        road:
          title: Road, trip
          items:
            - { id: one, title: "=One - \\"1\\"", artist: Anna, url: "\(server.url("/a.mp3"))", duration: 0:01 }
            - { id: two, title: Two, url: "\(server.url("/b.mp3"))?token=canary-token" }
            - id: three
              title: "Drei #3"
              url: "\(server.url("/c.mp3"))"
              alternatives: [{ url: "\(server.url("/d.mp3"))" }]
        gym: { items: [{ id: four, title: Gone, url: "\(server.url("/e.mp3"))" }] }
        news: { feed: "\(server.url("/n.xml"))" }
        secret: { feed: "\(server.url("/s.xml"))?token=canary-feed" }
      """)
  }

  private func declare(_ playlists: String) throws {
    try home.declare("downloads: { retries: 0, network: { allow_private: true } }\nplaylists:\n\(playlists)")
  }

  private func export(_ arguments: String..., status: Int32 = 0) throws -> CommandResult {
    let result = try home.command(["export", "-m", home.manifest] + arguments).run()
    #expect(result.ending == .exited(status), "\(result.standardError)")
    #expect(!(result.standardOutput + result.standardError).contains("canary"))
    return result
  }

  @Test("of a playlist is read again without a fetch", arguments: ["m3u8", "xspf", "jspf"])
  func readAgain(format: String) throws {
    _ = try home.run()
    let file = home.folder.file("road.\(format)")
    let result = try export(format, "--playlist", "road", "-o", file)
    #expect(result.standardOutput == "wrote 2 items to \"\(file)\"\n")
    #expect(result.standardError.contains("1 item left out, whose URLs contain credentials: two"))
    var facts = stat()
    #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    try declare("  road: { title: \"Road, trip\", list: \"\(file)\" }")
    let before = server.requests(to: "/a.mp3").count + server.requests(to: "/c.mp3").count
    let (again, report) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(0) && report[path: "totals.moved"] == .number(0))
    #expect(server.requests(to: "/a.mp3").count + server.requests(to: "/c.mp3").count == before)
  }

  @Test("of paths is a list of local files for another library", arguments: ["m3u8", "xspf", "jspf"])
  func paths(format: String) throws {
    _ = try home.run()
    let file = home.folder.file("road.\(format)")
    _ = try export(format, "--playlist", "road", "--paths", "-o", file)
    let other = try LibraryFixture()
    try other.declare("playlists: { road: { list: { path: \"\(file)\", roots: [\"\(home.library)\"] } } }")
    let (result, report) = try other.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(3))
  }

  @Test("of feeds is a source with the same plan")
  func feedsAgain() throws {
    for name in ["a", "b"] {
      let text = """
        <rss version="2.0"><channel><title>T</title><item><title>Episode \(name)</title><guid>\(name)</guid>
        <enclosure url="/\(name).mp3" type="audio/mpeg"/></item></channel></rss>
        """
      server.serve("/feed-\(name).xml", Resource(bytes: Array(text.utf8), contentType: "application/rss+xml"))
    }
    let feeds = ["a", "b"].map {
      "feed-\($0): { title: \"F & <\($0)>\", feed: \"\(server.url("/feed-\($0).xml"))\" }"
    }
    try declare("  \(feeds.joined(separator: "\n  "))")
    let first = try plan()
    let file = home.folder.file("feeds.opml")
    _ = try export("opml", "-o", file)
    try declare("  feeds: { opml: \"\(file)\" }")
    #expect(first.count == 2)
    #expect(try plan() == first)
  }

  /// What a run would do with which title and URL. The folders of an OPML document are named by titles.
  private func plan() throws -> [[String]] {
    let result = try home.command("plan", "--json").run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    guard case .array(let changes)? = try JSONValue(result.stdout)[path: "changes"] else { return [] }
    return changes.map { change in ["action", "title", "url"].map { change[path: $0]?.description ?? "" } }
  }

  @Test("of feeds has those without credentials, and of items has all of them")
  func feedsAndItems() throws {
    _ = try home.run()
    let feeds = try export("opml")
    #expect(
      feeds.standardOutput.contains("xmlUrl=\"\(server.url("/n.xml"))\"") && !feeds.standardOutput.contains("s.xml"))
    #expect(feeds.standardError.contains("1 feed left out, whose URLs contain credentials: secret"))
    let receipt = try JSONValue(export("opml", "--json", "-o", home.folder.file("feeds.opml")).stdout)
    #expect(receipt[path: "kind"] == .string("opml") && receipt[path: "entries"] == .number(1))
    #expect(receipt[path: "omitted.0.playlist"] == .string("secret"))
    let table = try export("csv").standardOutput
    #expect(table.hasPrefix("id,state,title,") && table.split(separator: "\r\n").count == 5)
    #expect(table.contains("one,completed,\"'=One - \"\"1\"\"\",Anna,") && table.contains("four,failed,Gone,"))
    let scoped = try export("csv", "--playlist", "gym").standardOutput
    #expect(scoped.split(separator: "\r\n").count == 2)
  }

  @Test("says what it needs")
  func mistakes() throws {
    #expect(
      try export("m3u8", status: 64).standardError.contains(
        "m3u8 holds one playlist, and there are 4 (road, gym, news and 1 more)"))
    #expect(try export("csv", "--paths", status: 64).standardError.contains("--paths is for m3u8, xspf and jspf"))
    #expect(try export("pls", status: 64).standardError.contains("pls"))
    let file = home.folder.file("letter.txt")
    try FileBytes.write("dear", to: file)
    #expect(try export("csv", "-o", file, status: 64).standardError.contains("something other than an earlier table"))
    #expect(try FileBytes.text(file) == "dear")
    _ = try export("csv", "-o", home.manifest, status: 64)
  }

  @Test("before the first run is empty, and can be replaced by the next")
  func empty() throws {
    let file = home.folder.file("gym.m3u8")
    _ = try export("m3u8", "--playlist", "gym", "-o", file)
    #expect(try FileBytes.text(file) == "#EXTM3U\n#PLAYLIST:gym\n")
    _ = try home.run()
    _ = try export("m3u8", "--playlist", "gym", "-o", file)
    #expect(try FileBytes.text(file).contains("/e.mp3"))
  }
}
