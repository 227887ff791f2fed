// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The log that portable players keep, `.scrobbler.log` (audioscrobbler.net, "Portable Player Logging"): header lines,
/// then a line with tabs for each track.
///
///     #AUDIOSCROBBLER/1.1
///     #TZ/UNKNOWN
///     #CLIENT/Rockbox h3xx 1.1
///     Artist	Album	Title	1	365	L	1143374412	MusicBrainz id
///
/// Real files contain lines of several players, torn lines, lines without the last tabs, and tags in the encoding of
/// the file system.
package enum ScrobblerLog {
  /// - Parameters:
  ///   - zone: the zone of a player that writes its local time, which it declares with `#TZ/UNKNOWN`.
  ///   - body: called with the tracks in the order of the file.
  /// - Returns: the number of lines that were not tracks, and whether `zone` was needed.
  package static func read(
    _ pieces: TextPieces, zone: ZoneRules, _ body: (Listening) -> Void
  ) throws(HistoryProblem) -> HistoryRemarks {
    // An empty file is not of another kind: a player starts a new log after the old one was taken.
    var text = try HistoryText(.scrobblerLog, beginningAs: .scrobblerLog, pieces)
    var remarks = HistoryRemarks()
    var isLocal = true
    while let line = try text.next() {
      if text.bytes[line.lowerBound] == UInt8(ascii: "#") {
        if let zone = headerZone(text.bytes[line]) { isLocal = zone != "UTC" }
      } else if let listening = listening(text.bytes[line], zone: isLocal ? zone : .utc) {
        if isLocal { remarks.hasLocalTimes = true }
        body(listening)
      } else {
        remarks.passedOver += 1
      }
    }
    return remarks
  }

  /// True if a text begins with the line of a track, as far as the text goes.
  static func isTrack(_ text: ArraySlice<UInt8>) -> Bool {
    listening(text.prefix { $0 != UInt8(ascii: "\n") }, zone: .utc) != nil
  }

  /// The text that follows `#TZ/`; nil in other lines.
  private static func headerZone(_ line: ArraySlice<UInt8>) -> String? {
    guard line.starts(with: Array("#TZ/".utf8)) else { return nil }
    return String(decoding: line.dropFirst(4).filter { $0 > 0x20 }, as: UTF8.self).uppercased()
  }

  private enum Column: Int { case artist, album, title, number, length, rating, time }

  /// Nil for a line that is not a track.
  private static func listening(_ line: ArraySlice<UInt8>, zone: ZoneRules) -> Listening? {
    let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 8, omittingEmptySubsequences: false)
    guard fields.count > Column.time.rawValue else { return nil }
    func text(_ column: Column) -> String { Self.text(fields[column.rawValue]) }
    guard let tags = TrackTags(artist: text(.artist), album: text(.album), title: text(.title)),
      let local = number(fields[Column.time.rawValue])
    else { return nil }
    let ending: Listening.Ending
    switch fields[Column.rating.rawValue].filter({ $0 > 0x20 }) {
    case [UInt8(ascii: "L")], [UInt8(ascii: "l")]: ending = .unknown
    case [UInt8(ascii: "S")], [UInt8(ascii: "s")]: ending = .skipped
    default: return nil
    }
    return Listening(
      track: TrackReference(tags: tags), at: Timestamp(secondsSince1970: zone.utc(ofLocal: local)),
      duration: number(fields[Column.length.rawValue]).flatMap { $0 > 0 ? .seconds($0) : nil }, ending: ending)
  }

  /// Decodes UTF-8, or else Latin-1, in which every byte is a character.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Reads a number that is small enough for every sum.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let digits = bytes.filter { $0 > 0x20 }
    guard (1...15).contains(digits.count) else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
