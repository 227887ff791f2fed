// SPDX-License-Identifier: Apache-2.0

/// Collects the text of one element, up to a limit that no title or URL reaches.
struct FeedText {
  static let limit = 16 << 10

  private var bytes: [UInt8] = []

  mutating func append(_ more: Span<UInt8>) {
    for index in 0..<min(more.count, Self.limit - bytes.count) { bytes.append(more[index]) }
  }

  /// Trimmed, each run of white space one space; nil when nothing is left. Markup inside stays as it is written.
  var collapsed: String? { String(decoding: bytes, as: UTF8.self).collapsed }
}

extension String {
  /// Trimmed, each run of white space one space; nil when nothing is left.
  var collapsed: String? {
    let words = split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
