// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// The messages about a faulty history, and its effects.
@Suite("trouble with what was heard elsewhere")
struct HistoryTroubleTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private static let now = "2026-12-01T12:00:00Z"
  /// 2026-10-20T10:00:00Z: a command that imports has no `--now`, and knows only plays before the time of the build.
  private static let played = 1_792_490_400

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", seconds: 4)
  }

  private func declare(_ more: String = "") throws {
    try home.declare(
      "\(more)\nplaylists: { mix: { items: [{ id: a, title: Song, artist: X, url: \"\(server.url("/a.mp3"))\" }] } }")
  }

  private func run() throws -> CommandResult { try home.command("run", "--now", Self.now).run() }

  private func importing(_ arguments: String...) throws -> CommandResult {
    try Command(home.command("").executable, ["import", "history", "-m", home.manifest] + arguments).run()
  }

  private func log(_ zone: String) -> String {
    "#AUDIOSCROBBLER/1.1\n#TZ/\(zone)\nX\t\tSong\t\t4\tL\t\(Self.played)\t\n"
  }

  @Test("local times of nobody knows where are taken for UTC, which a run and an import say until a zone is named")
  func unknownZone() throws {
    let path = home.folder.file("p.log")
    try FileBytes.write(log("UNKNOWN"), to: path)
    try declare()
    #expect(try run().ending == .exited(0))
    let assumed = "its player does not say where it is (#TZ/UTC is missing), so its times were read as UTC; say it "
    let imported = try importing("-n", path)
    #expect(imported.ending == .exited(0))
    #expect(
      imported.standardError
        == "warning: history \"\(path)\": \(assumed)with --timezone, for instance Europe/Berlin, or UTC if that is right\n"
    )
    #expect(try importing("-n", path, "--timezone", "UTC").standardError == "")
    try declare("history: [{ scrobbler_log: p.log }]")
    let told = try run()
    #expect(told.ending == .exited(0))
    #expect(
      told.standardOutput.contains(
        "\(assumed)in the manifest, for instance timezone: Europe/Berlin, or UTC if that is right."),
      "\(told.standardOutput)")
    try declare("history: [{ scrobbler_log: p.log, timezone: UTC }]")
    #expect(try !run().standardOutput.contains("read as UTC"))
  }

  @Test("a copy of a log that was counted counts nothing again, wherever it lies")
  func copy() throws {
    let (first, second) = (home.folder.file("a.log"), home.folder.file("b.log"))
    try FileBytes.write(log("UTC"), to: first)
    try FileBytes.write(log("UTC"), to: second)
    try declare()
    #expect(try run().ending == .exited(0))
    #expect(try importing(first).standardOutput.contains("1 play counted from 1 record\n"))
    #expect(try importing(second).standardOutput.contains("0 plays counted from 1 record; 1 imported before\n"))
  }

  @Test("a log that lost its first line is told what it lacks")
  func headless() throws {
    let path = home.folder.file("p.log")
    try FileBytes.write(String(log("UTC").split(separator: "\n")[2]), to: path)
    try declare()
    #expect(try run().ending == .exited(0))
    let result = try importing(path)
    #expect(result.ending == .exited(1))
    #expect(
      result.standardError.contains(
        "it has lines of a .scrobbler.log, but does not begin with #AUDIOSCROBBLER/1.1 as one does. Put that line in front"
      ),
      "\(result.standardError)")
  }

  @Test("a database that another program keeps locked is left to the next run: status 5, for the run as for the import")
  func locked() throws {
    let path = home.folder.file("sticker.sql")
    let database = try SQLiteFile(
      path,
      SQLiteFile.stickers + """
        INSERT INTO sticker VALUES ('song', 'mix/Song.mp3', 'playCount', '1'),
          ('song', 'mix/Song.mp3', 'lastPlayed', '\(Self.played)');
        """)
    try declare("history: [{ mpd_stickers: sticker.sql }]")
    try database.run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    let locked = try run()
    #expect(locked.ending == .exited(5), "\(locked.standardOutput)")
    #expect(
      locked.standardOutput.contains("another program is writing it and does not stop; the next run tries again."))
    #expect(try importing(path).ending == .exited(5))
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"), "all else was done")
    try database.run("COMMIT; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sticker")
    let read = try run()
    #expect(read.ending == .exited(0))
    #expect(read.standardOutput.contains("history: 1 play counted from 1 record."), "\(read.standardOutput)")
  }

  @Test("a time zone that this machine does not know is a finding of validate, and of every command")
  func unknownName() throws {
    try declare("history: [{ scrobbler_log: p.log, timezone: Mars/X }]")
    for name in ["validate", "run", "status"] {
      let result = try home.command(name).run()
      #expect(result.ending == .exited(78))
      #expect(
        result.standardError.contains("manifest.yaml:3:45: error: \"history.timezone\": "), "\(result.standardError)")
    }
  }

  @Test("a flag that the kind does not have is refused, as in a manifest")
  func needlessFlags() throws {
    let (log, lines) = (home.folder.file("p.log"), home.folder.file("p.jsonl"))
    try FileBytes.write(self.log("UTC"), to: log)
    try FileBytes.write("{\"id\":\"a\",\"at\":\(Self.played)}\n", to: lines)
    try declare()
    #expect(try run().ending == .exited(0))
    let rows = [
      (log, ["--prefix", "x"], "a .scrobbler.log", "--prefix"),
      (log, ["--music-directory", "/x"], "a .scrobbler.log", "--music-directory"),
      (lines, ["--timezone", "Europe/Berlin"], "JSON lines", "--timezone"),
    ]
    for (path, flags, kind, flag) in rows {
      for more in [["-n"], []] {
        let command = ["import", "history", "-m", home.manifest, path] + flags + more
        let result = try Command(home.command("").executable, command).run()
        #expect(result.ending == .exited(64), "\(flag)")
        #expect(
          result.standardError
            == "syncjob: error: history \"\(path)\": it is \(kind), of which \(flag) says nothing: leave it out; "
            + "nothing was imported from it\n")
      }
    }
    #expect(try home.list()["a"]?[path: "play_count"] == .number(0))
  }

  @Test("each record is in one of the counts, also one that was skipped")
  func sums() throws {
    let path = home.folder.file("p.jsonl")
    let lines = [
      "{\"id\":\"a\",\"at\":\(Self.played)}", "{\"id\":\"a\",\"at\":\(Self.played + 900),\"reason\":\"skipped\"}",
      "{\"id\":\"nobody\",\"at\":\(Self.played)}", "{\"id\":\"a\",\"at\":1}", "junk",
    ]
    try FileBytes.write(lines.joined(separator: "\n") + "\n", to: path)
    try declare()
    #expect(try run().ending == .exited(0))
    let rest =
      "from 4 records; 1 played too briefly to count, 1 of no item in the library, 1 with an impossible time, 1 line "
    let dry = try importing("-n", path).standardOutput
    #expect(dry.contains("1 play would be counted \(rest)"), "\(dry)")
    let report = try JSONValue(importing("--json", path).stdout)
    #expect(report[path: "history.read"] == .number(4) && report[path: "history.unheard"] == .number(1))
    #expect(report[path: "history.counted"] == .number(1) && report[path: "history.matched"] == .number(2))
  }
}
