// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The outbox of plays, `outbox.jsonl` in the state folder: one JSON object a line, with a check at its end.
///
///     {"server":"pods","since":"2026-11-20T18:00:00Z","seen":"2026-11-21T18:00:00Z","crc":"…"}
///     {"server":"pods","id":"news:1","at":"2026-11-20T18:03:11Z","state":"waiting",
///     "podcast":"https://feeds.example.org/news.rss","episode":"https://media.example.org/1.mp3","duration":225,"crc":"…"}
///     {"server":"pods","id":"news:1","at":"2026-11-20T17:00:00Z","action":"download","state":"pushed","crc":"…"}
///     {"server":"pods","feed":"https://feeds.example.org/news.rss","state":"pushed","crc":"…"}
///     {"server":"pods","sent":"https://media.example.org/a b.mp3","kept":"https://media.example.org/a%20b.mp3","crc":"…"}
///     {"server":"home","id":"gym:7","at":"2026-11-20T18:03:11Z","state":"waiting","song":"tr_7","crc":"…"}
///     {"server":"home","id":"gym:7","at":"2026-11-20T18:03:11Z","state":"sent","count":3,"crc":"…"}
///     {"server":"lb","id":"gym:7","at":"2026-11-20T18:03:11Z","state":"waiting","artist":"The Example","title":"Night Drive","crc":"…"}
package enum OutboxLines {
  /// The lines, each with its end.
  package static func encode(_ lines: some Sequence<Outbox.Line>) -> [UInt8] {
    JSONWriter.sealedLines(lines) { writer, line in
      writer.object { writer in
        switch line {
        case .message(let message, let state, let track, let count):
          writer.field("server", message.server.text)
          writer.field("id", message.item.text)
          writer.field("at", message.at)
          if message.kind != .play { writer.field("action", message.kind.rawValue) }
          writer.field("state", state.rawValue)
          track?.write(&writer)
          writer.field("count", count)
        case .server(let name, let mark):
          writer.field("server", name.text)
          writer.field("since", mark.since)
          writer.field("seen", mark.seen)
          writer.field("device", mark.device)
        case .subscription(let name, let feed, let state):
          writer.field("server", name.text)
          writer.field("feed", feed)
          writer.field("state", state.rawValue)
        case .renamed(let name, let sent, let kept):
          writer.field("server", name.text)
          writer.field("sent", sent)
          writer.field("kept", kept)
        }
      }
    }
  }

  /// The contents of an outbox, whatever the damage to its bytes.
  package struct Reading: Equatable, Sendable {
    package var outbox = Outbox()
    /// True if a line is not as it was written, so a push may be missing from it.
    package var isDamaged = false
  }

  /// A last line without an end was being written when the machine stopped. It says nothing, and is no damage.
  package static func read(_ bytes: [UInt8]) -> Reading {
    var reading = Reading()
    var lines = ByteLines(bytes)
    while let range = lines.next() {
      guard range.upperBound < bytes.count else { break }
      guard LineCheck.isWhole(bytes, range) else {
        reading.isDamaged = true
        continue
      }
      if let line = line(bytes, range) { reading.outbox.add(line) }
    }
    return reading
  }

  /// Nil for a line of a kind that this version does not know.
  private static func line(_ bytes: [UInt8], _ range: Range<Int>) -> Outbox.Line? {
    var cursor = QueueCursor(JSONReader(bytes, in: range))
    do throws(QueueFileProblem) {
      let line = try cursor.outboxLine()
      try cursor.finish()
      return line
    } catch { return nil }
  }
}

private enum OutboxField: String, CaseIterable {
  case server, id, at, action, state, podcast, episode, song, artist, album, title, duration, position, count
  case since, seen, device, feed, sent, kept
  static let keys = JSONKeys<Self>()
}

extension ServerTrack {
  fileprivate func write(_ writer: inout JSONWriter) {
    switch self {
    case .episode(let episode):
      writer.field("podcast", episode.podcast)
      writer.field("episode", episode.episode)
      writer.field("duration", episode.duration)
      writer.field("position", episode.position)
    case .song(let id): writer.field("song", id)
    case .recording(let tags, let duration):
      writer.field("artist", tags.artist)
      writer.field("album", tags.album)
      writer.field("title", tags.title)
      writer.field("duration", duration)
    }
  }
}

/// The fields of a line that name a track.
private struct TrackFields {
  var podcast: String?
  var episode: String?
  var song: String?
  var artist: String?
  var album: String?
  var title: String?
  var duration: Duration?
  var position: Duration?

  /// Nil if the fields name none.
  var track: ServerTrack? {
    if let podcast, let episode {
      return .episode(KnownEpisode(podcast: podcast, episode: episode, duration: duration, position: position))
    }
    if let song { return .song(id: song) }
    guard let artist, let title, let tags = TrackTags(artist: artist, album: album, title: title) else { return nil }
    return .recording(tags, duration: duration)
  }
}

extension QueueCursor {
  fileprivate mutating func outboxLine() throws(QueueFileProblem) -> Outbox.Line? {
    var server: PlaylistName?
    var id: ItemID?
    var (at, since, seen): (Timestamp?, Timestamp?, Timestamp?)
    var (device, feed, sent, kept): (String?, String?, String?, String?)
    var (state, feedState): (Outbox.State?, Outbox.SubscriptionState?)
    var kind: PushedAction? = .play
    var track = TrackFields()
    var count: Int?
    try object(OutboxField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.server): server = try cursor.parsed { PlaylistName($0) }
      case .known(.id): id = try cursor.parsed { ItemID($0) }
      case .known(.at): at = try cursor.timestamp()
      // This version must not send a message whose state it does not know.
      case .known(.state):
        let text = try cursor.string()
        (state, feedState) = (Outbox.State(rawValue: text) ?? .dropped, .init(rawValue: text) ?? .dropped)
      // Nil for an action that this version does not know.
      case .known(.action): kind = PushedAction(rawValue: try cursor.string())
      case .known(.podcast): track.podcast = try cursor.string()
      case .known(.episode): track.episode = try cursor.string()
      case .known(.song): track.song = try cursor.string()
      case .known(.artist): track.artist = try cursor.string()
      case .known(.album): track.album = try cursor.string()
      case .known(.title): track.title = try cursor.string()
      case .known(.duration): track.duration = try cursor.duration()
      case .known(.position): track.position = try cursor.duration()
      case .known(.count): count = try cursor.count()
      case .known(.since): since = try cursor.timestamp()
      case .known(.seen): seen = try cursor.timestamp()
      case .known(.device): device = try cursor.string()
      case .known(.feed): feed = try cursor.string()
      case .known(.sent): sent = try cursor.string()
      case .known(.kept): kept = try cursor.string()
      case .unknown: try cursor.skip()
      }
    }
    guard let server, let kind else { return nil }
    if let id, let at, let state {
      return .message(Outbox.Message(server: server, item: id, at: at, kind), state, track: track.track, count: count)
    }
    if let feed { return feedState.map { .subscription(server: server, feed: feed, $0) } }
    if let sent, let kept { return .renamed(server: server, sent: sent, kept: kept) }
    return id == nil ? .server(server, Outbox.Mark(since: since, seen: seen, device: device)) : nil
  }
}
