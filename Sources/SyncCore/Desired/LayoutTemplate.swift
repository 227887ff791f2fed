// SPDX-License-Identifier: Apache-2.0

/// Where an item's file lies in the library: text with fields in braces, `/` between folders.
package struct LayoutTemplate: Hashable, Sendable {
  package enum Field: Hashable, Sendable {
    case playlist, title, artist, album, id, ext
    /// The place in the first playlist that names the item, with leading zeros up to `width`.
    case position(width: Int)
    /// A date in the `%Y %m %d %H %M %S` letters of strftime; `%%` is a percent sign.
    case published(format: String)
  }

  package enum Part: Hashable, Sendable {
    case text(String)
    case field(Field)
  }

  package enum Problem: Error, Hashable, Sendable {
    case unclosedBrace
    case strayBrace
    case unknownField(String)
    case badFormat(String)
    /// Absolute, or with an empty, `.` or `..` component.
    case leavesLibrary
    /// Nothing in the last component tells one item from another.
    case namesNoItem
  }

  /// As written.
  package let text: String
  package let parts: [Part]

  package static let item = LayoutTemplate(
    text: "{playlist}/{title}.{ext}",
    parts: [.field(.playlist), .text("/"), .field(.title), .text("."), .field(.ext)])
  package static let episode = LayoutTemplate(
    text: "{playlist}/{published:%Y-%m-%d} {title}.{ext}",
    parts: [
      .field(.playlist), .text("/"), .field(.published(format: "%Y-%m-%d")), .text(" "), .field(.title),
      .text("."), .field(.ext),
    ])

  /// The names of the fields, for suggestions.
  package static let fieldNames = ["playlist", "title", "artist", "album", "id", "ext", "position", "published"]

  private init(text: String, parts: [Part]) {
    self.text = text
    self.parts = parts
  }

  package init(_ text: String) throws(Problem) {
    var parts: [Part] = []
    var rest = text[...]
    while !rest.isEmpty {
      let literal = rest.prefix { $0 != "{" && $0 != "}" }
      if !literal.isEmpty { parts.append(.text(String(literal))) }
      rest = rest[literal.endIndex...]
      guard let brace = rest.first else { break }
      guard brace == "{" else { throw .strayBrace }
      guard let end = rest.firstIndex(of: "}") else { throw .unclosedBrace }
      parts.append(.field(try Self.field(rest[rest.index(after: rest.startIndex)..<end])))
      rest = rest[rest.index(after: end)...]
    }
    self.init(text: text, parts: parts)
    try checkPlace()
  }

  private static func field(_ text: Substring) throws(Problem) -> Field {
    let name = text.prefix { $0 != ":" }
    let format = name.endIndex == text.endIndex ? nil : text[text.index(after: name.endIndex)...]
    switch (name, format) {
    case ("playlist", nil): return .playlist
    case ("title", nil): return .title
    case ("artist", nil): return .artist
    case ("album", nil): return .album
    case ("id", nil): return .id
    case ("ext", nil): return .ext
    case ("position", nil): return .position(width: 1)
    case ("position", let width?):
      guard let width = Int(width), (1...9).contains(width) else { throw .badFormat(String(text)) }
      return .position(width: width)
    case ("published", nil): return .published(format: "%Y-%m-%d")
    case ("published", let format?):
      guard CivilTime.accepts(format: format) else { throw .badFormat(String(text)) }
      return .published(format: String(format))
    default:
      if fieldNames.contains(String(name)) { throw .badFormat(String(text)) }
      throw .unknownField(String(name))
    }
  }

  private func checkPlace() throws(Problem) {
    // A field never yields a "/" or a dot component, so a stand-in shows every literal one.
    let sample = parts.map { part in
      switch part {
      case .text(let text): text
      case .field: "x"
      }
    }.joined()
    guard LibraryPath(sample) != nil, !sample.hasControlCharacters else { throw .leavesLibrary }
    let last = parts.lastIndex { if case .text(let text) = $0 { text.contains("/") } else { false } } ?? 0
    let namesItem = parts[last...].contains { part in
      switch part {
      case .field(.title), .field(.id), .field(.position): true
      default: false
      }
    }
    guard namesItem else { throw .namesNoItem }
  }
}
