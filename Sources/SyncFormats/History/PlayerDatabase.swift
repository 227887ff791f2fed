// SPDX-License-Identifier: Apache-2.0
import SQLite
package import SyncCore

/// The databases in which clients of the Music Player Daemon keep the play count of each song.
package struct PlayerDatabase {
  package let kind: HistorySource.Kind
  private let database: SQLiteDatabase

  /// - Parameters:
  ///   - path: the path of the file.
  ///   - expected: the kind of database; nil for any.
  ///   - mayGoOn: called while a statement runs; once it returns false, the reading ends with
  ///     `HistoryProblem.tookTooLong`.
  package init(
    reading path: String, expected: HistorySource.Kind?, while mayGoOn: @escaping () -> Bool = { true }
  ) throws(HistoryProblem) {
    let tables: [String]
    do throws(SQLiteError) {
      database = try SQLiteDatabase.open(reading: path, while: mayGoOn)
      tables = try database.tables()
    } catch { throw HistoryProblem(error) }
    let found: HistorySource.Kind? =
      if tables.contains("sticker") { .mpdStickers } else if tables.contains("song") { .mpdcron } else { nil }
    guard let found, found == expected ?? found else {
      throw expected.map { .wrongKind(found: .database(tables), expected: $0) } ?? .unknownKind(.database(tables))
    }
    kind = found
    do throws(SQLiteError) {
      let columns = try database.columns(of: found == .mpdcron ? "song" : "sticker")
      guard columns.isSuperset(of: found == .mpdcron ? Self.songColumns : Self.stickerColumns) else {
        throw SQLiteError.failed(code: 1, detail: "the columns of its table are others")
      }
    } catch { throw HistoryProblem(error) }
  }

  private static let stickerColumns: Set = ["type", "uri", "name", "value"]
  private static let songColumns: Set = ["uri", "play_count", "last_played"]

  /// - Parameter body: called with one counter for each song that was ever played.
  /// - Returns: the number of songs that have counters without a time.
  package func read(_ body: (PlayCounter) -> Void) throws(HistoryProblem) -> Int {
    var passedOver = 0
    do throws(SQLiteError) {
      try database.rows(kind == .mpdcron ? try songs() : Self.stickers) { row in
        guard let uri = row.text(0), let value = row.integer(1), let last = row.integer(2),
          (0...1 << 40).contains(value), last != 0
        else {
          passedOver += 1
          return
        }
        let tags = row.text(6).flatMap { TrackTags(artist: row.text(5), album: row.text(4), title: $0) }
        body(
          PlayCounter(
            track: TrackReference(path: uri, tags: tags), uri: uri, value: Int(value),
            lastAt: Timestamp(secondsSince1970: last), position: Self.span(row.integer(3)),
            duration: Self.span(row.integer(7))))
      }
    } catch { throw HistoryProblem(error) }
    return passedOver
  }

  private static func span(_ seconds: Int64?) -> Duration? {
    seconds.flatMap { (1...1 << 40).contains($0) ? .seconds($0) : nil }
  }

  /// The names that clients such as myMPD have agreed on. Values are texts; an empty one counts as missing.
  private static let stickers = """
    SELECT uri, ifnull(max(CASE name WHEN 'playCount' THEN CAST(value AS INTEGER) END), 0),
      max(CASE WHEN name = 'lastPlayed' THEN CAST(value AS INTEGER) END),
      max(CASE WHEN name = 'elapsed' THEN CAST(value AS INTEGER) END), NULL, NULL, NULL, NULL
    FROM sticker WHERE type = 'song' AND name IN ('playCount', 'lastPlayed', 'elapsed')
    GROUP BY uri
    HAVING max(name = 'playCount' AND CAST(value AS INTEGER) > 0) OR max(name = 'elapsed' AND CAST(value AS INTEGER) > 0)
    ORDER BY uri
    """

  /// Selects the optional columns that the table has, in addition to the required ones.
  private func songs() throws(SQLiteError) -> String {
    let columns = try database.columns(of: "song")
    let more = ["album", "artist", "title", "duration"].map { columns.contains($0) ? $0 : "NULL" }
    return """
      SELECT uri, play_count, last_played, NULL, \(more.joined(separator: ", "))
      FROM song WHERE play_count > 0 ORDER BY uri
      """
  }
}

extension HistoryProblem {
  fileprivate init(_ error: SQLiteError) {
    switch error {
    case .unavailable(let detail): self = .noReader(detail: detail)
    case .busy: self = .busy
    case .stopped: self = .tookTooLong
    case .failed(_, let detail): self = .database(detail: detail)
    }
  }
}
