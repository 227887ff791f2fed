// SPDX-License-Identifier: Apache-2.0

/// A name that the world gives to a recording, wherever its file is.
package enum RecordingCode: Hashable, Sendable {
  /// The id of a recording in MusicBrainz: a UUID in lower case.
  case musicBrainz(String)
  /// An International Standard Recording Code (ISO 3901): twelve upper-case letters and digits.
  case isrc(String)

  /// - Returns: Nil for a text that is not a UUID.
  package init?(musicBrainzID text: String) {
    let lower = text.lowercased()
    let groups = lower.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    guard groups.joined().allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
    self = .musicBrainz(lower)
  }

  /// Hyphens, which people write between the parts, do not count.
  /// - Returns: Nil for a text that is not an ISRC.
  package init?(isrc text: String) {
    let code = text.uppercased().filter { $0 != "-" }
    let units = Array(code.utf8)
    guard units.count == 12, units[..<2].allSatisfy(Self.isLetter), units[5...].allSatisfy(Self.isDigit),
      units[2..<5].allSatisfy({ Self.isLetter($0) || Self.isDigit($0) })
    else { return nil }
    self = .isrc(code)
  }

  /// Reads the identifier of a list: the address of a recording at MusicBrainz, or an ISRC as a URN or with that prefix.
  package init?(identifier text: String) {
    let lower = text.lowercased()
    for prefix in ["urn:isrc:", "isrc:"] where lower.hasPrefix(prefix) {
      self.init(isrc: String(text.dropFirst(prefix.count)))
      return
    }
    for prefix in Self.recordingPrefixes where lower.hasPrefix(prefix) {
      self.init(musicBrainzID: String(lower.dropFirst(prefix.count).prefix { $0 != "." && $0 != "/" && $0 != "?" }))
      return
    }
    return nil
  }

  /// `track` is the older name of a recording.
  private static let recordingPrefixes = ["https://", "http://"].flatMap { scheme in
    ["", "www."].flatMap { ["\(scheme)\($0)musicbrainz.org/recording/", "\(scheme)\($0)musicbrainz.org/track/"] }
  }

  /// Reads `text`.
  package init?(_ text: some StringProtocol) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let value = String(text[text.utf8.index(after: colon)...])
    switch text[..<colon] {
    case "musicbrainz": self.init(musicBrainzID: value)
    case "isrc": self.init(isrc: value)
    default: return nil
    }
  }

  /// `musicbrainz:UUID` or `isrc:CODE`.
  package var text: String {
    switch self {
    case .musicBrainz(let id): "musicbrainz:\(id)"
    case .isrc(let code): "isrc:\(code)"
    }
  }

  private static func isLetter(_ unit: UInt8) -> Bool { (0x41...0x5A).contains(unit) }
  private static func isDigit(_ unit: UInt8) -> Bool { (0x30...0x39).contains(unit) }
}

extension [RecordingCode] {
  /// The largest number of codes of one item. Of more, the first count.
  package static let most = 8

  /// Adds a code, unless it is there or there are `most`.
  package mutating func add(_ code: RecordingCode?) {
    if let code, count < Self.most, !contains(code) { append(code) }
  }

  /// The texts with spaces between them. Nil for no code.
  package var joined: String? { isEmpty ? nil : map(\.text).joined(separator: " ") }

  /// Reads `joined`. Anything that is not a code is left out.
  package init(joined text: String) {
    self = text.split(separator: " ").compactMap { RecordingCode($0) }
  }
}
