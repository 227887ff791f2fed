// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("what was heard elsewhere")
struct HistoryTests {
  private let home: LibraryFixture
  private let server: FaultServer

  /// Runs get this time with `--now`; a command that imports does not, and knows only plays before the time of the
  /// build.
  private static let now = "2026-12-01T12:00:00Z"
  /// 2026-10-30T12:00:00Z.
  private static let played = 1_793_361_600

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b", "c", seconds: 4)
  }

  /// The size of each file.
  private let size = GeneratedAudio(title: "a", seconds: 4, seed: 3).bytes.count

  private func declare(_ more: String = "", items: [String] = ["a", "b"]) throws {
    let items = items.map {
      "{ id: \($0), title: Title \($0), artist: X, duration: 200, size: \(size), url: \"\(server.url("/\($0).mp3"))\" }"
    }
    try home.declare("\(more)\nplaylists: { mix: { items: [\(items.joined(separator: ", "))] } }")
  }

  private func run(at now: String = now) throws -> (result: CommandResult, report: JSONValue) {
    let result = try home.command("run", "--json", "--now", now).run()
    try #require(!result.stdout.isEmpty, "\(result.standardError)")
    return (result, try JSONValue(result.stdout))
  }

  private func importing(_ arguments: String...) throws -> CommandResult {
    try Command(home.command("").executable, ["import", "history", "-m", home.manifest] + arguments).run()
  }

  private func scrobbles(_ lines: [(String, Int)], zone: String = "UTC") -> String {
    lines.reduce(into: "#AUDIOSCROBBLER/1.1\n#TZ/\(zone)\n#CLIENT/Rockbox\n") {
      $0 += "x\t\ttitle \($1.0)\t\t200\tL\t\($1.1)\t\n"
    }
  }

  private func plays(_ id: String) throws -> String {
    let item = try #require(try home.list()[id])
    return ["play_count", "last_played_at", "play_position"].compactMap { item[path: $0]?.description }
      .joined(separator: " ")
  }

  private func numbers(_ report: JSONValue, _ index: Int = 0) -> [String] {
    ["read", "matched", "counted", "known", "unmatched", "refused", "passed_over"].map {
      "\($0) \(report[path: "history.\(index).\($0)"]?.description ?? "-")"
    }
  }

  @Test("the log at the stick's root is read by every run, and each play is counted once")
  func scrobblerLog() throws {
    try declare("history: [{ scrobbler_log: library/.scrobbler.log }]")
    #expect(try run().result.ending == .exited(0))
    try FileBytes.write(
      scrobbles([("a", Self.played), ("a", Self.played + 300), ("z", Self.played), ("b", 5)]) + "junk\n",
      to: "\(home.library)/.scrobbler.log")
    let (_, report) = try run()
    #expect(
      numbers(report)
        == ["read 4", "matched 2", "counted 2", "known 0", "unmatched 1", "refused 1", "passed_over 1"])
    #expect(try plays("a") == "2 2026-10-30T12:05:00Z")
    let queue = try home.queueFile()
    try FileBytes.write(
      try FileBytes.text("\(home.library)/.scrobbler.log") + "\n", to: "\(home.library)/.scrobbler.log")
    let text = try home.command("run", "--now", Self.now).run().standardOutput
    #expect(
      text.contains(
        "history: 0 plays counted from 4 records; 2 imported before, 1 of no item in the library, 1 with an impossible time, "
          + "1 line not understood.\n"), "\(text)")
    #expect(try home.queueFile() == queue)
    #expect(try FileBytes.text("\(home.state)/plays.jsonl").split(separator: "\n").count == 2)
  }

  @Test("what was heard before it ever was here counts in the run that learns of it, and is not forgotten")
  func heardBefore() throws {
    let retain = "history: [{ scrobbler_log: stick.log }]\ndefaults: { retain: { drop_played_after: 1d } }"
    try declare(retain)
    try FileBytes.write(scrobbles([("a", Self.played)]), to: home.folder.file("stick.log"))
    let plan = try home.command("plan", "--now", Self.now).run().standardOutput
    #expect(plan.contains("Coming: 1 item"), "\(plan)")
    let (_, report) = try run()
    #expect(numbers(report).prefix(3) == ["read 1", "matched 1", "counted 1"])
    #expect(report[path: "totals.downloaded"] == .number(1), "\(report)")
    #expect(try home.list()["a"] == nil, "what is not wanted is not remembered")
    try FileBytes.write(scrobbles([]), to: home.folder.file("stick.log"))
    #expect(try run().report[path: "totals.downloaded"] == .number(0))
    #expect(try home.ownedPaths() == ["mix/Title b.mp3"])
  }

  @Test("played elsewhere since its eviction, an item comes back in the same run; before, it does not")
  func comesBack() throws {
    let budget =
      "storage: { min_free: 0, budget: \(size * 5 / 2)B, evict: { trigger: 100%, target: 100%, min_age: 0s } }"
    try declare(budget)
    #expect(try run(at: "2026-11-20T12:00:00Z").result.ending == .exited(0))
    try declare(budget, items: ["a", "b", "c"])
    #expect(try Command(home.command("").executable, ["pin", "-m", home.manifest, "b"]).run().ending == .exited(0))
    try declare(budget + "\nhistory: [{ listens: heard.jsonl }]", items: ["c", "b", "a"])
    try FileBytes.write(
      "{\"path\":\"mix/Title a.mp3\",\"at\":\"2026-11-19T12:00:00Z\"}\n", to: home.folder.file("heard.jsonl"))
    let (_, evicting) = try run(at: "2026-11-29T12:00:00Z")
    #expect(evicting[path: "totals.evicted"] == .number(1), "\(evicting)")
    #expect(try home.list()["a"]?[path: "state"] == .string("removed"))
    #expect(try run(at: "2026-11-29T13:00:00Z").report[path: "totals.downloaded"] == .number(0))
    // 2026-11-30T12:00:00Z.
    try FileBytes.write(
      "{\"path\":\"\(home.library)/mix/Title a.mp3\",\"started\":1796040000,\"ended\":1796040190,"
        + "\"duration\":200,\"pos\":189.8,\"reason\":\"eof\"}\n", to: home.folder.file("heard.jsonl"))
    let plan = try home.command("plan", "--now", Self.now).run().standardOutput
    #expect(plan.contains("played since"), "\(plan)")
    let (_, report) = try run()
    #expect(report[path: "history.0.counted"] == .number(1))
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"), "\(report)")
  }

  @Test("what a player counts is counted as it grows: MPD's stickers and mpdcron, mapped into the library")
  func databases() throws {
    let (stickers, stats) = (home.folder.file("sticker.sql"), home.folder.file("stats.db"))
    try declare(
      "history: [{ mpd_stickers: sticker.sql, prefix: usb }, { mpdcron: stats.db, music_directory: \"\(home.folder.path)\" }]"
    )
    #expect(try run().result.ending == .exited(0))
    let mpd = try SQLiteFile(
      stickers,
      SQLiteFile.stickers + """
        INSERT INTO sticker VALUES ('song', 'usb/mix/Title a.mp3', 'playCount', '3'),
          ('song', 'usb/mix/Title a.mp3', 'lastPlayed', '\(Self.played)'),
          ('song', 'other/mix/Title a.mp3', 'playCount', '1'), ('song', 'other/mix/Title a.mp3', 'lastPlayed', '9');
        """)
    _ = try SQLiteFile(
      stats,
      SQLiteFile.songs
        + "INSERT INTO song(uri, play_count, last_played) VALUES ('library/mix/Title b.mp3', 2, \(Self.played));")
    let (_, report) = try run()
    #expect(report[path: "history.0.counted"] == .number(3) && report[path: "history.1.counted"] == .number(2))
    #expect(try run().report[path: "history"] == nil, "nothing changed, nothing was read")
    try mpd.run("UPDATE sticker SET value = '4' WHERE uri LIKE 'usb%' AND name = 'playCount'")
    try mpd.run("UPDATE sticker SET value = '\(Self.played + 60)' WHERE uri LIKE 'usb%' AND name = 'lastPlayed'")
    #expect(try run().report[path: "history.0.counted"] == .number(1))
    #expect(try plays("a") == "4 2026-10-30T12:01:00Z")
    #expect(try plays("b") == "2 2026-10-30T12:00:00Z")
  }

  @Test(
    "a stick that is not there is a warning; a file of another kind, or a damaged one, is an error of the run, which goes on"
  )
  func trouble() throws {
    try declare("history: [{ scrobbler_log: a.log }]")
    let (missing, report) = try run()
    #expect(missing.ending == .exited(0))
    #expect(report[path: "history.0.outcome"] == .string("missing"))
    #expect(report[path: "warnings.0"]?.description.contains("there is no such file; plug in the player") == true)
    try declare("history: [{ mpd_stickers: a.log }, { listens: b.log }]")
    try FileBytes.write(scrobbles([("a", Self.played)]), to: home.folder.file("a.log"))
    try FileBytes.write("{\"id\":\"a\",\"at\":\(Self.played)}\n", to: home.folder.file("b.log"))
    let (result, broken) = try run()
    #expect(result.ending == .exited(3))
    #expect(
      broken[path: "history.0.message"]?.description
        == "history \"\(home.folder.file("a.log"))\": it is a .scrobbler.log, and a sticker database of MPD was expected; "
        + "nothing was imported from it. Name another file, or another kind of history")
    #expect(try plays("a") == "1 2026-10-30T12:00:00Z", "the other one was read")
    let database = try SQLiteFile(
      home.folder.file("c.db"),
      SQLiteFile.stickers + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
        + "INSERT INTO sticker SELECT 'song', hex(randomblob(20)), 'playCount', '1' FROM n")
    try database.run("PRAGMA wal_checkpoint")
    let bytes = try FileBytes.read(home.folder.file("c.db"))
    try FileBytes.write(Array(bytes.prefix(20_000)), to: home.folder.file("d.db"))
    let cut = try importing(home.folder.file("d.db"))
    #expect(cut.ending == .exited(1))
    #expect(
      cut.standardError.contains("SQLite cannot read it (database disk image is malformed)"), "\(cut.standardError)")
    #expect(try plays("a") == "1 2026-10-30T12:00:00Z")
  }

  @Test("import history tells the kind by the first bytes, and a dry run changes nothing")
  func command() throws {
    try declare()
    #expect(try run().result.ending == .exited(0))
    let (log, zone) = (home.folder.file("x.log"), "--timezone")
    try FileBytes.write(scrobbles([("a", 1_792_497_600)], zone: "UNKNOWN"), to: log)
    let dry = try importing("-n", log, zone, "Europe/Berlin")
    #expect(
      dry.standardOutput
        == "a .scrobbler.log, \"\(log)\": 1 play would be counted from 1 record\nwould change 1 item\n",
      "\(dry.standardError)")
    #expect(try plays("a") == "0")
    let json = try importing("--json", log, zone, "Europe/Berlin")
    #expect(
      json.standardOutput
        == "{\"format\":\"syncjob-history\",\"version\":1,\"dry_run\":false,\"items\":1,\"history\":{\"source\":\"scrobbler_log\","
        + "\"path\":\"\(log)\",\"outcome\":\"read\",\"read\":1,\"matched\":1,\"counted\":1,\"known\":0,\"unheard\":0,"
        + "\"unmatched\":0,\"ambiguous\":0,\"refused\":0,\"passed_over\":0}}\n")
    #expect(try plays("a") == "1 2026-10-20T10:00:00Z")
    #expect(
      try importing(log, zone, "Europe/Berlin").standardOutput.contains(
        "0 plays counted from 1 record; 1 imported before"))
    #expect(try importing(log, "--format", "listen").ending == .exited(64))
    #expect(try importing(log, zone, "../x").ending == .exited(64))
    #expect(try importing("-").ending == .exited(64))
    #expect(try importing(home.folder.file("none")).ending == .exited(1))
    let wrong = try importing(home.manifest)
    #expect(wrong.ending == .exited(1))
    #expect(wrong.standardError.contains("it is not a .scrobbler.log, JSON lines, "), "\(wrong.standardError)")
    let unknown = try importing(log, zone, "Europe/Berlik")
    #expect(unknown.standardError.contains("has no \"Europe/Berlik\""))
  }

  @Test("a play told by command is in the log, too, and the log travels with the memory")
  func logTravels() throws {
    try declare()
    #expect(try run().result.ending == .exited(0))
    try home.edit("played", "a", "--at", "2026-10-20T10:00:00Z")
    let line = "{\"id\":\"a\",\"at\":\"2026-10-20T10:00:00Z\",\"source\":\"played\",\"total\":1,\"crc\":\"ab298c4b\"}\n"
    #expect(try FileBytes.text("\(home.state)/plays.jsonl") == line)
    let export = home.folder.file("memory.json")
    let program = home.command("").executable
    #expect(try Command(program, ["state", "export", "-o", export, home.manifest]).run().ending == .exited(0))
    try FileTree.remove("\(home.state)/plays.jsonl")
    #expect(
      try Command(program, ["state", "import", "--replace", "-m", home.manifest, export]).run().ending == .exited(0))
    #expect(try FileBytes.text("\(home.state)/plays.jsonl") == line)
    try FileBytes.write("{\"id\":\"a\",\"at\":\"2026-10-20T10:00:00Z\"}\n", to: home.folder.file("h.jsonl"))
    #expect(
      try importing(home.folder.file("h.jsonl")).standardOutput.contains("0 plays counted from 1 record; 1 imported"))
  }

  @Test("a log of plays that is lost, torn or damaged is told, and nothing is counted twice")
  func damagedLog() throws {
    try declare()
    #expect(try run().result.ending == .exited(0))
    let (played, log) = (home.folder.file("h.jsonl"), "\(home.state)/plays.jsonl")
    try FileBytes.write(
      (0..<3).map { "{\"id\":\"a\",\"at\":\(Self.played - $0 * 1000)}\n" }.joined(), to: played)
    #expect(try importing(played).standardOutput.contains("3 plays counted"))
    let whole = try FileBytes.text(log)
    for (text, warning) in [
      (String(whole.dropLast(7)), "the last line of the log of plays (plays.jsonl) is torn"),
      (String(whole.dropFirst(7)), "1 line of the log of plays (plays.jsonl) is damaged"),
      ("", ""),
    ] {
      if text.isEmpty { try FileTree.remove(log) } else { try FileBytes.write(text, to: log) }
      let result = try importing(played)
      #expect(result.ending == .exited(0) && result.standardError.contains(warning), "\(result.standardError)")
      #expect(try plays("a") == "3 2026-10-30T12:00:00Z", "\(warning)")
      #expect(try importing(played).standardError == "", "said once")
    }
  }

  private func asides() throws -> [String] {
    try FileTree.files(home.state, hidden: true).filter { $0.hasPrefix("plays.jsonl.") }
  }

  @Test("a damaged line of the log is told without histories, also under -q; the log is kept, and the rest counts on")
  func damagedWithoutHistories() throws {
    try declare()
    #expect(try run().result.ending == .exited(0))
    let log = "\(home.state)/plays.jsonl"
    for day in ["18", "19", "20"] { try home.edit("played", "a", "--at", "2026-10-\(day)T10:00:00Z") }
    let whole = try FileBytes.text(log)
    let damaged = whole.replacing("10-19", with: "10-29")
    try FileBytes.write(damaged, to: log)
    let words = "warning: 1 line of the log of plays (plays.jsonl) is damaged and left out"
    let status = try home.command("status").run()
    #expect(status.ending == .exited(0) && status.standardError.contains(words), "\(status.standardError)")
    #expect(try FileBytes.text(log) == damaged, "a command that only looks changes nothing")
    let quiet = try home.command("run", "--quiet", "--now", Self.now).run()
    #expect(quiet.ending == .exited(3))
    #expect(quiet.standardOutput.isEmpty && quiet.standardError.contains(words), "\(quiet.standardError)")
    let names = try asides()
    #expect(names.count == 1 && names[0].hasPrefix("plays.jsonl.corrupt-") && quiet.standardError.contains(names[0]))
    #expect(try FileBytes.text("\(home.state)/\(names[0])") == damaged)
    let lines = try FileBytes.text(log).split(separator: "\n")
    #expect(lines.count == 3 && lines.contains { $0.contains("10-18") } && !lines.contains { $0.contains("10-29") })
    #expect(try plays("a") == "3 2026-10-20T10:00:00Z")
    #expect(try home.command("run", "--quiet", "--now", Self.now).run().ending == .exited(0), "said once")
    // The play whose line is lost is not counted again.
    try FileBytes.write("{\"id\":\"a\",\"at\":\"2026-10-19T10:00:00Z\"}\n", to: home.folder.file("h.jsonl"))
    #expect(try importing(home.folder.file("h.jsonl")).standardOutput.contains("0 plays counted from 1 record"))
  }

  @Test("the report has the number of damaged lines, and the copy's name")
  func damagedInReport() throws {
    try declare()
    #expect(try run().result.ending == .exited(0))
    try home.edit("played", "a", "--at", "2026-10-20T10:00:00Z")
    let log = "\(home.state)/plays.jsonl"
    try FileBytes.write(try FileBytes.text(log).replacing("\"total\":1", with: "\"total\":7"), to: log)
    let (result, report) = try run()
    #expect(result.ending == .exited(3))
    #expect(report[path: "recovery.plays_damaged"] == .number(1), "\(report)")
    #expect(report[path: "recovery.kept_aside.0"] == .string(try #require(try asides().first)))
    #expect(try plays("a") == "1 2026-10-20T10:00:00Z")
  }

  @Test("a rebuild of a lost queue takes no damaged line for a play")
  func damagedAndLost() throws {
    try declare()
    #expect(try run().result.ending == .exited(0))
    try home.edit("played", "a", "--at", "2026-10-20T10:00:00Z")
    try home.edit("played", "b", "--at", "2026-10-21T10:00:00Z")
    let log = "\(home.state)/plays.jsonl"
    try FileBytes.write(
      try FileBytes.text(log).replacing("\"total\":1", with: "\"total\":9", maxReplacements: 1), to: log)
    for name in try FileTree.files(home.state, hidden: true) where name.hasPrefix("download_queue") {
      try FileTree.remove("\(home.state)/\(name)")
    }
    let (result, report) = try run()
    #expect(result.ending == .exited(3) && report[path: "recovery.plays_damaged"] == .number(1), "\(report)")
    #expect(try plays("a") == "0" && plays("b") == "1 2026-10-21T10:00:00Z")
    #expect(try asides().count == 1)
    #expect(try run().result.ending == .exited(0))
  }

  @Test("a torn end of the log is kept beside it, and an export tells of damage")
  func tornWithoutHistories() throws {
    try declare()
    #expect(try run().result.ending == .exited(0))
    let log = "\(home.state)/plays.jsonl"
    try home.edit("played", "a", "--at", "2026-10-20T10:00:00Z")
    let whole = try FileBytes.text(log)
    try FileBytes.write(whole + "{\"id\":\"a\",\"at\"", to: log)
    let result = try home.editing("played", "b", "--at", "2026-10-21T10:00:00Z").run()
    #expect(result.ending == .exited(0) && result.standardError.contains("plays.jsonl) is torn"), "\(result)")
    #expect(try asides().first?.hasPrefix("plays.jsonl.torn-") == true)
    #expect(try FileBytes.text(log).split(separator: "\n").count == 3)
    try FileBytes.write(try FileBytes.text(log).replacing("10-21", with: "10-22"), to: log)
    let program = home.command("").executable
    let export = try Command(program, ["state", "export", "-o", home.folder.file("e.json"), home.manifest]).run()
    #expect(export.ending == .exited(0))
    #expect(export.standardError.contains("1 line of the log of plays"), "\(export.standardError)")
  }

  @Test("a log of an earlier version, without checks, is read and continued")
  func uncheckedLog() throws {
    try declare()
    #expect(try run().result.ending == .exited(0))
    let log = "\(home.state)/plays.jsonl"
    try home.edit("played", "a", "--at", "2026-10-20T10:00:00Z")
    let old = "{\"id\":\"a\",\"at\":\"2026-10-20T10:00:00Z\",\"source\":\"played\",\"total\":1}\n"
    try FileBytes.write(old, to: log)
    let result = try home.editing("played", "a", "--at", "2026-10-21T10:00:00Z").run()
    #expect(result.ending == .exited(0) && result.standardError.isEmpty, "\(result.standardError)")
    let text = try FileBytes.text(log)
    #expect(text.hasPrefix(old) && text.hasSuffix("\"}\n") && text.split(separator: "\n").count == 2)
  }

  @Test("a log of plays that cannot be opened is told, counts nothing, and stops no run")
  func unreadableLog() throws {
    try declare("history: [{ listens: h.jsonl }]")
    try FileBytes.write("{\"id\":\"a\",\"at\":\(Self.played)}\n", to: home.folder.file("h.jsonl"))
    try FileBytes.write("", to: "\(home.state)/plays.jsonl/in-the-way")
    let (first, _) = try run()
    #expect(first.ending == .exited(3), "\(first.standardError)")
    let (result, report) = try run()
    #expect(result.ending == .exited(3) && report[path: "totals.unchanged"] == .number(2))
    #expect(report[path: "recovery.plays_unusable"] == .bool(true), "\(report)")
    #expect(report[path: "warnings.1"] == nil, "\(report)")
    #expect(try plays("a") == "0")
    try FileTree.remove("\(home.state)/plays.jsonl")
    #expect(try run().report[path: "history.0.counted"] == .number(1))
  }

  @Test("a saved plan goes by what was heard, and holds when it is carried out")
  func savedPlan() throws {
    try declare("history: [{ listens: h.jsonl }]")
    #expect(try run().result.ending == .exited(0))
    try declare("history: [{ listens: h.jsonl }]", items: ["a", "b", "c"])
    try FileBytes.write("{\"id\":\"a\",\"at\":\(Self.played)}\n", to: home.folder.file("h.jsonl"))
    let (plan, program) = (home.folder.file("plan.json"), home.command("").executable)
    let saved = try Command(program, ["plan", "-o", plan, "--now", Self.now, home.manifest]).run()
    #expect(saved.ending == .exited(0), "\(saved.standardError)")
    #expect(try plays("a") == "0")
    let applied = try Command(program, ["apply", "--now", "2026-12-01T12:00:30Z", plan]).run()
    #expect(applied.ending == .exited(0), "\(applied.standardError)")
    #expect(try plays("a") == "1 2026-10-30T12:00:00Z")
    #expect(try home.list()["c"]?[path: "state"] == .string("completed"))
  }

  @Test("a run with nothing to do stays a look, until a history changes")
  func settled() throws {
    try declare("history: [{ listens: h.jsonl }]")
    let played = home.folder.file("h.jsonl")
    try FileBytes.write("{\"id\":\"a\",\"at\":\(Self.played)}\n", to: played)
    for _ in 0..<3 { #expect(try run().result.ending == .exited(0)) }
    #expect(try run().report[path: "history"] == nil, "nothing was read")
    try FileBytes.write("{\"id\":\"a\",\"at\":\(Self.played + 9)}\n", to: played)
    #expect(try run().report[path: "history.0.counted"] == .number(1))
  }

  @Test(
    "killed at any moment, a run counts each play once at the next one", .requires(.strace),
    arguments: ["fsync", "pwrite64", "renameat"])
  func killed(_ call: String) throws {
    try declare()
    #expect(try home.run().result.ending == .exited(0))
    try FileBytes.write(
      (0..<3).map { "{\"id\":\"\($0 == 2 ? "b" : "a")\",\"at\":\(1_763_690_000 + $0 * 300)}\n" }.joined(),
      to: home.folder.file("h.jsonl"))
    try declare("history: [{ listens: h.jsonl }]")
    try KillSweep(home: home, call: call).run { (moment: String) throws in
      #expect(try plays("a") == "2 2025-11-21T01:58:20Z", "\(moment)")
      #expect(try plays("b") == "1 2025-11-21T02:03:20Z", "\(moment)")
      #expect(try FileBytes.text("\(home.state)/plays.jsonl").split(separator: "\n").count == 3, "\(moment)")
    }
  }
}
