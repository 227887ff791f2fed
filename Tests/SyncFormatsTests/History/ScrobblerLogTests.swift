// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the log of a portable player")
struct ScrobblerLogTests {
  private func read(_ text: String, zone: ZoneRules = .utc) throws -> (tracks: [Listening], passedOver: Int) {
    try read(Array(text.utf8), zone: zone)
  }

  private func read(_ bytes: [UInt8], zone: ZoneRules = .utc) throws -> (tracks: [Listening], passedOver: Int) {
    var tracks: [Listening] = []
    let passedOver = try ScrobblerLog.read(pieces(bytes), zone: zone) { tracks.append($0) }.passedOver
    return (tracks, passedOver)
  }

  private static let head = "#AUDIOSCROBBLER/1.1\n#TZ/UTC\n#CLIENT/Rockbox h3xx 1.1\n"

  @Test("artist, album, title, duration, what became of it, and when it began")
  func tracks() throws {
    let (tracks, passedOver) = try read(
      Self.head + "The Example\tRoads\tNight Drive\t3\t225\tL\t1763690000\t62c2e20a\n"
        + "Other\t\tShort\t\t61\tS\t1763690300\t\n")
    #expect(
      tracks == [
        Listening(
          track: TrackReference(tags: TrackTags(artist: "The Example", album: "Roads", title: "Night Drive")),
          at: Timestamp(secondsSince1970: 1_763_690_000), duration: .seconds(225)),
        Listening(
          track: TrackReference(tags: TrackTags(artist: "Other", title: "Short")),
          at: Timestamp(secondsSince1970: 1_763_690_300), duration: .seconds(61), ending: .skipped),
      ])
    #expect(passedOver == 0)
  }

  @Test("an hour that is local becomes UTC, unless the log says that it is UTC")
  func zones() throws {
    let line = "A\tB\tC\t1\t200\tL\t1763690000\n"
    let zone = ZoneRules(offset: 3600)
    for (header, expected) in [
      ("#TZ/UNKNOWN\n", Int64(1_763_686_400)), ("#TZ/UTC\n", 1_763_690_000), ("#TZ/utc \r\n", 1_763_690_000),
      ("", 1_763_686_400), ("#TZ/CET\n", 1_763_686_400),
    ] {
      let (tracks, _) = try read("#AUDIOSCROBBLER/1.0\n" + header + line, zone: zone)
      #expect(tracks.map(\.at.secondsSince1970) == [expected], "\(header)")
    }
  }

  @Test("that the zone was asked for is told, once a track needed it")
  func localTimes() throws {
    let line = "A\tB\tC\t1\t200\tL\t1763690000\n"
    for (text, expected) in [("#TZ/UNKNOWN\n", false), ("#TZ/UNKNOWN\n\(line)", true), ("#TZ/UTC\n\(line)", false)] {
      let remarks = try ScrobblerLog.read(pieces(Array("#AUDIOSCROBBLER/1.1\n\(text)".utf8)), zone: .utc) { _ in }
      #expect(remarks == HistoryRemarks(hasLocalTimes: expected), "\(text)")
    }
  }

  @Test("missing tabs, junk, other line ends, Latin-1 and a byte order mark")
  func asInTheField() throws {
    let text =
      "\u{FEFF}#AUDIOSCROBBLER/1.1\r\n#TZ/UTC\r\n\r\nA\tB\tC\t1\t200\tL\t1763690000\r\njunk\r\n\tB\tC\t\t\tL\t5\t\t\t\r\n"
      + "A\tB\t\t1\t200\tL\t1763690000\r\nA\tB\tC\t1\t200\tX\t1763690000\r\nA\tB\tC\t1\t200\tL\tsoon\r\n"
      + "A\tB\tC\t1\tx\tl\t1763690001"
    var (tracks, passedOver) = try read(text)
    #expect(tracks.map(\.at.secondsSince1970) == [1_763_690_000, 5, 1_763_690_001])
    #expect(tracks.map(\.duration) == [.seconds(200), nil, nil])
    #expect(passedOver == 4)
    (tracks, passedOver) = try read(
      Array(Self.head.utf8) + [0x42, 0xF6] + Array("rk\t\tCaf".utf8) + [0xE9] + Array("\t\t9\tL\t7\n".utf8))
    #expect(tracks.map(\.track.tags) == [TrackTags(artist: "B\u{F6}rk", title: "Caf\u{E9}")])
    #expect(passedOver == 0)
  }

  @Test("a log that was taken away begins anew: nothing is no error")
  func empty() throws {
    for text in ["", "\n", Self.head] { #expect(try read(text).tracks.isEmpty) }
  }

  @Test(
    "another file is refused, and named for what it is",
    arguments: [
      ("{\"path\":\"a\"}\n", HistoryProblem.FileContent.jsonLines), ("SQLite format 3\0", .database([])),
      ("A\tB\tC\t1\t200\tL\t1763690000\n", .scrobblerLines), ("A\tB\tC\t1\t200\tX\t1763690000\n", .other),
      ("#AUDIOSCROBBLER/2.0\n", .otherScrobblerLog),
    ])
  func otherKinds(_ text: String, _ found: HistoryProblem.FileContent) {
    #expect(throws: HistoryProblem.wrongKind(found: found, expected: .scrobblerLog)) { try read(text) }
  }

  @Test("a hundred thousand lines take no longer than a line each")
  func long() throws {
    let line = "The Example\tRoads\tNight Drive\t3\t225\tL\t1763690000\t\njunk\n"
    let (tracks, passedOver) = try read(Self.head + String(repeating: line, count: 50_000))
    #expect(tracks.count == 50_000 && passedOver == 50_000)
  }
}
