// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the rows of a status")
struct StatusRowTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    server.serveAudio("a", "b", "c")
  }

  private func item(_ name: String) -> String {
    "{ id: \(name), title: \(name.uppercased()), url: \"\(server.url("/\(name).mp3"))\" }"
  }

  private func declare(_ playlists: String) throws {
    try home.declare("downloads: { retries: 0, network: { allow_private: true } }\nplaylists:\n\(playlists)")
  }

  private func status(_ options: String...) throws -> (text: String, json: JSONValue) {
    let text = try home.command("status", options: options).run()
    #expect(text.ending == .exited(0), "\(text.standardError)")
    return (text.standardOutput, try JSONValue(home.command("status", options: options + ["--json"]).run().stdout))
  }

  @Test("name the playlist with which the items of another one are stored, and call none empty that has items")
  func shared() throws {
    try declare(
      """
        road: { title: Road, items: [\(item("a")), \(item("b"))] }
        new: { title: New, items: [\(item("b")), \(item("a"))] }
        mixed: { title: Mixed, items: [\(item("a")), \(item("c"))] }
        most: { title: Most, items: [\(item("a")), \(item("c"))] }
      """)
    #expect(try home.run().result.ending == .exited(0))
    let (text, json) = try status()
    #expect(text.contains("2 items, stored with Road"), "\(text)")
    #expect(text.contains("1 completed, 1 stored with Road"), "\(text)")
    #expect(text.contains("2 items, stored with Road and 1 more"), "\(text)")
    #expect(!text.contains("empty"), "\(text)")
    #expect(json[path: "playlists.0.shared"] == nil && json[path: "playlists.1.shared"] == .number(2), "\(json)")
    #expect(json[path: "playlists.2.shared"] == .number(1), "\(json)")
    try home.edit("remove", "c")
    let later = try status().text
    #expect(later.contains("1 removed or cancelled, 1 stored with Road"), "\(later)")
  }

  @Test("do without the last run if its report is damaged, and say so")
  func damagedReport() throws {
    try declare("  road: { items: [\(item("a"))] }")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try status().json[path: "well"] == .bool(true))
    let name = try #require(try FileTree.names("\(home.state)/reports").first)
    try FileBytes.write("{}", to: "\(home.state)/reports/\(name)")
    let result = try home.command("status").run()
    #expect(result.ending == .exited(0) && result.standardError.contains(name), "\(result.standardError)")
    #expect(result.standardOutput.contains(": no run is on record\n"), "\(result.standardOutput)")
    let json = try status().json
    #expect(json[path: "well"] == .bool(false) && json[path: "last_run"] == nil, "\(json)")
  }

  @Test("and lists and checks take the key of a document for all playlists that come from it")
  func key() throws {
    try serveOutlines()
    try declare("  all: { opml: \"\(server.url("/subs.opml"))\" }\n  own: { title: Own, items: [\(item("c"))] }")
    #expect(try home.run().result.ending == .exited(0))
    for pattern in ["all", "al?"] {
      let (text, json) = try status("--playlist", pattern)
      #expect(json[path: "counts.completed"] == .number(2) && json[path: "playlists.count"] == .number(2), "\(json)")
      #expect(text.contains("Feed a") && !text.contains("Own"), "\(text)")
      let list = try home.command("list", "--playlist", pattern).run().standardOutput
      #expect(list.contains("Episode a") && list.contains("Episode b") && !list.contains("C "), "\(list)")
      let check = try home.command("verify", "--playlist", pattern).run().standardOutput
      #expect(check.contains("2 files"), "\(check)")
    }
    let table = try home.command(["export", "csv", "--playlist", "all", "-m", home.manifest]).run().standardOutput
    #expect(table.split(separator: "\r\n").count == 3, "\(table)")
    let removal = try home.editing("remove", "-n", "--playlist", "all").run().standardOutput
    #expect(removal.contains("feed-a") && removal.contains("feed-b"), "\(removal)")
  }

  @Test("show every item, also of an outline that the manifest does not want any more")
  func everyItem() throws {
    try serveOutlines()
    let source = "url: \"\(server.url("/subs.opml"))\""
    try declare("  all: { opml: { \(source) } }")
    #expect(try home.run().result.ending == .exited(0))
    try declare("  all: { opml: { \(source), only: [\"Feed a\"] } }")
    let (text, json) = try status()
    func number(_ path: String) -> Double { if case .number(let number)? = json[path: path] { number } else { 0 } }
    let shown = number("playlists.0.completed") + number("orphans.items") + number("unlisted.items")
    #expect(shown == 2, "\(text)\(json)")
    // Patterns that leave nothing take nothing away.
    try declare("  all: { opml: { \(source), only: [Tlaks] } }")
    let other = try status().json
    #expect(other[path: "playlists.0.completed"] == .number(1), "\(other)")
    #expect(other[path: "playlists.1.completed"] == .number(1), "\(other)")
  }

  private func serveOutlines() throws {
    for name in ["a", "b"] {
      let text = """
        <rss version="2.0"><channel><title>Feed \(name)</title><item><title>Episode \(name)</title><guid>\(name)</guid>
        <enclosure url="/\(name).mp3" type="audio/mpeg"/></item></channel></rss>
        """
      server.serve("/\(name).xml", Resource(bytes: Array(text.utf8), contentType: "application/rss+xml"))
    }
    let outlines = ["a", "b"].map { "<outline text=\"Feed \($0)\" xmlUrl=\"\(server.url("/\($0).xml"))\"/>" }
    let text = "<opml version=\"2.0\"><head/><body>\(outlines.joined())</body></opml>"
    server.serve("/subs.opml", Resource(bytes: Array(text.utf8), contentType: "text/x-opml"))
  }
}
