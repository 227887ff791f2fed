// SPDX-License-Identifier: Apache-2.0

/// The place of an item's file in the library: text with fields in braces and `/` between folders.
package struct LayoutTemplate: Hashable, Sendable {
  package enum Field: Hashable, Sendable {
    case playlist, title, artist, album, id, ext
    /// The position in the first playlist that names the item, with leading zeros up to `width`.
    case position(width: Int)
    /// A date in the strftime letters `%Y %y %m %d %j %F %H %M %S`. `%%` is a percent sign.
    case published(format: String)
    /// Fixed text, used if all fields before it are empty.
    case literal(String)
  }

  package enum Part: Hashable, Sendable {
    case text(String)
    case field(Field)
    /// The first field that is not empty.
    case anyOf([Field])
  }

  /// An error in a template and its place.
  package struct Problem: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case unclosedBrace
      case strayBrace
      case unknownField(String)
      case badFormat(String)
      /// The path is absolute or has an empty, `.` or `..` component.
      case leavesLibrary
      /// Nothing in the last component distinguishes one item from another.
      case namesNoItem
      /// The template has more nested folders than `maximumFolders`.
      case tooManyFolders
    }

    package var kind: Kind
    /// The position in the text, in characters from 1. Nil if the whole text is meant.
    package var place: Int?

    package init(_ kind: Kind, at place: Int? = nil) {
      self.kind = kind
      self.place = place
    }
  }

  /// The largest number of nested folders in a layout. No library is that deep, and the length of a path is limited.
  package static let maximumFolders = 32

  /// The text as written.
  package let text: String
  package let parts: [Part]
  /// The parts of each component. None of their texts contains a `/`.
  let components: [[Part]]

  package static let item = LayoutTemplate(
    text: "{playlist}/{title}.{ext}",
    parts: [.field(.playlist), .text("/"), .field(.title), .text("."), .field(.ext)])
  package static let episode = LayoutTemplate(
    text: "{playlist}/{published:%Y-%m-%d} {title}.{ext}",
    parts: [
      .field(.playlist), .text("/"), .field(.published(format: "%Y-%m-%d")), .text(" "), .field(.title),
      .text("."), .field(.ext),
    ])

  /// The field names, for suggestions.
  package static let fieldNames = ["playlist", "title", "artist", "album", "id", "ext", "position", "published"]

  private init(text: String, parts: [Part]) {
    self.text = text
    self.parts = parts
    components = Self.components(of: parts)
  }

  package init(_ text: String) throws(Problem) {
    var reader = LayoutTemplateReader(text)
    self.init(text: text, parts: try reader.parts())
    try checkPlace()
  }

  private static func components(of parts: [Part]) -> [[Part]] {
    var components: [[Part]] = [[]]
    for part in parts {
      guard case .text(let text) = part else {
        components[components.count - 1].append(part)
        continue
      }
      for (number, piece) in text.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
        if number > 0 { components.append([]) }
        if !piece.isEmpty { components[components.count - 1].append(.text(String(piece))) }
      }
    }
    return components
  }

  private func checkPlace() throws(Problem) {
    // A field never yields a "/" or a dot component, so a placeholder reveals every literal one.
    let sample = parts.map { part in
      switch part {
      case .text(let text): text
      case .field, .anyOf: "x"
      }
    }.joined()
    guard LibraryPath(sample) != nil, !sample.hasControlCharacters else { throw Problem(.leavesLibrary) }
    guard components[components.count - 1].contains(where: \.namesItem) else { throw Problem(.namesNoItem) }
    guard components.count <= Self.maximumFolders + 1 else { throw Problem(.tooManyFolders) }
  }
}

extension LayoutTemplate.Part {
  /// True if every field that may be used distinguishes one item from another.
  fileprivate var namesItem: Bool {
    switch self {
    case .text: false
    case .field(let field): field.namesItem
    case .anyOf(let fields): fields.allSatisfy(\.namesItem)
    }
  }
}

extension LayoutTemplate.Field {
  fileprivate var namesItem: Bool {
    switch self {
    case .title, .id, .position: true
    case .playlist, .artist, .album, .ext, .published, .literal: false
    }
  }
}

/// Parses the text of a template.
struct LayoutTemplateReader {
  private let text: [Character]
  private var position = 0

  init(_ text: String) { self.text = Array(text) }

  mutating func parts() throws(LayoutTemplate.Problem) -> [LayoutTemplate.Part] {
    var parts: [LayoutTemplate.Part] = []
    while position < text.count {
      let literal = text[position...].prefix { $0 != "{" && $0 != "}" }
      if !literal.isEmpty { parts.append(.text(String(literal))) }
      position += literal.count
      guard position < text.count else { break }
      guard text[position] == "{" else { throw problem(.strayBrace) }
      parts.append(try braces())
    }
    return parts
  }

  /// Reads `{a}` or `{a|b|'text'}`.
  private mutating func braces() throws(LayoutTemplate.Problem) -> LayoutTemplate.Part {
    guard let end = text[position...].firstIndex(of: "}") else { throw problem(.unclosedBrace) }
    var fields: [LayoutTemplate.Field] = []
    repeat {
      position += 1
      let name = text[position..<end].prefix { $0 != "|" }
      fields.append(try field(String(name)))
      position += name.count
    } while position < end
    position = end + 1
    return fields.count == 1 ? .field(fields[0]) : .anyOf(fields)
  }

  private func field(_ text: String) throws(LayoutTemplate.Problem) -> LayoutTemplate.Field {
    if let literal = literal(text) { return .literal(literal) }
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
      guard let width = Int(width), (1...9).contains(width) else { throw problem(.badFormat(text)) }
      return .position(width: width)
    case ("published", nil): return .published(format: "%Y-%m-%d")
    case ("published", let format?):
      guard CivilTime.accepts(format: format) else { throw problem(.badFormat(text)) }
      return .published(format: String(format))
    default:
      if LayoutTemplate.fieldNames.contains(String(name)) { throw problem(.badFormat(text)) }
      throw problem(.unknownField(String(name)))
    }
  }

  /// Reads `'text'`, which must not be empty and must contain no `/`.
  private func literal(_ text: String) -> String? {
    guard text.count > 2, text.first == "'", text.last == "'" else { return nil }
    let inner = text.dropFirst().dropLast()
    return inner.contains { "/'".contains($0) } || String(inner).hasControlCharacters ? nil : String(inner)
  }

  private func problem(_ kind: LayoutTemplate.Problem.Kind) -> LayoutTemplate.Problem {
    LayoutTemplate.Problem(kind, at: position + 1)
  }
}
