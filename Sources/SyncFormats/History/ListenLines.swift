// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Plays as JSON lines, one object a line, as docs/manual/history.md shows them and as a script of a player writes
/// them.
///
///     {"path":"Commute mix/Night Drive.mp3","ended":1763690000,"duration":225,"position":224.6,"reason":"eof"}
package enum ListenLines {
  /// - Returns: the number of lines that were skipped because they hold no play.
  package static func read(
    _ pieces: TextPieces, _ body: (Listening) -> Void
  ) throws(HistoryProblem) -> Int {
    var text = try HistoryText(.listens, beginningAs: .jsonLines, pieces)
    var passedOver = 0
    while let line = try text.next() {
      var reader = JSONReader(text.bytes, in: line)
      var draft = ListenDraft()
      do throws(JSONError) {
        try draft.read(&reader)
        try reader.finish()
        guard let listening = draft.listening else {
          passedOver += 1
          continue
        }
        body(listening)
      } catch { passedOver += 1 }
    }
    return passedOver
  }
}

/// The members of one line.
private struct ListenDraft {
  private enum Key: String, CaseIterable {
    case path, id, artist, album, title, at, started, ended, duration, position, pos, seconds, reason
    static let keys = JSONKeys<Self>()
  }

  private struct Moment {
    var at: Timestamp
    var resolution = Listening.Resolution.second
  }

  private var path: String?
  private var id: String?
  private var artist: String?
  private var album: String?
  private var title: String?
  private var at: Moment?
  private var started: Moment?
  private var ended: Moment?
  private var duration: Duration?
  private var position: Duration?
  private var seconds: Duration?
  private var ending = Listening.Ending.unknown

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey(Key.keys) {
      // Null means that the player does not know the value.
      if try reader.readNullIfPresent() { continue }
      switch key {
      case .known(.path): path = try reader.readString()
      case .known(.id): id = try reader.readString()
      case .known(.artist): artist = try reader.readString()
      case .known(.album): album = try reader.readString()
      case .known(.title): title = try reader.readString()
      case .known(.at): at = try Self.moment(&reader)
      case .known(.started): started = try Self.moment(&reader)
      case .known(.ended): ended = try Self.moment(&reader)
      case .known(.duration): duration = try Self.span(&reader)
      case .known(.position), .known(.pos): position = try Self.span(&reader)
      case .known(.seconds): seconds = try Self.span(&reader)
      case .known(.reason): ending = Self.ending(try reader.readString())
      case .unknown: try reader.skipValue()
      }
    }
  }

  /// Nil without a time, or without anything that identifies what was played.
  var listening: Listening? {
    let tags = title.flatMap { TrackTags(artist: artist, album: album, title: $0) }
    guard let moment = ended ?? at ?? started, path != nil || id != nil || tags != nil else { return nil }
    return Listening(
      track: TrackReference(path: path, id: id, tags: tags), at: moment.at, resolution: moment.resolution,
      played: played,
      position: position, duration: duration.flatMap { $0 > .zero ? $0 : nil }, ending: ending)
  }

  /// The time that was played: a play that began in the middle is shorter than its position suggests.
  private var played: Duration? {
    if let seconds { return seconds }
    guard let started, let ended, ended.at >= started.at else { return position }
    let span = ended.at - started.at
    return position.map { min($0, span) } ?? span
  }

  /// Reads a time in RFC 3339, or in seconds since 1970.
  private static func moment(_ reader: inout JSONReader) throws(JSONError) -> Moment? {
    if try reader.peekKind() == .number {
      let seconds = try reader.readDouble()
      // No play can have happened beyond that time.
      guard abs(seconds) < 1e12 else { return Moment(at: Timestamp(secondsSince1970: .max)) }
      return Moment(at: Timestamp(secondsSince1970: Int64(seconds)))
    }
    let text = try reader.readString()
    if let at = Timestamp(rfc3339: text) { return Moment(at: at) }
    // A time without seconds: `2026-11-21T06:00Z`.
    let minute = text.prefix(16)
    guard minute.utf8.count == 16, let at = Timestamp(rfc3339: "\(minute):00\(text.dropFirst(16))") else { return nil }
    return Moment(at: at, resolution: .minute)
  }

  /// Reads seconds with a fraction; nil for a number that is not a valid length of time.
  private static func span(_ reader: inout JSONReader) throws(JSONError) -> Duration? {
    let seconds = try reader.readDouble()
    guard seconds >= 0, seconds < 1e9 else { return nil }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  /// Reads the reasons of mpv's `end-file`, and plain words.
  private static func ending(_ reason: String) -> Listening.Ending {
    switch reason {
    case "eof", "end", "finished", "completed": .end
    case "stop", "stopped", "quit", "error", "paused": .brokeOff
    case "skip", "skipped": .skipped
    default: .unknown
    }
  }
}
