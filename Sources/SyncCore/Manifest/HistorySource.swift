// SPDX-License-Identifier: Apache-2.0

/// A file in which a player records what was played.
package struct HistorySource: Hashable, Sendable {
  /// The raw values are the manifest's keys.
  package enum Kind: String, CaseIterable, Sendable {
    /// The `.scrobbler.log` of portable players.
    case scrobblerLog = "scrobbler_log"
    /// JSON lines.
    case listens
    /// The Music Player Daemon's sticker database.
    case mpdStickers = "mpd_stickers"
    /// The statistics of mpdcron.
    case mpdcron
  }

  package var kind: Kind
  /// The absolute path of the file.
  package var path: String
  /// The time zone of a device that does not know its own. UTC if not set.
  package var timezone: ZoneName?
  package var mapping: PathMapping

  package init(kind: Kind, path: String, timezone: ZoneName? = nil, mapping: PathMapping = .init()) {
    self.kind = kind
    self.path = path
    self.timezone = timezone
    self.mapping = mapping
  }
}

extension HistorySource.Kind {
  /// The source under which its plays are recorded.
  package var source: PlaySource {
    switch self {
    case .scrobblerLog: .scrobblerLog
    case .listens: .listens
    case .mpdStickers: .mpdStickers
    case .mpdcron: .mpdcron
    }
  }
}

/// The name of a time zone: `Europe/Berlin`, `UTC`, or an offset such as `+02:00`.
package struct ZoneName: Hashable, Sendable {
  package let text: String

  /// Returns nil if the text is neither an offset nor a possible file name in the time zone database. Does not check
  /// that the zone exists.
  package init?(_ text: String) {
    func isLegal(_ byte: UInt8) -> Bool {
      let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
      return letters.contains(byte & 0xDF) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || "/_+-:".utf8.contains(byte)
    }
    guard text.utf8.count <= 64, text.utf8.allSatisfy(isLegal),
      text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
    else { return nil }
    self.text = text
    let isOffset = text.hasPrefix("+") || text.hasPrefix("-") || text.contains(":")
    guard !isOffset || fixedOffset != nil else { return nil }
  }

  /// Seconds east of UTC, if the name itself contains them.
  package var fixedOffset: Int64? {
    if ["UTC", "Etc/UTC", "Z", "GMT"].contains(text) { return 0 }
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
      bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
    else { return nil }
    let digits = [1, 2, 4, 5].map { Int64(bytes[$0]) - 48 }
    guard digits.allSatisfy({ (0...9).contains($0) }), digits[0] * 10 + digits[1] < 24, digits[2] < 6 else {
      return nil
    }
    let seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
    return bytes[0] == UInt8(ascii: "-") ? -seconds : seconds
  }
}

/// The origin of a recorded play, or the kind of server to which plays are pushed.
package enum PlaySource: String, CaseIterable, Sendable {
  /// The `played` command.
  case played
  case scrobblerLog = "scrobbler_log"
  case listens
  case mpdStickers = "mpd_stickers"
  case mpdcron
  /// A server with the gpodder.net API.
  case gpodder
  /// A server with the Subsonic API.
  case subsonic
  /// A server with the ListenBrainz API, from which no plays come.
  case listenbrainz
  /// The `play` command, with mpv.
  case mpv
  /// The `play` command, with MPD.
  case mpd

  package init(_ kind: MediaServer.Kind) {
    switch kind {
    case .gpodder: self = .gpodder
    case .subsonic: self = .subsonic
    case .listenbrainz: self = .listenbrainz
    }
  }

  /// True for the `play` command.
  package var isOwnPlayer: Bool { self == .mpv || self == .mpd }

  /// True for a server, and false for a file or a command.
  package var isServer: Bool {
    switch self {
    case .gpodder, .subsonic, .listenbrainz: true
    case .played, .scrobblerLog, .listens, .mpdStickers, .mpdcron, .mpv, .mpd: false
    }
  }
}

/// The translation of a player's paths into library paths.
package struct PathMapping: Hashable, Sendable {
  /// The absolute directory to which the player's relative paths refer.
  package var musicDirectory: String?
  /// The prefix of the player's paths for this library.
  package var prefix: String?

  package init(musicDirectory: String? = nil, prefix: String? = nil) {
    self.musicDirectory = musicDirectory
    self.prefix = prefix
  }

  /// True if a player's paths may begin with the text. A prefix is not empty and has no `.` or `..` component.
  package static func isPrefix(_ text: String) -> Bool {
    !text.isEmpty && !text.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }

  /// Returns the path in the library, or nil if the file is not in the library.
  /// - Parameter roots: The absolute paths of the library.
  package func libraryPath(of path: String, roots: [String]) -> String? {
    var path = path[...]
    while path.hasPrefix("./") { path = path.dropFirst(2) }
    if let prefix { return path.behind(prefix) }
    let isAbsolute = path.hasPrefix("/")
    guard isAbsolute || musicDirectory != nil else { return String(path) }
    let absolute = isAbsolute ? path : "\(musicDirectory ?? "")/\(path)"[...]
    for root in roots { if let inner = absolute.behind(root) { return inner } }
    return nil
  }
}

extension Substring {
  /// The part after a directory's path. Nil if the path is not in that directory.
  fileprivate func behind(_ directory: String) -> String? {
    // Compares bytes, because a slash before a combining mark would form one character with it.
    var base = Array(directory.utf8)
    while base.last == UInt8(ascii: "/") { base.removeLast() }
    base.append(UInt8(ascii: "/"))
    if base.count == 1, !hasPrefix("/") { return String(self) }
    guard utf8.starts(with: base) else { return nil }
    return String(decoding: utf8.dropFirst(base.count), as: UTF8.self)
  }
}
