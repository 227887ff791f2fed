// SPDX-License-Identifier: Apache-2.0

/// A search for an item by its names, such as `ytsearch5:{artist} {title}`, as yt-dlp takes it.
package struct SearchTemplate: Hashable, Sendable {
  package enum Field: String, CaseIterable, Sendable { case artist, title, album }

  package enum Problem: Error, Hashable, Sendable {
    /// It does not begin with the name of a search, a number and a colon.
    case notASearch
    case unknownField(String)
    /// A brace has no counterpart.
    case openBrace
    /// Every item would be searched for by the same words.
    case withoutTitle
  }

  private enum Part: Hashable, Sendable {
    case words(String)
    case field(Field)
  }

  /// As in the manifest.
  package let text: String
  private let parts: [Part]

  package init(_ text: String) throws(Problem) {
    var parts: [Part] = []
    var rest = Substring(text)
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if brace > rest.startIndex { parts.append(.words(String(rest[..<brace]))) }
      let name = rest[rest.index(after: brace)...].prefix { $0 != "}" && $0 != "{" }
      guard rest[brace] == "{", name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else { throw .openBrace }
      guard let field = Field(rawValue: String(name)) else { throw .unknownField(String(name)) }
      parts.append(.field(field))
      rest = rest[rest.index(after: name.endIndex)...]
    }
    if !rest.isEmpty { parts.append(.words(String(rest))) }
    guard YtDlpQuery.isSearch(text), case .words(let first)? = parts.first, first.contains(":") else {
      throw .notASearch
    }
    guard parts.contains(.field(.title)) else { throw .withoutTitle }
    (self.text, self.parts) = (text, parts)
  }

  /// The place of an item in a search. A field that the item lacks is left out.
  package func place(of item: Item) -> RemoteURL? {
    let words = parts.map { part in
      switch part {
      case .words(let words): words
      case .field(.artist): item.artist ?? ""
      case .field(.title): item.title
      case .field(.album): item.album ?? ""
      }
    }
    do throws(RemoteURL.Problem) { return try RemoteURL(search: words.joined()) } catch { return nil }
  }
}
