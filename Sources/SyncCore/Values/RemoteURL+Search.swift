// SPDX-License-Identifier: Apache-2.0

/// The place of an item that has to be searched for. Like that of a local file, text from outside never becomes one.
extension RemoteURL {
  private static let searchStart = "search:///"
  /// In Unicode scalars. Searches take no longer words, and the URL of the longest is far from `maximumLength`.
  private static let longestSearch = 400

  /// - Parameter words: The words of the search. White space and control characters become single spaces.
  package init(search words: String) throws(Problem) {
    let line = words.withoutControls
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let kept = String(String.UnicodeScalarView(line.unicodeScalars.prefix(Self.longestSearch)))
    guard !kept.isEmpty else { throw .noHost }
    let text = Self.searchStart + Self.encoded(kept.utf8)
    let start = UInt16(Self.searchStart.utf8.count - 1)
    let shape = Shape(
      scheme: .search, port: 0, host: Shape.Bounds(start: start, end: start),
      path: Shape.Bounds(start: start, end: UInt16(text.utf8.count)))
    self.init(text: text, login: nil, shape: shape)
  }

  /// Nil unless the text is one that `init(search:)` makes.
  static func storedSearch(_ text: String) throws(Problem) -> RemoteURL? {
    guard text.hasPrefix(searchStart) else { return nil }
    let words = String(decoding: decoded(text.utf8.dropFirst(searchStart.utf8.count)), as: UTF8.self)
    let url = try RemoteURL(search: words)
    guard url.text == text else { throw .illegalCharacter }
    return url
  }

  package var isSearch: Bool { shape.scheme == .search }

  /// The words of a search. Nil for a place.
  package var searched: String? {
    isSearch ? String(decoding: Self.decoded(path.utf8.dropFirst()), as: UTF8.self) : nil
  }
}
