// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension HistoryProblem {
  /// One sentence without a full stop: the history, the problem and the advice.
  package func words(path: String) -> String { "history \(path.quoted): \(reason)" }

  /// The same for a file that a command was to import and that no run knows.
  package func wordsOfImport(path: String) -> String {
    guard self == .busy else { return words(path: path) }
    return
      "history \(path.quoted): another program is writing it and does not stop; import it again when that has ended"
  }

  /// - Parameter title: Of the song that the server has under the id.
  package static func otherSongWords(_ title: String) -> String {
    "the server has another song under the id of this one, \(title.quoted)"
  }

  package static let refusedFeedsWords = "the server refuses them"

  package static let longURLWords = "its URL is too long"

  /// - Parameter server: The server that gave an answer with this status.
  package static func statusWords(_ status: Int, of server: PlaylistName) -> String {
    let key = "servers.\(server)"
    switch status {
    case 401: return "the server refused the login (401); check \(key).auth"
    case 403: return "the server answered 403 (forbidden); check \(key).auth and \(key).url"
    case 300..<400: return "the server answered \(status): it has moved; write its new address in \(key).url"
    case 404: return "the server answered 404 (not found); check \(key).url"
    default: return "the server answered \(status)"
    }
  }

  private static let headless =
    "it has lines of a .scrobbler.log, but does not begin with #AUDIOSCROBBLER/1.1 as one does"
  private static let howToHead = "Put that line in front, and the line #TZ/UTC behind it if its times are in UTC"

  /// The problem and the advice, for a server.
  package var reasonWords: String { reason }

  /// The problem and the advice.
  var reason: String {
    switch self {
    case .missing: "there is no such file; plug in the player that writes it, or check the path"
    case .unreadable(let error): error.words
    case .notAFile: "it is not a plain file"
    case .wrongKind(.scrobblerLines, .scrobblerLog): "\(Self.headless); nothing was imported from it. \(Self.howToHead)"
    case .unknownKind(.scrobblerLines): "\(Self.headless). \(Self.howToHead)"
    case .wrongKind(let found, let expected):
      "it is \(found.words), and \(expected.words) was expected; nothing was imported from it. Name another file, or another"
        + " kind of history"
    case .unknownKind(.other):
      "it is not \(HistorySource.Kind.allCases.map(\.words).joined(separator: ", ")): name another file, or say which of"
        + " them it is with --format"
    case .unknownKind(let found):
      "it is \(found.words), and none of \(HistorySource.Kind.allCases.map(\.words).joined(separator: ", ")); say which one"
        + " it should be with --format"
    case .database(let detail):
      "SQLite cannot read it (\(detail.printable)); nothing that it could not read was imported. See whether its player can"
    case .busy: "another program is writing it and does not stop; the next run tries again"
    case .tookTooLong:
      "reading the database takes too long and was given up. See whether its tables are views, or name a copy that its"
        + " player wrote"
    case .noReader(let detail): "databases cannot be read here: \(detail.printable); install libsqlite3-0"
    case .unknownZone(let name):
      "the time zone database of this machine has no \(name.quoted), so its times mean nothing; check the name, or install tzdata"
    case .needless(let flag, let kind):
      "it is \(kind.words), of which \(flag) says nothing: leave it out; nothing was imported from it"
    case .unanswered(let reason), .refused(let reason): reason
    case .notAnAnswer(let kind):
      "the answer is not one of the \(kind.apiName) API; check the address, and whether a login page answers in its place"
    case .badZone(let name): "the file of the time zone \(name.quoted) is damaged; install tzdata anew"
    }
  }
}

enum HistoryWords {
  private static let mostNames = 3

  /// The first few items of plays.
  static func names(of items: [ItemID]) -> String {
    let names = items.reduce(into: [String]()) { if !$0.contains($1.text) { $0.append($1.text) } }
    let shown = names.prefix(mostNames).map(\.printable).joined(separator: ", ")
    return shown + (names.count > mostNames ? ", …" : "")
  }

  /// The first few playlists.
  static func names(of playlists: [PlaylistName]) -> String {
    let shown = playlists.prefix(mostNames).map(\.text.printable).joined(separator: ", ")
    return shown + (playlists.count > mostNames ? ", …" : "")
  }

  /// Says that a player's local times were read as UTC and how to name the zone.
  static func zoneAssumed(_ path: String, isImport: Bool) -> String {
    let way =
      isImport ? "with --timezone, for instance Europe/Berlin" : "in the manifest, for instance timezone: Europe/Berlin"
    return
      "history \(path.quoted): its player does not say where it is (#TZ/UTC is missing), so its times were read as"
      + " UTC; say it \(way), or UTC if that is right"
  }
}

extension HistorySource.Kind {
  package var words: String {
    switch self {
    case .scrobblerLog: "a .scrobbler.log"
    case .listens: "JSON lines"
    case .mpdStickers: "a sticker database of MPD"
    case .mpdcron: "a database of mpdcron"
    }
  }
}

extension HistoryProblem.FileContent {
  var words: String {
    switch self {
    case .nothing: "empty"
    case .scrobblerLog: "a .scrobbler.log"
    case .scrobblerLines: "a .scrobbler.log without its first line"
    case .otherScrobblerLog: "a .scrobbler.log of a version that is not known"
    case .jsonLines: "JSON"
    case .database([]): "an SQLite database"
    case .database(let tables):
      "an SQLite database of something else (its tables: \(tables.prefix(5).map(\.printable).joined(separator: ", "))"
        + "\(tables.count > 5 ? ", …" : ""))"
    case .other: "none of the formats that are known"
    }
  }
}

extension HistorySummary {
  /// `3 plays counted from 12 records; 2 imported before, 1 of no item in the library`.
  package var words: String { counts.words(withoutTime: withoutTime) }

  /// The same for a history that was only inspected.
  var conditionalWords: String { counts.words(withoutTime: withoutTime, isDryRun: true) }

  /// The number of database records without a time. A text without one is a line that is skipped.
  fileprivate var withoutTime: Int { source.isDatabase ? counts.passedOver : 0 }

  /// The probable mistake if no record belongs to this library. Nil otherwise.
  var hint: String? {
    guard counts.matched == 0, counts.unmatched > 0, source.isDatabase else { return nil }
    return "none of its paths leads to an item here; say where they begin with --music-directory or --prefix"
  }
}

extension MediaServer.Kind {
  /// The name of its API.
  fileprivate var apiName: String {
    switch self {
    case .gpodder: "gpodder.net"
    case .subsonic: "Subsonic"
    case .listenbrainz: "ListenBrainz"
    }
  }
}

extension PlaySource {
  fileprivate var isDatabase: Bool { self == .mpdStickers || self == .mpdcron }
}

extension HistoryPush {
  /// `3 plays pushed; 1 waiting`. Nil if there is nothing to say.
  package var words: String? {
    let feeds = feeds.subscribed > 0 ? "subscribed to \(feeds.subscribed.counted("feed"))" : nil
    guard pushed + waiting + dropped > 0 else { return feeds }
    let rest = joinedCounts([(waiting, "waiting"), (dropped, "dropped")])
    return "\(pushed.counted(noun.rawValue)) pushed" + (rest.isEmpty ? "" : "; \(rest)")
      + (feeds.map { "; \($0)" } ?? "")
  }
}

extension PlayDrop {
  var words: String {
    switch self {
    case .refused(let problem): "refused, though other plays were accepted: \(problem.reason)"
    case .urlRefused: "the server does not take its URL"
    case .trackIsGone: "the server no longer has the song"
    case .unconfirmed: "the answer was lost, and the server does not tell whether it has the play"
    case .tooMany: "too many newer plays are waiting"
    case .leftManifest: "the manifest no longer has a history that pushes to it"
    }
  }
}

extension HistoryCounts {
  fileprivate func words(withoutTime: Int, isDryRun: Bool = false) -> String {
    let lines = passedOver - withoutTime
    let rest = joinedCounts([
      (known, "imported before"), (unheard, "played too briefly to count"), (unmatched, "of no item in the library"),
      (ambiguous, "matching several items"),
      (refused, "with an impossible time"),
      (lines, lines == 1 ? "line not understood" : "lines not understood"),
      (withoutTime, withoutTime == 1 ? "song without the time of a play" : "songs without the time of a play"),
    ])
    return "\(counted.counted("play")) \(isDryRun ? "would be counted" : "counted") from \(read.counted("record"))"
      + (rest.isEmpty ? "" : "; \(rest)")
  }
}

extension [HistorySummary] {
  /// The counts of all histories together. Nil if they had no records.
  var words: String? {
    // A server repeats its plays in each answer, so only new ones are worth a line.
    let read = filter { $0.problem == nil && (!$0.source.isServer || $0.counts.counted > 0) }
    let counts = read.reduce(HistoryCounts()) { $0 + $1.counts }
    guard counts.read + counts.passedOver > 0 else { return nil }
    return counts.words(withoutTime: read.map(\.withoutTime).reduce(0, +))
  }
}

extension HistoryCounts {
  package static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.read += b.read
    sum.matched += b.matched
    sum.counted += b.counted
    sum.known += b.known
    sum.unheard += b.unheard
    sum.unmatched += b.unmatched
    sum.ambiguous += b.ambiguous
    sum.refused += b.refused
    sum.passedOver += b.passedOver
    return sum
  }
}
