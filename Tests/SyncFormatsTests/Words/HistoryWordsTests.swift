// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("histories in words")
struct HistoryWordsTests {
  static let problems: [(HistoryProblem, String)] = [
    (HistoryProblem.missing, "there is no such file; plug in the player that writes it, or check the path"),
    (.notAFile, "it is not a plain file"),
    (
      .wrongKind(found: .database(["sticker", "x"]), expected: .mpdcron),
      "it is an SQLite database of something else (its tables: sticker, x), and a database of mpdcron was expected;"
        + " nothing was imported from it. Name another file, or another kind of history"
    ),
    (
      .wrongKind(found: .nothing, expected: .mpdStickers),
      "it is empty, and a sticker database of MPD was expected; nothing was imported from it. Name another file, or another"
        + " kind of history"
    ),
    (
      .unknownKind(.other),
      "it is not a .scrobbler.log, JSON lines, a sticker database of MPD, a database of mpdcron: name another file, or"
        + " say which of them it is with --format"
    ),
    (
      .database(detail: "database disk image is malformed"),
      "SQLite cannot read it (database disk image is malformed); nothing that it could not read was imported. See whether"
        + " its player can"
    ),
    (
      .wrongKind(found: .scrobblerLines, expected: .scrobblerLog),
      "it has lines of a .scrobbler.log, but does not begin with #AUDIOSCROBBLER/1.1 as one does; nothing was imported from"
        + " it. Put that line in front, and the line #TZ/UTC behind it if its times are in UTC"
    ),
    (
      .unknownKind(.scrobblerLines),
      "it has lines of a .scrobbler.log, but does not begin with #AUDIOSCROBBLER/1.1 as one does. Put that line in front,"
        + " and the line #TZ/UTC behind it if its times are in UTC"
    ),
    (
      .wrongKind(found: .scrobblerLines, expected: .listens),
      "it is a .scrobbler.log without its first line, and JSON lines was expected; nothing was imported from it. Name another"
        + " file, or another kind of history"
    ),
    (.busy, "another program is writing it and does not stop; the next run tries again"),
    (.noReader(detail: "no libsqlite3"), "databases cannot be read here: no libsqlite3; install libsqlite3-0"),
    (
      .unknownZone("Europe/Berlik"),
      "the time zone database of this machine has no \"Europe/Berlik\", so its times mean nothing; check the name, or"
        + " install tzdata"
    ),
    (.badZone("CET"), "the file of the time zone \"CET\" is damaged; install tzdata anew"),
  ]

  @Test("every reason why one cannot be read", arguments: problems)
  func reason(_ problem: HistoryProblem, _ words: String) {
    #expect(problem.words(path: "/m/a") == "history \"/m/a\": \(words)")
  }

  @Test("a command that imports does not leave a locked one to a run, which does not know it")
  func lockedImport() {
    #expect(
      HistoryProblem.busy.wordsOfImport(path: "/m/a")
        == "history \"/m/a\": another program is writing it and does not stop; import it again when that has ended")
    #expect(HistoryProblem.missing.wordsOfImport(path: "/m/a") == HistoryProblem.missing.words(path: "/m/a"))
  }

  @Test("a player that does not know where it is")
  func zone() {
    #expect(
      Warning.historyZoneAssumed(path: "/m/a", isImport: false).words
        == "history \"/m/a\": its player does not say where it is (#TZ/UTC is missing), so its times were read as UTC; say"
        + " it in the manifest, for instance timezone: Europe/Berlin, or UTC if that is right")
    #expect(
      Warning.historyZoneAssumed(path: "/m/a", isImport: true).words
        == "history \"/m/a\": its player does not say where it is (#TZ/UTC is missing), so its times were read as UTC; say"
        + " it with --timezone, for instance Europe/Berlin, or UTC if that is right")
  }

  @Test("what became of the records")
  func counts() {
    var counts = HistoryCounts()
    func words(_ kind: HistorySource.Kind = .scrobblerLog) -> String {
      HistorySummary(source: kind.source, path: "/m/a", counts: counts).words
    }
    #expect(words() == "0 plays counted from 0 records")
    counts.read = 12
    counts.counted = 1
    (counts.known, counts.unmatched, counts.ambiguous, counts.refused, counts.passedOver) = (2, 3, 4, 1, 1)
    #expect(
      words()
        == "1 play counted from 12 records; 2 imported before, 3 of no item in the library, 4 matching several items, 1 with an"
        + " impossible time, 1 line not understood")
    #expect((counts + counts).passedOver == 2)
    #expect(words(.mpdStickers).hasSuffix("1 with an impossible time, 1 song without the time of a play"))
    counts.passedOver = 2
    #expect(words(.mpdcron).hasSuffix(", 2 songs without the time of a play"))
  }

  @Test("paths that lead nowhere are told what leads them")
  func hint() {
    var counts = HistoryCounts()
    (counts.read, counts.unmatched) = (2, 2)
    func text(_ kind: HistorySource.Kind) -> String {
      HistoryImportReport(
        kind, HistorySummary(source: kind.source, path: "/s", counts: counts), items: 0, isDryRun: true
      ).text
    }
    let told =
      "a sticker database of MPD, \"/s\": 0 plays would be counted from 2 records; 2 of no item in the library\nwould change 0 items\n"
    let hint = "none of its paths leads to an item here; say where they begin with --music-directory or --prefix\n"
    #expect(text(.mpdStickers) == told + hint)
    #expect(!text(.scrobblerLog).contains(hint))
    counts.matched = 1
    #expect(text(.mpdStickers) == told)
  }

  @Test("the log of plays that is missing")
  func log() {
    #expect(
      Warning.playLogMissing.words
        == "there is no log of the plays that were counted (plays.jsonl); it begins anew, and what was played before the last"
        + " recorded play of an item is not counted again")
    #expect(Warning.historyNotRead(path: "/m/a", .busy).words == HistoryProblem.busy.words(path: "/m/a"))
  }
}
