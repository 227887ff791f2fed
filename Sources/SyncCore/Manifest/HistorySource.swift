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

/// The origin of a recorded play.
package enum PlaySource: String, CaseIterable, Sendable {
  /// The `played` command.
  case played
  case scrobblerLog = "scrobbler_log"
  case listens
  case mpdStickers = "mpd_stickers"
  case mpdcron
}
