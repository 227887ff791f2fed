// SPDX-License-Identifier: Apache-2.0

/// Checks markup before the parser sees it. It refuses input that could harm the parser: floods of attributes, which the
/// parser compares with each other. It keeps the declarations of a document to itself and puts the texts of the declared
/// entities in the places of their references, within bounds. It repairs errors at which the parser would stop although a
/// reader can go on: references that XML does not define, and control characters.
struct MarkupGuard {
  private enum State {
    case text
    /// After `<`, until the kind of markup is known.
    case opening
    case tag
    case quoted(by: UInt8)
    /// Skipped until these bytes, with the first one in the highest position.
    case until(UInt32)
    case doctype
    case doctypeQuoted(by: UInt8)
    /// Between the brackets of the document type.
    case declarations
  }

  private(set) var repairs = XMLRepairs()
  private(set) var problem: XMLProblem?
  /// The line of the next byte, from 1.
  var line = 1
  private let limits: XMLLimits
  private var declarations: EntityDeclarations
  /// The declared entities whose texts are being read, the outermost first.
  private var open: [String] = []
  /// The cost of the entities so far.
  private var expansion = 0
  private var state = State.text
  /// The bytes from `<` on, while the kind of markup is unknown.
  private var opening: [UInt8] = []
  /// The bytes from `&` on, while a reference may still end.
  private var reference: [UInt8] = []
  private var attributes = 0
  /// The last three bytes inside a comment, a CDATA section or a processing instruction.
  private var recent: UInt32 = 0

  init(limits: XMLLimits) {
    self.limits = limits
    declarations = EntityDeclarations(limits: limits)
  }

  /// Appends `bytes` to `output` in a form that the parser may see. Stops at a problem.
  mutating func pass(_ bytes: [UInt8], into output: inout [UInt8]) {
    var position = 0
    while position < bytes.count, problem == nil {
      let run = indifferentRun(bytes.span.extracting(position...))
      if run > 0 {
        output.append(contentsOf: bytes[position..<position + run])
        line += bytes[position..<position + run].count { $0 == UInt8(ascii: "\n") }
        position += run
      } else {
        pass(bytes[position], into: &output)
        position += 1
      }
    }
  }

  private mutating func pass(_ byte: UInt8, into output: inout [UInt8]) {
    defer { if byte == UInt8(ascii: "\n") { line += 1 } }
    if isForbidden(byte) {
      repairs.addEncoding(line: line)
      take(0x20, &output)
    } else {
      take(byte, &output)
    }
  }

  /// The number of leading bytes that need no attention, which is nearly all of them.
  private mutating func indifferentRun(_ bytes: Span<UInt8>) -> Int {
    guard reference.isEmpty else { return 0 }
    switch state {
    case .text: return bytes.run(until: UInt8(ascii: "<"), UInt8(ascii: "&"))
    case .quoted(let quote): return bytes.run(until: quote, UInt8(ascii: "&"))
    case .until:
      // Every end is a `>`, recognised by the two bytes before it.
      let run = bytes.run(until: UInt8(ascii: ">"), UInt8(ascii: ">"))
      for position in max(0, run - 2)..<run { recent = recent << 8 | UInt32(bytes[position]) }
      return run
    case .tag: return bytes.runInTag()
    case .opening, .doctype, .doctypeQuoted, .declarations: return 0
    }
  }

  mutating func finish(into output: inout [UInt8]) {
    if !reference.isEmpty { endBareReference(&output) }
  }

  private mutating func take(_ byte: UInt8, _ output: inout [UInt8]) {
    if !reference.isEmpty, continueReference(byte, &output) { return }
    switch state {
    case .text:
      if byte == UInt8(ascii: "&") { return reference.append(byte) }
      if byte == UInt8(ascii: "<") { (state, opening) = (.opening, [byte]) }
    case .opening: takeOpening(byte)
    case .tag: takeTag(byte)
    case .quoted(let quote):
      if byte == UInt8(ascii: "&") { return reference.append(byte) }
      if byte == quote { state = .tag }
    case .until(let end):
      recent = recent << 8 | UInt32(byte)
      let mask: UInt32 = end > 0xFFFF ? 0xFF_FFFF : 0xFFFF
      if recent & mask == end { state = .text }
    case .doctype:
      takeDoctype(byte)
      if case .declarations = state { return }
    case .doctypeQuoted(let quote): if byte == quote { state = .doctype }
    case .declarations: return takeDeclarations(byte, &output)
    }
    output.append(byte)
  }

  private mutating func takeOpening(_ byte: UInt8) {
    opening.append(byte)
    recent = 0
    switch opening.count {
    case 2 where byte == UInt8(ascii: "?"): state = .until(0x3F3E)
    case 2 where byte == UInt8(ascii: "!"): break
    case 4 where opening.elementsEqual("<!--".utf8): state = .until(0x2D_2D3E)
    case 9 where opening.elementsEqual("<![CDATA[".utf8): state = .until(0x5D_5D3E)
    case 9 where opening.elementsEqual("<!DOCTYPE".utf8): state = .doctype
    case 3...8 where ["<!--", "<![CDATA[", "<!DOCTYPE"].contains { $0.utf8.starts(with: opening) }: break
    default:
      state = .tag
      attributes = 0
      takeTag(byte)
    }
  }

  private mutating func takeTag(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: ">"): state = .text
    case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .quoted(by: byte)
    case UInt8(ascii: "="):
      attributes += 1
      if attributes > limits.attributes { problem = .tooManyAttributes(limit: limits.attributes) }
    default: break
    }
  }

  private mutating func takeDoctype(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: ">"): state = .text
    case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .doctypeQuoted(by: byte)
    case UInt8(ascii: "["): state = .declarations
    default: break
    }
  }

  /// The parser gets the ends of lines only, which it counts.
  private mutating func takeDeclarations(_ byte: UInt8, _ output: inout [UInt8]) {
    if byte == UInt8(ascii: "\n") { output.append(byte) }
    if declarations.take(byte) { state = .doctype }
    if let found = declarations.problem { problem = found.at(line: line) }
  }

  /// Returns true if `byte` was consumed as part of the reference.
  private mutating func continueReference(_ byte: UInt8, _ output: inout [UInt8]) -> Bool {
    switch byte {
    case UInt8(ascii: ";"):
      endReference(&output)
      return true
    case UInt8(ascii: "#"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      guard reference.count < (declarations.isEmpty ? 32 : EntityDeclarations.longestName + 1) else { break }
      reference.append(byte)
      return true
    // Names of entities may contain them, but those of HTML do not, and addresses often have one behind a bare `&`.
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      guard !declarations.isEmpty, reference.count <= EntityDeclarations.longestName else { break }
      reference.append(byte)
      return true
    default: break
    }
    endBareReference(&output)
    return false
  }

  private mutating func endReference(_ output: inout [UInt8]) {
    let name = String(decoding: reference.dropFirst(), as: UTF8.self)
    let meaning = Reference(name)
    if meaning != .known, let text = declarations[name] {
      reference = []
      return expand(name, text, &output)
    }
    switch meaning {
    case .known: output.append(contentsOf: "&\(name);".utf8)
    case .html(let code):
      repairs.add(reference: "&\(name);", line: line)
      output.append(contentsOf: "&#\(code);".utf8)
    case .forbiddenCharacter:
      repairs.addEncoding(line: line)
      output.append(0x20)
    case .unknown:
      repairs.add(reference: "&\(name);", line: line)
      output.append(contentsOf: "&amp;\(name);".utf8)
    }
    reference = []
  }

  /// Reads the replacement text of an entity in the place of the reference (XML 1.0 §4.4.2). Markup in it counts, except
  /// in the value of an attribute.
  private mutating func expand(_ name: String, _ text: [UInt8], _ output: inout [UInt8]) {
    expansion += text.count + XMLLimits.costOfReference
    if open.contains(name) {
      problem = .entityInItself(line: line, name: name)
    } else if open.count == limits.entityDepth {
      problem = .entitiesTooDeep(limit: limits.entityDepth)
    } else if expansion > limits.expansion {
      problem = .expansionTooLarge(limit: limits.expansion)
    }
    guard problem == nil else { return }
    open.append(name)
    let isInValue = if case .quoted = state { true } else { false }
    for byte in text where problem == nil {
      if isInValue { takeInValue(byte, &output) } else { takeInContent(byte, &output) }
    }
    if !reference.isEmpty, problem == nil { endBareReference(&output) }
    open.removeLast()
  }

  /// Quotes in the text of an entity do not end the value (XML 1.0 §4.4.5).
  private mutating func takeInValue(_ byte: UInt8, _ output: inout [UInt8]) {
    if !reference.isEmpty, continueReference(byte, &output) { return }
    switch byte {
    case UInt8(ascii: "&"): reference.append(byte)
    case UInt8(ascii: "<"), UInt8(ascii: "\""), UInt8(ascii: "'"): output.append(contentsOf: "&#\(byte);".utf8)
    case UInt8(ascii: "\n"): output.append(0x20)
    default: output.append(byte)
    }
  }

  /// The end of a line is not one of the document, whose lines the parser counts.
  private mutating func takeInContent(_ byte: UInt8, _ output: inout [UInt8]) {
    guard byte == UInt8(ascii: "\n") else { return take(byte, &output) }
    if !reference.isEmpty { endBareReference(&output) }
    if case .text = state { output.append(contentsOf: "&#10;".utf8) } else { take(0x20, &output) }
  }

  private mutating func endBareReference(_ output: inout [UInt8]) {
    repairs.add(reference: "&", line: line)
    output.append(contentsOf: "&amp;".utf8)
    output.append(contentsOf: reference.dropFirst())
    reference = []
  }
}

extension XMLProblem {
  /// The same problem in this line.
  fileprivate func at(line: Int) -> XMLProblem {
    guard case .entityInItself(_, let name) = self else { return self }
    return .entityInItself(line: line, name: name)
  }
}

/// True if XML 1.0 §2.2 does not allow the character.
private func isForbidden(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D }

extension Span<UInt8> {
  /// The number of bytes before the first that is forbidden or one of these.
  fileprivate func run(until first: UInt8, _ second: UInt8) -> Int {
    for index in indices {
      let byte = self[index]
      if byte == first || byte == second || isForbidden(byte) { return index }
    }
    return count
  }

  /// The same inside a tag.
  fileprivate func runInTag() -> Int {
    for index in indices {
      switch self[index] {
      case UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"): return index
      case let byte: if isForbidden(byte) { return index }
      }
    }
    return count
  }
}
