// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("explain")
struct ExplainTests {
  private let home: LibraryFixture
  private let server: FaultServer

  @Test("ends without a full stop behind a command, which would be copied with it")
  func commandAtTheEnd() throws {
    try home.edit("remove", "news:c")
    let text = try home.editing("explain", "news:c").run().standardOutput
    #expect(text.contains(": syncjob retry ") && text.contains(" news:c\n"), "\(text)")
    #expect(!text.contains("news:c."), "\(text)")
  }

  @Test("says that removed items come back only if named, when everything is to be retried")
  func retryAll() throws {
    try home.edit("remove", "news:c")
    try home.edit("cancel", "gone")
    let result = try home.editing("retry", "--all").run()
    #expect(result.ending == .exited(0))
    #expect(
      result.standardOutput.hasPrefix(
        "nothing to do: no item has failed; 1 removed item comes back only if named; see it with: syncjob list --state removed"
      ),
      "\(result.standardOutput)")
  }

  @Test("is not needed to know which item failed or was removed: status and list have the titles")
  func titles() throws {
    try home.edit("remove", "news:c")
    let status = try home.command("status").run().standardOutput
    #expect(status.contains("  Gone (gone)  the server answered 404"), "\(status)")
    let list = try home.command("list").run().standardOutput
    #expect(list.contains("Part c, user 20"), "\(list)")
  }

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in ["a", "b", "c"] {
      let audio = GeneratedAudio(title: name, seconds: 2, seed: 9)
      server.serve("/\(name).mp3", Resource(body: audio.body(count: 50_000)))
    }
    let feed = ["a", "b", "c"].enumerated().map { day, name in
      """
      <item><guid>\(name)</guid><title>Part \(name)</title><pubDate>0\(day + 1) Nov 2026 06:00:00 GMT</pubDate>
      <enclosure url="\(server.url("/\(name).mp3"))" type="audio/mpeg"/></item>
      """
    }
    server.serve(
      "/feed.xml",
      Resource(text: "<rss version=\"2.0\"><channel>\(feed.joined())</channel></rss>", contentType: "text/xml"))
    try home.declare(
      """
      downloads: { network: { allow_private: true } }
      playlists:
        news:
          feed: \(server.url("/feed.xml"))
          select: { initial: all, exclude: { title: "*b" } }
          retain: { keep_last: 1, drop_after: 10d }
        mix:
          items:
            - { id: gone, title: Gone, artist: Some Band, album: Road, url: "\(server.url("/gone.mp3"))" }
      """)
    #expect(try home.command("run", "--now", "2026-11-05T06:00:00Z").run().ending == .exited(3))
  }

  private func explain(_ item: String, at now: String, json: Bool = false) throws -> CommandResult {
    try home.editing("explain", item, "--now", now, json ? "--json" : "--quiet").run()
  }

  @Test("says what rule passes an episode over, holds it, or lets it go")
  func rules() throws {
    let now = "2026-11-20T06:00:00Z"
    let passed = try explain("news:b", at: now)
    #expect(passed.standardOutput.contains("The next run would skip it: select.exclude.title matches."))
    let held = try explain("news:c", at: now)
    #expect(held.standardOutput.contains("The next run would keep it: present."))
    #expect(held.standardOutput.contains("kept by news: keep_last: 1"))
    #expect(held.standardOutput.contains("held by keep_last: 1 (playlists.news.retain)"))
    let twice = try home.editing("explain", "news:c", "Part c", "--now", now).run()
    #expect(twice.standardOutput == held.standardOutput, "one item is explained once")
    #expect(try explain("gone", at: now).standardOutput.contains("\n  artist: Some Band\n  album: Road\n"))
    let dropped = try explain("Part a", at: now)
    #expect(dropped.standardOutput.contains("The next run would remove it: drop_after: 10d (playlists.news.retain)."))
    #expect(dropped.standardOutput.contains("recognised by its guid"))
  }

  @Test("says the state that is remembered, no place where an episode has none yet, and that a command asked for it")
  func state() throws {
    let now = "2026-12-06T06:00:00Z"
    #expect(try explain("news:b", at: now).standardOutput.contains("\n  named by news\n"))
    #expect(try explain("news:c", at: now).standardOutput.contains("\n  named by news (place 2)\n"))
    #expect(try explain("gone", at: now).standardOutput.contains("\nState\n  failed\n"))
    try home.edit("retry", "gone")
    let asked = try explain("gone", at: now).standardOutput
    #expect(asked.contains("The next run would fetch it: queued again by command."), "\(asked)")
    #expect(asked.contains("\nState\n  queued\n"), "\(asked)")
    #expect(String(decoding: try home.queueFile(), as: UTF8.self).contains("\"requested\":true"))
  }

  @Test("says of a failure what it was, and what would change it")
  func failure() throws {
    let text = try explain("gone", at: "2026-11-06T06:00:00Z").standardOutput
    #expect(
      text.contains(
        "The next run would not change it: the server answered 404 (not found); try again with: syncjob retry"))
    #expect(text.contains("not tried again by itself; 1 request to candidate 1"))
    let json = try JSONValue(explain("gone", at: "2026-11-06T06:00:00Z", json: true).stdout)
    #expect(json[path: "format"] == .string("syncjob-explanation"))
    #expect(json[path: "action"] == .string("leave"))
    #expect(json[path: "error.status"]?.description == "404")
  }

  /// A song whose own URL has nothing.
  private func declareSong(_ alternatives: String) throws {
    try home.declare(
      """
      playlists:
        mix:
          items:
            - id: song
              title: Song
              duration: 3:45
              url: "\(server.url("/gone.mp3"))"
              alternatives: [\(alternatives)]
      """)
  }

  @Test("marks the candidate that the file came from, also when it is not named any more")
  func source() throws {
    func candidates() throws -> (text: [String], marked: [String]) {
      let text = try explain("song", at: "2026-11-06T06:00:00Z").standardOutput
      let json = try JSONValue(explain("song", at: "2026-11-06T06:00:00Z", json: true).stdout)
      let marked = (0..<3).filter { json[path: "candidates.\($0).source"] == .bool(true) }
      return (
        text.split(separator: "\n").filter { $0.contains(".mp3") && $0.contains("http") }.map(String.init),
        marked.compactMap { json[path: "candidates.\($0).url"]?.description }
      )
    }
    let (a, b) = (server.url("/a.mp3"), server.url("/b.mp3"))
    try declareSong("{ url: \"\(b)\", duration: 3:46 }")
    #expect(try home.run().result.ending == .exited(0))
    let (text, marked) = try candidates()
    #expect(text == ["  1. \(server.url("/gone.mp3"))", "  2. \(b), +1 s; the file here came from it"])
    #expect(marked == [b])
    try declareSong("{ url: \"\(b)?token=x\", duration: 3:46 }")
    let signed = try candidates().text
    #expect(signed.count == 2 && signed[1].hasSuffix(", +1 s; the file here came from it"), "\(signed)")
    try declareSong("{ url: \"\(a)\", duration: 3:46 }")
    let later = try candidates()
    #expect(later.text.last == "  -  \(b): not named any more; the file here came from it")
    #expect(later.marked == [b])
  }

  @Test("marks no candidate where it cannot tell which of several alternatives it was")
  func sourceOfSeveral() throws {
    try declareSong(
      "{ url: \"\(server.url("/a.mp3"))\", duration: 3:55 }, { url: \"\(server.url("/b.mp3"))\", duration: 3:46 }")
    #expect(try home.run().result.ending == .exited(0))
    let text = try explain("song", at: "2026-11-06T06:00:00Z").standardOutput
    #expect(text.contains("\(server.url("/b.mp3")), +1 s") && !text.contains("came from it"), "\(text)")
  }

  @Test("takes several items, in their order, and is all or nothing")
  func several() throws {
    let now = "2026-11-20T06:00:00Z"
    let text = try home.editing("explain", "news:c", "news:b", "--now", now).run()
    #expect(text.ending == .exited(0), "\(text.standardError)")
    #expect(
      text.standardOutput == (try explain("news:c", at: now).standardOutput) + "\n"
        + (try explain("news:b", at: now).standardOutput))
    let json = try home.editing("explain", "news:c", "news:b", "--now", now, "--json").run()
    let lines = try json.standardOutput.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    #expect(lines.map { $0[path: "id"] } == [.string("news:c"), .string("news:b")])
    let unknown = try home.editing("explain", "news:c", "nobody", "--now", now).run()
    #expect(unknown.ending == .exited(64) && unknown.standardOutput.isEmpty)
    #expect(unknown.standardError.contains("nobody"))
  }

  @Test("changes nothing, and says so of an item that nobody knows")
  func unknown() throws {
    let before = try home.queueFile()
    let result = try explain("nobody", at: "2026-11-06T06:00:00Z")
    #expect(result.ending == .exited(64))
    #expect(result.standardError.contains("nobody"))
    #expect(try home.queueFile() == before)
  }

  @Test("and the plan counts what is passed over, by the key that decides it")
  func plan() throws {
    let text = try home.command("plan", "--now", "2026-11-06T06:00:00Z").run().standardOutput
    #expect(text.contains("Skipped: 1 item, 1 by select.exclude.title; --json lists them."))
    let json = try home.command("plan", "--json", "--now", "2026-11-06T06:00:00Z").run()
    #expect(json.standardOutput.contains("\"passed_over\":[\n{\"id\":\"news:b\""))
  }
}
