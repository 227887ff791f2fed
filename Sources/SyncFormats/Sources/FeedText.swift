// SPDX-License-Identifier: Apache-2.0

/// Collects the text of one element, up to a limit that no title or URL reaches.
struct FeedText {
  static let limit = 16 << 10

  /// The limit in bytes for a text that is shown.
  static let shownLimit = 1 << 10

  private var bytes: [UInt8] = []

  mutating func append(_ more: Span<UInt8>) {
    for index in 0..<min(more.count, Self.limit - bytes.count) { bytes.append(more[index]) }
  }

  /// Ends a word, as the tag of a paragraph does.
  mutating func appendBreak() { if bytes.count < Self.limit { bytes.append(0x20) } }

  /// The text for people: without markup, one line of at most `shownLimit` bytes; nil when nothing is left.
  var shown: String? { Self.cut(String(decoding: bytes, as: UTF8.self).withoutMarkup.collapsed) }

  /// The same for a format whose texts have no markup.
  var plain: String? { Self.cut(collapsed) }

  private static func cut(_ text: String?) -> String? {
    guard let text, text.utf8.count > shownLimit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: shownLimit)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<end]).collapsed
  }

  /// The text trimmed, with each run of white space as one space; nil when nothing is left. Markup inside stays as it
  /// is written.
  var collapsed: String? {
    let text = String(decoding: bytes, as: UTF8.self)
    return isCollapsed ? text : text.collapsed
  }

  /// True for ASCII whose only white space is single spaces between words, as in most fields.
  private var isCollapsed: Bool {
    var last: UInt8 = 0x20
    for byte in bytes {
      guard byte >= 0x20, byte < 0x80, byte != 0x20 || last != 0x20 else { return false }
      last = byte
    }
    return last != 0x20
  }
}

extension String {
  /// The text trimmed, with each run of white space as one space; nil when nothing is left.
  var collapsed: String? {
    var kept = UnicodeScalarView()
    var isGap = false
    for scalar in unicodeScalars {
      if scalar.isASCII ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace {
        isGap = true
        continue
      }
      if isGap, !kept.isEmpty { kept.append(" ") }
      isGap = false
      kept.append(scalar)
    }
    return kept.isEmpty ? nil : String(kept)
  }
}
