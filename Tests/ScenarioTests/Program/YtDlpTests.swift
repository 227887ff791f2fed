// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("pages that yt-dlp reads", .timeLimit(.minutes(5)))
struct YtDlpTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let fake: FakeYtDlp

  init() throws {
    (home, server, fake) = (try LibraryFixture(), try FaultServer(), try FakeYtDlp())
    try declare()
    for name in ["a", "b"] { try serve(name) }
    try list(["a", "b"])
  }

  /// - Parameter keys: further keys of the playlist.
  private func declare(_ keys: String = "", source: String = #""ytsearch2:night drive""#, stall: String = "30s") throws
  {
    try home.declare(
      """
      downloads: { retries: 0, timeouts: { stall: \(stall) }, network: { allow_private: true } }
      playlists: { mix: { title: Mix, ytdlp: \(source)\(keys) } }
      """)
  }

  private func serve(_ name: String, fields: String = "{}", more: String = "") throws {
    server.serve("/media/\(name)", Resource(bytes: GeneratedAudio(title: name, seconds: 1, seed: 7).bytes))
    try fake.answer(
      name,
      #"{"id": "\#(name)", "url": "\#(server.url("/media/\(name)"))", "protocol": "http", "http_headers": \#(fields)\#(more)}"#
    )
  }

  private func entry(_ name: String) -> String {
    #"{"_type": "url", "ie_key": "Lab", "id": "\#(name)", "title": "Song \#(name)", "url": "\#(server.url("/watch/\(name)"))", "duration": 1.0}"#
  }

  private func list(_ names: [String], then script: String = "") throws {
    try fake.answer(
      "list",
      #"{"_type": "playlist", "title": "night drive", "entries": [\#(names.map(entry).joined(separator: ", "))]}"#,
      then: script)
  }

  private func run() throws -> (result: CommandResult, report: JSONValue) {
    var command = home.command("run", "--json")
    command.environment["PATH"] = fake.path
    let result = try command.run(timeout: 100)
    try #require(!result.stdout.isEmpty, "\(result.ending) \(result.standardError)")
    return (result, try JSONValue(result.stdout))
  }

  @Test("are listed, found when their turn comes, and not asked for again")
  func fetched() throws {
    let (result, report) = try run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(2))
    #expect(try home.ownedPaths() == ["Mix/Song a.mp3", "Mix/Song b.mp3"])
    let calls = try fake.calls
    #expect(
      calls.count == 4 && calls.allSatisfy { $0 == "--version" || $0.hasPrefix("--ignore-config --no-cache-dir") })
    #expect(calls.contains { $0.hasSuffix("--flat-playlist -J -- ytsearch2:night drive") })
    #expect(calls.contains { $0.hasSuffix("-J -f ba/b -- \(server.url("/watch/a"))") })
    // The address of the file may be gone tomorrow.
    let queue = String(decoding: try home.queueFile(), as: UTF8.self)
    #expect(queue.contains("/watch/a") && !queue.contains("/media/a"))

    let (again, second) = try run()
    #expect(again.ending == .exited(0) && second[path: "totals.downloaded"] == .number(0))
    #expect(try fake.calls.count == 6)
  }

  @Test("get the headers that yt-dlp names, without those that carry credentials")
  func headers() throws {
    try serve(
      "a",
      fields:
        #"{"Referer": "https://page.example/", "User-Agent": "Lab/1", "Cookie": "s=1", "Authorization": "Basic x", "Range": "bytes=5-"}"#
    )
    _ = try run()
    let request = try #require(server.requests(to: "/media/a").first).headers
    #expect(request["Referer"] == "https://page.example/" && request["User-Agent"] == "Lab/1")
    #expect(request["Cookie"] == nil && request["Authorization"] == nil && request["Range"] == nil)
  }

  @Test("are asked for in the format of the quality, or in the declared one, with the declared options")
  func formats() throws {
    try declare(", quality: normal")
    _ = try run()
    #expect(try fake.calls.contains { $0.contains(" -f ba[abr<=?160]/wa/w -- ") })
    try declare(source: #"{ url: "ytsearch2:x", format: worst, args: [--geo-bypass, "--exec"] }"#)
    try home.retryAll()
    _ = try run()
    #expect(try fake.calls.contains { $0.hasPrefix("--ignore-config --geo-bypass --exec --no-cache-dir") })
  }

  @Test("continue a file that was cut off, after they were found anew")
  func resumed() throws {
    let bytes = GeneratedAudio(title: "a", seconds: 60, seed: 3).bytes
    server.serve("/media/a", Resource(bytes: bytes, etag: "\"x\""))
    server.script("/media/a", [.breakOff(after: bytes.count / 2)])
    try list(["a"])
    let (first, _) = try run()
    #expect(first.ending == .exited(5), "\(first.standardError)")
    // The file has moved, as signed addresses do.
    server.serve("/moved/a", Resource(bytes: bytes, etag: "\"x\""))
    try fake.answer("a", #"{"url": "\#(server.url("/moved/a"))", "protocol": "https"}"#)
    let (second, report) = try run()
    #expect(second.ending == .exited(0), "\(second.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
    #expect(server.requests(to: "/moved/a").map { $0.status } == [206])
  }

  private static let troubles: [(name: String, script: String, status: Int32, words: String)] = [
    (
      "a failure that may pass", "echo 'ERROR: [lab] a: Unable to download webpage' >&2; echo null; exit 1", 5,
      "Unable to download webpage"
    ),
    ("a failure that stays", "echo 'ERROR: [lab] a: Video unavailable' >&2; echo null; exit 1", 3, "Video unavailable"),
    ("control characters", "printf 'ERROR: \\033]0;x\\007 bad\\n' >&2; exit 1", 5, "\\u{1B}"),
    ("a live stream", #"echo '{"url": "http://x.example/", "live_status": "is_live"}'"#, 5, "live"),
    ("several files", #"echo '{"requested_formats": [{}]}'"#, 3, "merged"),
    ("no file", #"echo '{"id": "a"}'"#, 3, "no media"),
    ("another program", "echo usage: yt-dlp", 5, "cannot be read"),
    ("invalid UTF-8", #"printf '{"url": "http://x.example/\377"}'"#, 5, "cannot be read"),
    ("an address on this machine's network", #"echo '{"url": "file:///etc/passwd"}'"#, 3, "no media"),
  ]

  @Test("tell each trouble with an item in its own words", arguments: troubles.indices)
  func trouble(_ index: Int) throws {
    let trouble = Self.troubles[index]
    try list(["a"])
    try fake.script("a", trouble.script)
    let (result, report) = try run()
    #expect(result.ending == .exited(trouble.status), "\(trouble.name): \(result.standardError)")
    #expect("\(report)".contains(trouble.words), "\(trouble.name): \(report)")
    #expect(!result.standardError.contains("\u{1B}]"), "\(trouble.name)")
  }

  @Test("end a program that hangs, ignores signals and leaves a child behind")
  func hanging() throws {
    try declare(stall: "1s")
    try list(["a"])
    let pids = fake.folder.file("pids")
    try fake.script(
      "a", "trap '' TERM INT; sleep 300 & echo $! >> \(pids); echo $$ >> \(pids); while :; do sleep 1; done")
    let (result, report) = try run()
    #expect(result.ending == .exited(5) && result.seconds < 30, "\(result.standardError)")
    #expect("\(report)".contains("did not answer within"))
    for pid in try FileBytes.text(pids).split(separator: "\n") { #expect(Self.isGone(pid), "\(pid)") }
  }

  @Test("end a child that the program leaves behind")
  func leftChild() throws {
    let pids = fake.folder.file("pids")
    try fake.answer(
      "a", #"{"url": "\#(server.url("/media/a"))", "protocol": "http"}"#, then: "sleep 300 & echo $! >> \(pids)")
    try list(["a"])
    let (result, _) = try run()
    #expect(result.ending == .exited(0) && result.seconds < 30, "\(result.standardError)")
    for pid in try FileBytes.text(pids).split(separator: "\n") { #expect(Self.isGone(pid), "\(pid)") }
  }

  @Test("end the program within two seconds of a signal")
  func stopped() throws {
    try list(["a"])
    let pids = fake.folder.file("pids")
    try fake.script("a", "trap '' TERM INT; echo $$ > \(pids); while :; do sleep 1; done")
    var command = home.command("run", "--json")
    command.environment["PATH"] = fake.path
    let running = try command.start()
    while (try? FileBytes.text(pids))?.isEmpty ?? true { usleep(10_000) }
    running.signal(SIGTERM)
    let result = running.wait(timeout: 20)
    #expect(result.ending == .exited(143), "\(result.ending) \(result.standardError)")
    #expect(Self.isGone(try FileBytes.text(pids).dropLast()))
  }

  /// Waits for the kernel. A container's first process may leave a zombie.
  private static func isGone(_ pid: some StringProtocol) -> Bool {
    for _ in 0..<300 {
      do {
        if try FileBytes.text("/proc/\(pid)/stat").contains(") Z ") { return true }
      } catch { return true }
      usleep(10_000)
    }
    return false
  }

  @Test("say how to get a program that is missing or too old")
  func noProgram() throws {
    let (empty, old) = (try TemporaryDirectory(), try FakeYtDlp(version: "2023.03.04"))
    for (path, words) in [(empty.path, "pipx install"), (old.path, "2023.03.04 is too old")] {
      var command = home.command("run", "--json")
      command.environment["PATH"] = path
      let result = try command.run()
      #expect(result.ending == .exited(5), "\(result.standardError)")
      #expect(result.standardOutput.contains(words), "\(result.standardOutput)")
    }
  }

  @Test("keep what was there when some entries or all of them fail")
  func failedEntries() throws {
    _ = try run()
    try fake.answer(
      "list", #"{"_type": "playlist", "entries": [null, \#(entry("b"))]}"#,
      then: "echo 'ERROR: one is private' >&2; exit 1")
    let (some, _) = try run()
    #expect(some.ending == .exited(5) && some.standardOutput.contains("one is private"), "\(some.standardOutput)")
    try fake.answer("list", #"{"_type": "playlist", "entries": [null]}"#, then: "echo 'ERROR: no network' >&2; exit 1")
    let (none, _) = try run()
    #expect(none.ending == .exited(5) && none.standardOutput.contains("no network"), "\(none.standardOutput)")
    #expect(try home.ownedPaths() == ["Mix/Song a.mp3", "Mix/Song b.mp3"])
  }

  @Test("are not asked for in a private network unless that is allowed")
  func privatePages() throws {
    try home.declare(#"playlists: { mix: { ytdlp: "ytsearch2:x" } }"#)
    let (result, report) = try run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect("\(report)".contains("allow_private"))
    #expect(try fake.calls.count == 2)
  }

  @Test("come from the real yt-dlp: the medium of a page, and the entries of a list in its order", .requires(.ytdlp))
  func real() throws {
    let lab = try LabYtDlp(server: server.url(""))
    for name in ["a", "b", "c"] {
      try serve(name)
      let medium = #"""
        {"id": "\#(name)", "title": "Song \#(name)", "duration": 1.0, "formats": [
          {"format_id": "1", "url": "\#(server.url("/media/\(name)"))", "ext": "mp3", "acodec": "mp3", "vcodec": "none"}]}
        """#
      server.serve("/watch/\(name)", Resource(text: medium))
    }
    func declareList(_ names: [String]) {
      let results = names.map {
        #"{"id": "\#($0)", "url": "\#(server.url("/watch/\($0)"))", "title": "Song \#($0)", "duration": 1}"#
      }
      server.serve(
        "/list/mix",
        Resource(text: #"{"id": "mix", "title": "Mix", "results": [\#(results.joined(separator: ", "))]}"#))
    }
    declareList(["b", "a"])
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        page: { title: Page, ytdlp: "\(server.url("/watch/c"))" }
        list: { title: List, ytdlp: "\(server.url("/list/mix"))" }
      """)
    func run() throws -> (result: CommandResult, report: JSONValue) {
      var command = home.command("run", "--json")
      command.environment["PATH"] = lab.path
      let result = try command.run(timeout: 100)
      return (result, try JSONValue(result.stdout))
    }
    let (first, report) = try run()
    #expect(first.ending == .exited(0), "\(first.standardError) \(report)")
    #expect(report[path: "totals.downloaded"] == .number(3))
    #expect(try home.ownedPaths() == ["Page/Song c.mp3", "List/Song b.mp3", "List/Song a.mp3"])
    #expect(try lab.calls.contains { $0.hasSuffix("--flat-playlist -J -- \(server.url("/list/mix"))") })
    func listed() throws -> [Substring] {
      try FileBytes.text("\(home.library)/List.m3u8").split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
    #expect(try listed() == ["List/Song b.mp3", "List/Song a.mp3"])
    // The list has a new order and a new entry.
    declareList(["a", "c", "b"])
    let (second, changed) = try run()
    #expect(second.ending == .exited(0), "\(second.standardError) \(changed)")
    #expect(try listed().first == "List/Song a.mp3" && listed().count == 3)
    #expect(server.requests(to: "/media/a").count == 1 && server.requests(to: "/media/b").count == 1)
  }

  @Test("are shown by plan, list, status and explain")
  func shown() throws {
    var plan = home.command("plan", "--json")
    plan.environment["PATH"] = fake.path
    let planned = try plan.run()
    #expect(planned.standardOutput.contains("Song a"), "\(planned.standardError)")
    #expect(try !fake.calls.contains { $0.contains(" -f ") })
    let (_, report) = try run()
    #expect("\(report)".contains("ytsearch2:night drive"))
    #expect(try home.list().count == 2)
    let id = try #require(home.list().keys.sorted().first)
    let explained = try home.editing("explain", id).run()
    #expect(
      explained.ending == .exited(0) && explained.standardOutput.contains("/watch/"), "\(explained.standardOutput)")
  }
}
