// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The place that `play` has reached, `playing.json` in the state folder: one JSON object with a check at its end.
///
///     {"list":"8b1f…","round":0,"place":3,"known":14,"seen":"2026-11-20T18:03:11Z","id":"night-drive",
///     "began":"2026-11-20T18:01:02Z","player":"mpv","position":129,"played":129,"duration":225,"crc":"…"}
package enum PlayPlaceFile {
  package static func encode(_ place: PlayPlace) -> [UInt8] {
    JSONWriter.sealedLines([place]) { writer, place in
      writer.object { writer in
        writer.field("list", place.list)
        writer.field("round", place.round)
        writer.field("place", place.place)
        writer.field("known", place.known)
        writer.field("seen", place.seenAt)
        guard let playback = place.playback else { return }
        writer.field("id", playback.item.text)
        writer.field("began", playback.began)
        writer.field("player", playback.player.rawValue)
        writer.field("position", playback.position)
        writer.field("played", playback.played)
        writer.field("duration", playback.duration)
        writer.field("ending", place.ending?.rawValue)
      }
    }
  }

  /// Nil for bytes that are not as they were written.
  package static func read(_ bytes: [UInt8]) -> PlayPlace? {
    PlayListFile.sealedLine(bytes) { cursor throws(QueueFileProblem) in try cursor.playPlace() }
  }
}

/// The records of playbacks that are not counted yet, one file each in the folder `played` of the state folder.
///
///     {"id":"night-drive","began":"2026-11-20T18:01:02Z","ended":"2026-11-20T18:04:47Z","player":"mpv",
///     "counts":true,"finished":true,"crc":"…"}
package enum PlaybackNoteFile {
  package static func encode(_ note: PlaybackNote) -> [UInt8] {
    JSONWriter.sealedLines([note]) { writer, note in
      writer.object { writer in
        writer.field("id", note.item.text)
        writer.field("began", note.began)
        writer.field("ended", note.ended)
        writer.field("player", note.player.rawValue)
        writer.field("counts", note.verdict.counts)
        switch note.verdict.mark {
        case .finished: writer.field("finished", true)
        case .left(let position): writer.field("position", position)
        // A playback does not make an item new again.
        case .renewed, .none: break
        }
      }
    }
  }

  /// Nil for bytes that are not as they were written.
  package static func read(_ bytes: [UInt8]) -> PlaybackNote? {
    PlayListFile.sealedLine(bytes) { cursor throws(QueueFileProblem) in try cursor.playbackNote() }
  }
}

private enum PlayField: String, CaseIterable {
  case list, round, place, known, seen, id, began, ended, player, position, played, duration, counts, finished, ending
  static let keys = JSONKeys<Self>()
}

private struct PlayDraft {
  var list: String?
  var counters: [PlayField: Int] = [:]
  var times: [PlayField: Timestamp] = [:]
  var lengths: [PlayField: Duration] = [:]
  var flags: [PlayField: Bool] = [:]
  var id: ItemID?
  var player: PlaySource?
  var ending: Playback.Ending?
}

extension QueueCursor {
  private mutating func playDraft() throws(QueueFileProblem) -> PlayDraft {
    var draft = PlayDraft()
    try object(PlayField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      switch field {
      case .list: draft.list = try cursor.string()
      case .round, .place, .known: draft.counters[field] = try cursor.count()
      case .seen, .began, .ended: draft.times[field] = try cursor.timestamp()
      case .id: draft.id = try cursor.parsed { ItemID($0) }
      case .player: draft.player = PlaySource(rawValue: try cursor.string())
      case .ending: draft.ending = Playback.Ending(rawValue: try cursor.string())
      case .position, .played, .duration: draft.lengths[field] = try cursor.duration()
      case .counts, .finished: draft.flags[field] = try cursor.bool()
      }
    }
    return draft
  }

  fileprivate mutating func playPlace() throws(QueueFileProblem) -> PlayPlace? {
    let draft = try playDraft()
    guard let list = draft.list, let seen = draft.times[.seen] else { return nil }
    var playback: Playback?
    if let id = draft.id, let began = draft.times[.began], let player = draft.player {
      playback = Playback(
        id, began: began, player: player, position: draft.lengths[.position] ?? .zero,
        played: draft.lengths[.played] ?? .zero, duration: draft.lengths[.duration])
    }
    var place = PlayPlace(
      list: list, round: draft.counters[.round] ?? 0, place: draft.counters[.place] ?? 0,
      known: draft.counters[.known] ?? 0, playback: playback, seenAt: seen)
    place.ending = draft.ending
    return place
  }

  fileprivate mutating func playbackNote() throws(QueueFileProblem) -> PlaybackNote? {
    let draft = try playDraft()
    guard let id = draft.id, let began = draft.times[.began], let ended = draft.times[.ended], let player = draft.player
    else { return nil }
    let mark: PlayVerdict.Mark =
      if draft.flags[.finished] == true { .finished } else { draft.lengths[.position].map { .left(at: $0) } ?? .none }
    return PlaybackNote(
      item: id, began: began, ended: ended, player: player,
      verdict: PlayVerdict(counts: draft.flags[.counts] ?? false, mark: mark))
  }
}
