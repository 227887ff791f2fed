// SPDX-License-Identifier: Apache-2.0

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
