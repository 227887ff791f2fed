// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The log of plays, `plays.jsonl` in the state folder: one JSON object a line, with a check at its end.
///
///     {"id":"night-drive","at":"2026-11-20T18:03:11Z","source":"scrobbler_log","total":4,"crc":"be49e7f2"}
///     {"id":"night-drive","until":"2025-10-01T07:00:00Z","total":3,"crc":"…"}
///     {"counter":"mpd_stickers","place":"/var/lib/mpd/sticker.sql","uri":"a.mp3","value":5,"at":"…","crc":"…"}
///
/// Earlier versions wrote lines without a check. Such a line counts if it has nothing but the fields that those
/// versions wrote: a line with anything else had a check once.
package enum PlayLogLines {
  private static let beginnings = [WholeEntries.item, Array("{\"counter\":".utf8)]

  package static func encode(_ lines: some Sequence<PlayLog.Line>) -> [UInt8] {
    JSONWriter.sealedLines(lines) { writer, line in writer.write(line) }
  }

  /// The contents of a log, whatever the damage to its bytes.
  package struct Reading: Equatable, Sendable {
    package var log = PlayLog()
    /// The number of complete lines that are not as they were written.
    package var damagedLines = 0
    /// The last line, if it has no end: it was being written when the machine stopped.
    package var tornTail: [UInt8] = []
    /// The lines that are as they were written, including those of a kind that this version does not know.
    package var intact: [Range<Int>] = []

    package var isTorn: Bool { !tornTail.isEmpty }
    package var isWhole: Bool { damagedLines == 0 && !isTorn }
  }

  /// True if every line has a right check. That is found without parsing.
  package static func isProven(_ bytes: [UInt8]) -> Bool {
    var lines = ByteLines(bytes)
    while let range = lines.next() {
      guard range.upperBound < bytes.count, LineCheck.isWhole(bytes, range) else { return false }
    }
    return true
  }

  package static func read(_ bytes: [UInt8]) -> Reading {
    var reading = Reading()
    var lines = ByteLines(bytes)
    while let range = lines.next() {
      // It counts as torn even if it could be read: the next line that is added overwrites it.
      if range.upperBound == bytes.count {
        reading.tornTail = Array(bytes[range])
        break
      }
      if let line = line(bytes, range) {
        reading.take(line, range)
      } else {
        reading.damagedLines += 1
        for entry in WholeEntries.ranges(of: bytes, in: range, beginnings: beginnings) {
          if let line = line(bytes, entry) { reading.take(line, entry) }
        }
      }
    }
    return reading
  }

  /// The bytes of a log without the damaged lines of another one.
  package static func repaired(_ bytes: [UInt8], _ reading: Reading) -> [UInt8] {
    reading.intact.flatMap { bytes[$0] + [UInt8(ascii: "\n")] }
  }

  /// - Returns: nil for a line that is not as it was written. The line itself is nil if this version does not know it.
  private static func line(_ bytes: [UInt8], _ range: Range<Int>) -> PlayLog.Line?? {
    let isChecked = LineCheck.value(bytes, endingAt: range.upperBound) != nil
    guard !isChecked || LineCheck.isWhole(bytes, range) else { return nil }
    var cursor = QueueCursor(JSONReader(bytes, in: range))
    do throws(QueueFileProblem) {
      let draft = try cursor.playLogDraft()
      try cursor.finish()
      guard !isChecked else { return .some(draft.line) }
      guard !draft.hasOtherFields, let line = draft.line else { return nil }
      return .some(line)
    } catch { return nil }
  }
}

extension PlayLogLines.Reading {
  fileprivate mutating func take(_ line: PlayLog.Line?, _ range: Range<Int>) {
    intact.append(range)
    if let line { log.add(line) }
  }
}

private enum LogField: String, CaseIterable {
  case id, at, ended, source, count, exact, until, total, counter, place, uri, value
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
        writer.field("ended", play.ended)
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
  mutating func playLogLine() throws(QueueFileProblem) -> PlayLog.Line? { try playLogDraft().line }

  fileprivate mutating func playLogDraft() throws(QueueFileProblem) -> PlayLogLineDraft {
    var draft = PlayLogLineDraft()
    try object(LogField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.id): draft.id = try cursor.parsed { ItemID($0) }
      case .known(.at): draft.at = try cursor.timestamp()
      case .known(.ended):
        draft.ended = try cursor.timestamp()
        draft.hasOtherFields = true
      case .known(.until): draft.until = try cursor.timestamp()
      case .known(.source), .known(.counter): draft.source = PlaySource(rawValue: try cursor.string())
      case .known(.count): draft.count = try cursor.count()
      case .known(.exact): draft.resolution = try cursor.string() == "minute" ? .minute : .second
      case .known(.total): draft.total = try cursor.count()
      case .known(.place): draft.place = try cursor.string()
      case .known(.uri): draft.uri = try cursor.string()
      case .known(.value): draft.value = try cursor.count()
      case .unknown:
        draft.hasOtherFields = true
        try cursor.skip()
      }
    }
    return draft
  }
}

private struct PlayLogLineDraft {
  var id: ItemID?
  var at: Timestamp?
  var ended: Timestamp?
  var until: Timestamp?
  var source: PlaySource?
  var count = 1
  var resolution = Listening.Resolution.second
  var total = 0
  var place: String?
  var uri: String?
  var value: Int?
  /// True if the line has a field that is none of these.
  var hasOtherFields = false

  var line: PlayLog.Line? {
    if let id, let until { return .folded(id, until: until, total: total) }
    guard let at, let source else { return nil }
    if let id {
      let play = PlayLog.Play(at: at, source: source, count: count, resolution: resolution, ended: ended)
      return .play(id, play, total: total)
    }
    guard let place, let uri, let value else { return nil }
    return .counter(.init(source: source, place: place, uri: uri), .init(value: value, lastAt: at))
  }
}
