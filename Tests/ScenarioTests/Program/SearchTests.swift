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

  private func call(_ name: String, _ words: String..., path: String? = nil) throws -> CommandResult {
    var command = home.command(name, options: words)
    command.environment["PATH"] = path ?? fake.path
    return try command.run(timeout: 100)
  }

  private func run(path: String? = nil) throws -> (result: CommandResult, report: JSONValue) {
    let result = try call("run", "--json", path: path)
    try #require(!result.stdout.isEmpty, "\(result.ending) \(result.standardError)")
    return (result, try JSONValue(result.stdout))
  }

  private var searches: [String] { get throws { try fake.calls.filter { $0.contains(" --flat-playlist ") } } }

  @Test("need no URL: the nearest duration comes, and the page stays known")
  func withoutURL() throws {
    try declare("")
    for path in [nil, "/usr/bin:/bin"] {
      let plan = try call("plan", path: path)
      #expect(plan.standardOutput.contains("search: ytsearch5:Roads Night Drive"), "\(plan.standardOutput)")
    }
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

  @Test("are left out of exported playlists, which say so, and no table shows the search for a URL")
  func exported() throws {
    try declare("")
    try find([entry("a", "Night Drive", 225)])
    let plan = try JSONValue(call("plan", "--json").stdout)
    #expect(plan[path: "changes.0.url"] == nil && plan[path: "changes.0.action"] == .string("download"), "\(plan)")
    let id = try #require(plan[path: "changes.0.id"]?.description)
    #expect(try run().result.ending == .exited(0))
    for format in ["m3u8", "xspf", "jspf"] {
      let export = try home.command(["export", format, "-m", home.manifest]).run()
      #expect(export.ending == .exited(0))
      #expect(
        export.standardError.contains("1 item left out, which has no URL and is searched for: \(id)"),
        "\(export.standardError)")
    }
    let file = home.folder.file("mix.xspf")
    let receipt = try home.command(["export", "xspf", "-o", file, "--json", "-m", home.manifest]).run()
    #expect(try JSONValue(receipt.stdout)[path: "omitted.0.reason"] == .string("no_url"))
    let table = try home.command(["export", "csv", "-m", home.manifest]).run().standardOutput
    #expect(!table.contains("search:"), "\(table)")
    #expect(table.contains(",\(server.url("/watch/a")),"), "\(table)")
    let explained = try JSONValue(home.editing("explain", id, "--json").run().stdout)
    #expect(explained[path: "candidates.0.search"] == .string("ytsearch5:Roads Night Drive"), "\(explained)")
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

  @Test("are tried again if some results cannot be read and none of the others fits", arguments: [true, false])
  func missingResults(_ isAlone: Bool) throws {
    try declare("")
    let others = isAlone ? "" : entry("b", "Night Drive", 100) + ", "
    try fake.answer("list", #"{"entries": [\#(others)null]}"#, then: "echo 'ERROR: Video unavailable' >&2; exit 1")
    let (result, report) = try run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(
      report[path: "items.0.error.message"]?.description.contains("could not be read: Video un") == true, "\(report)")
    try find([entry("a", "Night Drive", 225)])
    #expect(try run().result.ending == .exited(0))
  }

  @Test("come from the real yt-dlp, past a result that is gone, and every output names the page", .requires(.ytdlp))
  func real() throws {
    let lab = try LabYtDlp(server: server.url(""))
    func result(_ name: String, _ duration: Int) -> String {
      let page = server.url("/watch/\(name)?v=\(name)&token=canary")
      return #"{"id": "\#(name)", "url": "\#(page)", "title": "Night Drive", "duration": \#(duration)}"#
    }
    server.serve(
      "/watch/a",
      Resource(
        text: #"""
          {"id": "a", "title": "x", "formats": [
            {"format_id": "1", "url": "\#(server.url("/media/a"))", "ext": "mp3", "acodec": "mp3", "vcodec": "none"}]}
          """#))
    let results = [result("far", 300), result("gone", 225), result("a", 227), #"{"fail": "the rest is private"}"#]
    server.serve("/search.json", Resource(text: #"{"results": [\#(results.joined(separator: ", "))]}"#))
    try declare("")
    let done = try call("run", path: lab.path)
    #expect(done.ending == .exited(0), "\(done.standardError)")
    #expect(try lab.calls.contains { $0.hasSuffix("--flat-playlist -J -- ytsearch5:Roads Night Drive") })
    #expect(server.requests.map(\.path).suffix(2) == ["/watch/a", "/media/a"])
    let page = server.url("/watch/a?v=a&token=***")
    #expect(done.standardOutput.contains("from \(page) (+2 s)"), "\(done.standardOutput)")
    let report = try FileTree.files("\(home.library)/.syncjob/reports", hidden: true).map {
      try FileBytes.text("\(home.library)/.syncjob/reports/\($0)")
    }.joined()
    #expect(report.contains(#""origin":"\#(page)""#), "\(report)")
    let (id, listed) = try #require(home.list().first)
    #expect(listed[path: "origin"] == .string(page))
    let explained = try JSONValue(try home.editing("explain", id, "--json").run().stdout)
    #expect(explained[path: "origin"] == .string(page), "\(explained)")
    let shown = try home.editing("explain", id).run().standardOutput
    #expect(shown.contains("\(page): found by a search") && !shown.contains("canary"), "\(shown)")
  }

  @Test("are announced by a plan as what they will be where yt-dlp is absent or too old, and end it with 5")
  func plannedInVain() throws {
    let (empty, old) = (try TemporaryDirectory(), try FakeYtDlp(version: "2023.03.04"))
    try declare("")
    for (path, words) in [(empty.path, "yt-dlp is not installed, or not in PATH"), (old.path, "2023.03.04 is too old")]
    {
      let plan = try call("plan", path: path)
      #expect(plan.ending == .exited(5), "\(plan.ending)")
      #expect(
        plan.standardOutput.contains("warning: 1 item of the plan is searched for, but \(words)")
          || plan.standardOutput.contains("warning: 1 item of the plan is searched for, but yt-dlp \(words)"),
        "\(plan.standardOutput)")
      let json = try call("plan", "--json", path: path)
      #expect(json.ending == .exited(5))
      #expect(try JSONValue(json.stdout)[path: "warning_details.0.kind"] == .string("search"), "\(json.standardOutput)")
      #expect(try call("plan", "--no-download", path: path).ending != .exited(5))
      #expect(try call("run", "--dry-run", path: path).ending == .exited(5))
      #expect(try call("run", "--json", path: path).ending == .exited(5))
    }
    // Nobody has to search as long as the URL works.
    try declare(", id: song, url: \"\(server.url("/media/a"))\"")
    let plan = try call("plan", path: empty.path)
    #expect(plan.ending == .exited(0), "\(plan.standardError)")
    #expect(plan.standardOutput.contains("searched for if all else fails, but yt-dlp is not"), "\(plan.standardOutput)")
    var explain = home.editing("explain", "song")
    explain.environment["PATH"] = empty.path
    #expect(try explain.run().ending == .exited(0))
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
