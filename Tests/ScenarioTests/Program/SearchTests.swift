// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("items that are searched for", .timeLimit(.minutes(5)))
struct SearchTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let fake: FakeYtDlp
  private let bytes = GeneratedAudio(title: "a", seconds: 1, seed: 7).bytes

  init() throws {
    (home, server, fake) = (try LibraryFixture(), try FaultServer(), try FakeYtDlp())
    for name in ["a", "b"] {
      server.serve("/media/\(name)", Resource(bytes: bytes))
      try fake.answer(name, #"{"url": "\#(server.url("/media/\(name)"))", "protocol": "http"}"#)
    }
  }

  private func declare(_ item: String, more: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      alternatives: { search: "ytsearch5:{artist} {title}"\(more) }
      playlists: { mix: { title: Mix, items: [{ title: Night Drive, artist: Roads, duration: 3:45\(item) }] } }
      """)
  }

  private func entry(_ name: String, _ title: String, _ duration: Int, more: String = "") -> String {
    #"{"_type": "url", "id": "\#(name)", "title": "\#(title)", "url": "\#(server.url("/watch/\(name)"))", "duration": \#(duration)\#(more)}"#
  }

  private func find(_ entries: [String]) throws {
    try fake.answer("list", #"{"_type": "playlist", "entries": [\#(entries.joined(separator: ", "))]}"#)
  }

  private func call(_ name: String, _ words: String...) throws -> CommandResult {
    var command = home.command(name, options: words)
    command.environment["PATH"] = fake.path
    return try command.run(timeout: 100)
  }

  private func run() throws -> (result: CommandResult, report: JSONValue) {
    let result = try call("run", "--json")
    try #require(!result.stdout.isEmpty, "\(result.ending) \(result.standardError)")
    return (result, try JSONValue(result.stdout))
  }

  private var searches: [String] { get throws { try fake.calls.filter { $0.contains(" --flat-playlist ") } } }

  @Test("need no URL: the nearest duration comes, and the page stays known")
  func withoutURL() throws {
    try declare("")
    try find([entry("b", "Night Drive", 240), entry("a", "Night Drive", 226), entry("c", "Night Drive (Live)", 225)])
    let (result, report) = try run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
    #expect(try home.ownedPaths() == ["Mix/Night Drive.mp3"])
    #expect(try searches.count == 1 && searches[0].hasSuffix("-- ytsearch5:Roads Night Drive"))
    #expect(server.requests.map(\.path) == ["/media/a"])
    let queue = String(decoding: try home.queueFile(), as: UTF8.self)
    #expect(queue.contains(#""origin":"\#(server.url("/watch/a"))""#), "\(queue)")
    // Nothing is searched for again.
    #expect(try run().result.ending == .exited(0))
    #expect(try searches.count == 1)
  }

  @Test("come after all declared places have failed")
  func afterFailure() throws {
    try declare(", id: song, url: \"\(server.url("/gone.mp3"))\"")
    try find([entry("a", "Night Drive", 225)])
    let plan = try call("plan")
    #expect(plan.ending == .exited(0), "\(plan.standardError)")
    let (result, report) = try run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.alternatives_used"] == .number(1))
    #expect(server.requests.map(\.path) == ["/gone.mp3", "/media/a"])
    let explained = try home.editing("explain", "song").run().standardOutput
    #expect(explained.contains("a search, if all else fails: ytsearch5:Roads Night Drive"), "\(explained)")
    #expect(explained.contains("/watch/a: found by a search; the file here came from it"), "\(explained)")
  }

  private static let troubles: [(name: String, entries: @Sendable (SearchTests) -> [String], words: String)] = [
    ("nothing", { _ in [] }, "the search found nothing"),
    (
      "wrong durations", { [$0.entry("a", "Night Drive", 100), $0.entry("b", "x", 400)] },
      "of 2 results of the search"
    ),
    ("other versions", { [$0.entry("a", "Night Drive (remix)", 225)] }, "of 1 result of the search"),
    ("live streams", { [$0.entry("a", "Night Drive", 225, more: #", "live_status": "is_live""#)] }, "found nothing"),
    (
      "files of this machine", { _ in [#"{"_type": "url", "id": "a", "title": "x", "url": "file:///etc/passwd"}"#] },
      "found nothing"
    ),
    (
      "ten thousand results", { test in (0..<10_000).map { test.entry("n\($0)", "Night Drive \\u001b]0;x", 100) } },
      "of 100 results of the search"
    ),
  ]

  @Test("say why nothing comes", arguments: troubles.indices)
  func trouble(_ index: Int) throws {
    let (name, entries, words) = Self.troubles[index]
    try declare("")
    try find(entries(self))
    let (result, report) = try run()
    #expect(result.ending == .exited(3), "\(name): \(result.standardError)")
    #expect("\(report)".contains(words), "\(name): \(report)")
    #expect(!result.standardError.contains("\u{1B}]") && server.requests.isEmpty)
  }

  @Test("do not try the failed URL again when the search finds it")
  func itself() throws {
    try declare(", url: \"\(server.url("/watch/a"))\"")
    try find([entry("a", "Night Drive", 225)])
    #expect(try run().result.ending == .exited(3))
    #expect(server.requests.map(\.path) == ["/watch/a"])
  }

  @Test("fail temporarily where yt-dlp is absent, in its words")
  func absent() throws {
    try declare("")
    var command = home.command("run", "--json")
    command.environment["PATH"] = home.library
    let result = try command.run(timeout: 100)
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect("\(try JSONValue(result.stdout))".contains("yt-dlp is not installed"))
  }
}
