// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The log of plays, `plays.jsonl` in the state folder: one JSON object a line.
///
///     {"id":"night-drive","at":"2026-11-20T18:03:11Z","source":"scrobbler_log","total":4}
///     {"id":"night-drive","until":"2025-10-01T07:00:00Z","total":3}
///     {"counter":"mpd_stickers","place":"/var/lib/mpd/sticker.sql","uri":"a.mp3","value":5,"at":"2026-11-20T18:03:11Z"}
package enum PlayLogLines {
  package static func encode(_ lines: some Sequence<PlayLog.Line>) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = JSONWriter()
    for line in lines {
      writer.removeAll()
      writer.write(line)
      writer.endLine()
      bytes += writer.bytes
    }
    return bytes
  }

  /// The contents of a log, whatever the damage to its bytes.
  package struct Reading: Equatable, Sendable {
    package var log = PlayLog()
    /// The number of complete lines that do not belong to a log.
    package var damagedLines = 0
    /// True if the last line has no end: it was being written when the machine stopped.
    package var isTorn = false
  }

  package static func read(_ bytes: [UInt8]) -> Reading {
    var reading = Reading()
    var lines = ByteLines(bytes)
    while let range = lines.next() {
      // It counts as torn even if it could be read: the next line that is added overwrites it.
      if range.upperBound == bytes.count {
        reading.isTorn = true
        break
      }
      var cursor = QueueCursor(JSONReader(bytes, in: range))
      do throws(QueueFileProblem) {
        let line = try cursor.playLogLine()
        try cursor.finish()
        if let line { reading.log.add(line) }
      } catch { reading.damagedLines += 1 }
    }
    return reading
  }
}

private enum LogField: String, CaseIterable {
  case id, at, source, count, exact, until, total, counter, place, uri, value
  static let keys = JSONKeys<Self>()
}

extension JSONWriter {
  /// Writes a line without its end.
  mutating func write(_ line: PlayLog.Line) {
    object { writer in
      switch line {
      case .play(let id, let play, let total):
        writer.field("id", id.text)
        writer.field("at", play.at)
        writer.field("source", play.source.rawValue)
        writer.field("count", play.count == 1 ? nil : play.count)
        writer.field("exact", play.resolution == .second ? nil : "minute")
        writer.field("total", total)
      case .folded(let id, let until, let total):
        writer.field("id", id.text)
        writer.field("until", until)
        writer.field("total", total)
      case .counter(let key, let counter):
        writer.field("counter", key.source.rawValue)
        writer.field("place", key.place)
        writer.field("uri", key.uri)
        writer.field("value", counter.value)
        writer.field("at", counter.lastAt)
      }
    }
  }
}

extension QueueCursor {
  /// Nil for a kind of line, or a source, that this version does not know.
  mutating func playLogLine() throws(QueueFileProblem) -> PlayLog.Line? {
    var draft = PlayLogLineDraft()
    try object(LogField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.id): draft.id = try cursor.parsed { ItemID($0) }
      case .known(.at): draft.at = try cursor.timestamp()
      case .known(.until): draft.until = try cursor.timestamp()
      case .known(.source), .known(.counter): draft.source = PlaySource(rawValue: try cursor.string())
      case .known(.count): draft.count = try cursor.count()
      case .known(.exact): draft.resolution = try cursor.string() == "minute" ? .minute : .second
      case .known(.total): draft.total = try cursor.count()
      case .known(.place): draft.place = try cursor.string()
      case .known(.uri): draft.uri = try cursor.string()
      case .known(.value): draft.value = try cursor.count()
      case .unknown: try cursor.skip()
      }
    }
    return draft.line
  }
}

private struct PlayLogLineDraft {
  var id: ItemID?
  var at: Timestamp?
  var until: Timestamp?
  var source: PlaySource?
  var count = 1
  var resolution = Listening.Resolution.second
  var total = 0
  var place: String?
  var uri: String?
  var value: Int?

  var line: PlayLog.Line? {
    if let id, let until { return .folded(id, until: until, total: total) }
    guard let at, let source else { return nil }
    if let id { return .play(id, .init(at: at, source: source, count: count, resolution: resolution), total: total) }
    guard let place, let uri, let value else { return nil }
    return .counter(.init(source: source, place: place, uri: uri), .init(value: value, lastAt: at))
  }
}
