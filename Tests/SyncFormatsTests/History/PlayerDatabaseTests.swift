// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncTestSupport
import Testing

@Suite("the databases of MPD's clients")
struct PlayerDatabaseTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.file("a.db") }

  init() throws { folder = try TemporaryDirectory("syncjob-player-database") }

  private func read(_ expected: HistorySource.Kind? = nil) throws -> (counters: [PlayCounter], passedOver: Int) {
    var counters: [PlayCounter] = []
    let passedOver = try PlayerDatabase(reading: path, expected: expected).read { counters.append($0) }
    return (counters, passedOver)
  }

  private static let last = Timestamp(secondsSince1970: 1_763_690_000)

  @Test("stickers: how often, when last, and where it was left; of songs alone, and of nothing that was never played")
  func stickers() throws {
    _ = try SQLiteFile(
      path,
      SQLiteFile.stickers + """
        INSERT INTO sticker VALUES
          ('song', 'Mix/a.mp3', 'playCount', '3'), ('song', 'Mix/a.mp3', 'lastPlayed', '1763690000'),
          ('song', 'Mix/a.mp3', 'like', '2'), ('song', 'Mix/a.mp3', 'elapsed', '0'),
          ('song', 'b.mp3', 'elapsed', '600'), ('song', 'b.mp3', 'lastPlayed', '1763690000'),
          ('song', 'c.mp3', 'skipCount', '9'), ('song', 'd.mp3', 'playCount', '0'),
          ('song', 'e.mp3', 'playCount', '2'), ('playlist', 'f.m3u', 'playCount', '5');
        """)
    let (counters, passedOver) = try read(.mpdStickers)
    #expect(
      counters == [
        PlayCounter(track: TrackReference(path: "Mix/a.mp3"), uri: "Mix/a.mp3", value: 3, lastAt: Self.last),
        PlayCounter(
          track: TrackReference(path: "b.mp3"), uri: "b.mp3", value: 0, lastAt: Self.last, position: .seconds(600)),
      ])
    #expect(passedOver == 1, "a count without a time")
  }

  @Test("mpdcron: how often and when last, with the tags")
  func mpdcron() throws {
    _ = try SQLiteFile(
      path,
      SQLiteFile.songs + """
        INSERT INTO song(uri, play_count, last_played, duration, artist, album, title) VALUES
          ('Mix/a.mp3', 3, 1763690000, 225, 'The Example', 'Roads', 'Night Drive'),
          ('b.mp3', 0, NULL, 10, NULL, NULL, NULL), ('c.mp3', 1, NULL, 10, NULL, NULL, NULL);
        """)
    let (counters, passedOver) = try read()
    #expect(
      counters == [
        PlayCounter(
          track: TrackReference(
            path: "Mix/a.mp3", tags: TrackTags(artist: "The Example", album: "Roads", title: "Night Drive")),
          uri: "Mix/a.mp3", value: 3, lastAt: Self.last, duration: .seconds(225))
      ])
    #expect(passedOver == 1)
  }

  @Test("another database is refused with its tables, whether one was expected or not")
  func others() throws {
    _ = try SQLiteFile(path, "CREATE TABLE moz_places(id); CREATE TABLE moz_bookmarks(id)")
    let found = HistoryProblem.FileContent.database(["moz_bookmarks", "moz_places"])
    #expect(throws: HistoryProblem.unknownKind(found)) { try read() }
    #expect(throws: HistoryProblem.wrongKind(found: found, expected: .mpdcron)) { try read(.mpdcron) }
    _ = try SQLiteFile(folder.file("b.db"), SQLiteFile.stickers)
    #expect(throws: HistoryProblem.wrongKind(found: .database(["sticker"]), expected: .mpdcron)) {
      _ = try PlayerDatabase(reading: folder.file("b.db"), expected: .mpdcron)
    }
    _ = try SQLiteFile(folder.file("c.db"), "CREATE TABLE song(name)")
    #expect(throws: HistoryProblem.database(detail: "the columns of its table are others")) {
      _ = try PlayerDatabase(reading: folder.file("c.db"), expected: nil)
    }
  }
}
