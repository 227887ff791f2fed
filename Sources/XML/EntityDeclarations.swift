// SPDX-License-Identifier: Apache-2.0

/// The entities that a document declares between the brackets of its document type (XML 1.0 §4.2). Those of other files
/// are known by name only and never read.
struct EntityDeclarations {
  private enum State {
    case between
    /// After `%`, until the reference to a parameter entity ends.
    case parameter([UInt8])
    /// After `<`, until the kind of markup is known.
    case opening
    case declaration
    case literal(by: UInt8)
    /// In a comment or a processing instruction, until these bytes, with the first one in the highest position.
    case until(UInt32)
  }

  private enum Entity {
    case text([UInt8])
    /// In a file of its own.
    case elsewhere
  }

  private(set) var problem: XMLProblem?
  private let limits: XMLLimits
  private var state = State.between
  /// The markup so far, from `<` on.
  private var markup: [UInt8] = []
  private var recent: UInt32 = 0
  /// The number of bytes so far, including those of parameter entities.
  private var size = 0
  private var entities: [String: Entity] = [:]
  private var parameters: [String: Entity] = [:]
  /// The parameter entities that are being read.
  private var open: [String] = []
  /// True after a reference to declarations that are not read. They may bind the names that follow (XML 1.0 §5.1).
  private var isIncomplete = false

  init(limits: XMLLimits) { self.limits = limits }

  var isEmpty: Bool { entities.isEmpty }

  /// The replacement text of an entity. Nil for an unknown one, and for one of another file.
  subscript(name: String) -> [UInt8]? {
    guard case .text(let text)? = entities[name] else { return nil }
    return text
  }

  /// Takes the next byte between the brackets.
  /// - Returns: true for the bracket at the end.
  mutating func take(_ byte: UInt8) -> Bool {
    size += 1
    if size > limits.declarations { problem = problem ?? .declarationsTooLarge(limit: limits.declarations) }
    guard problem == nil else { return false }
    switch state {
    case .between: return takeBetween(byte)
    case .parameter(let name):
      if byte == UInt8(ascii: ";") {
        state = .between
        read(parameter: String(decoding: name, as: UTF8.self))
      } else if byte <= 0x20 || name.count >= Self.longestName {
        state = .between
      } else {
        state = .parameter(name + [byte])
      }
      return false
    case .opening: takeOpening(byte)
    case .declaration:
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { state = .literal(by: byte) }
      if byte == UInt8(ascii: ">") { return endDeclaration() }
    case .literal(let quote): if byte == quote { state = .declaration }
    case .until(let end):
      recent = recent << 8 | UInt32(byte)
      if recent & (end > 0xFFFF ? 0xFF_FFFF : 0xFFFF) == end { state = .between }
      return false
    }
    markup.append(byte)
    return false
  }

  /// The length in bytes of a name that is still looked up.
  static let longestName = 128

  private mutating func takeBetween(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "]"): return open.isEmpty
    case UInt8(ascii: "%"): state = .parameter([])
    case UInt8(ascii: "<"): (state, markup) = (.opening, [byte])
    default: break
    }
    return false
  }

  private mutating func takeOpening(_ byte: UInt8) {
    recent = 0
    switch markup.count {
    case 1 where byte == UInt8(ascii: "?"): state = .until(0x3F3E)
    case 1 where byte == UInt8(ascii: "!"): break
    case 2 where byte == UInt8(ascii: "-"): break
    case 3 where byte == UInt8(ascii: "-"): state = .until(0x2D_2D3E)
    default: state = byte == UInt8(ascii: ">") ? .between : .declaration
    }
  }

  private mutating func endDeclaration() -> Bool {
    state = .between
    if !isIncomplete { declare(markup[...]) }
    return false
  }

  /// Reads `<!ENTITY name "text"`, `<!ENTITY % name "text"` and the same with the place of a file. The first declaration
  /// of a name counts. Other declarations say nothing about the text of a document.
  private mutating func declare(_ declaration: ArraySlice<UInt8>) {
    let keyword = Array("<!ENTITY".utf8)
    var rest = declaration.dropFirst(keyword.count)
    guard declaration.starts(with: keyword), let blank = rest.first, blank <= 0x20 else { return }
    rest = rest.drop { $0 <= 0x20 }
    let isParameter = rest.first == UInt8(ascii: "%")
    if isParameter { rest = rest.dropFirst().drop { $0 <= 0x20 } }
    let word = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
    let value = rest[word.endIndex...].drop { $0 <= 0x20 }
    guard !word.isEmpty, word.count <= Self.longestName, let quote = value.first else { return }
    var entity = Entity.elsewhere
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      entity = .text(Self.replacement(of: value.dropFirst().prefix { $0 != quote }))
    }
    let name = String(decoding: word, as: UTF8.self)
    if isParameter {
      parameters[name] = parameters[name] ?? entity
    } else {
      entities[name] = entities[name] ?? entity
    }
  }

  /// Reads the declarations in a parameter entity as if they were here (XML 1.0 §4.4.8).
  private mutating func read(parameter name: String) {
    guard case .text(let text)? = parameters[name] else {
      isIncomplete = true
      return
    }
    guard !open.contains(name) else {
      problem = .entityInItself(line: 0, name: name)
      return
    }
    guard open.count < limits.entityDepth else {
      problem = .entitiesTooDeep(limit: limits.entityDepth)
      return
    }
    open.append(name)
    for byte in text where problem == nil { _ = take(byte) }
    open.removeLast()
  }

  /// The text of a literal with its references to characters resolved. Other references stay (XML 1.0 §4.5).
  private static func replacement(of literal: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var rest = literal
    while let byte = rest.first {
      rest = rest.dropFirst()
      let digits = rest.prefix(12).prefix { $0 != UInt8(ascii: ";") }
      guard byte == UInt8(ascii: "&"), rest.first == UInt8(ascii: "#"), digits.endIndex < rest.endIndex,
        rest[digits.endIndex] == UInt8(ascii: ";"),
        let character = Reference.text(ofCharacter: String(decoding: digits, as: UTF8.self))
      else {
        text.append(byte)
        continue
      }
      text += character
      rest = rest[(digits.endIndex + 1)...]
    }
    return text
  }
}
