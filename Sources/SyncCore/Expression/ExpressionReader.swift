// SPDX-License-Identifier: Apache-2.0

/// Parses the text of a regular expression: groups, alternatives, quantifiers, anchors and flags. Sets and escapes are
/// in a separate file.
struct ExpressionReader {
  struct Flags {
    var ignoresCase = false
    /// `.` also matches a newline.
    var dotTakesNewlines = false
    /// `^` and `$` match at each line.
    var anchorsMatchLines = false
  }

  let text: [Character]
  var place = 0
  var flags: Flags
  private var depth = 0
  /// The nesting depth of sets.
  var nesting = 0

  private static let deepest = 100

  init(_ source: String, ignoringCase: Bool) {
    text = Array(source.composed)
    flags = Flags(ignoresCase: ignoringCase)
  }

  mutating func read() throws(ExpressionProblem) -> ExpressionNode {
    let node = try choice()
    guard place == text.count else { throw .strayParenthesis }
    return node
  }

  var next: Character? { place < text.count ? text[place] : nil }

  mutating func take(_ wanted: Character) -> Bool {
    guard next == wanted else { return false }
    place += 1
    return true
  }

  mutating func take(_ wanted: String) -> Bool {
    let end = place + wanted.count
    guard end <= text.count, text[place..<end].elementsEqual(wanted) else { return false }
    place = end
    return true
  }

  /// The text from `start` to the current position.
  func written(from start: Int) -> String { String(text[start..<place]) }

  /// Reads alternatives up to a `)` or the end. Flags set inside last until there.
  private mutating func choice() throws(ExpressionProblem) -> ExpressionNode {
    depth += 1
    guard depth <= Self.deepest else { throw .tooLarge }
    let before = flags
    defer { (flags, depth) = (before, depth - 1) }
    var ways = [try sequence()]
    while take("|") { ways.append(try sequence()) }
    return ways.count == 1 ? ways[0] : .choice(ways)
  }

  private mutating func sequence() throws(ExpressionProblem) -> ExpressionNode {
    var nodes: [ExpressionNode] = []
    while let next, next != "|", next != ")" {
      if take("\\Q") {
        nodes += try quotation()
      } else if let node = try atom() {
        nodes.append(node)
      } else {
        continue
      }
      if let last = nodes.popLast() { nodes.append(try quantified(last)) }
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  /// Reads a quotation up to `\E`.
  private mutating func quotation() throws(ExpressionProblem) -> [ExpressionNode] {
    var nodes: [ExpressionNode] = []
    while !take("\\E") {
      guard let next else { throw .openQuotation }
      place += 1
      nodes.append(literal(next))
    }
    return nodes
  }

  func literal(_ character: Character) -> ExpressionNode {
    .test(flags.ignoresCase ? .ignoringCase(character.lowered) : .exactly(character))
  }

  /// Returns nil for flags and comments, which match nothing themselves.
  private mutating func atom() throws(ExpressionProblem) -> ExpressionNode? {
    let start = place
    let character = text[place]
    place += 1
    switch character {
    case "(": return try group(start)
    case "[": return .test(.set(try set(), ignoresCase: flags.ignoresCase))
    case ".": return .test(flags.dotTakesNewlines ? .any : .anyButNewline)
    case "^": return .assertion(flags.anchorsMatchLines ? .lineBegins : .textBegins)
    case "$": return .assertion(flags.anchorsMatchLines ? .lineEnds : .textEndsButForNewline)
    case "\\": return try escape(start)
    case "*", "+", "?": throw .nothingToRepeat(String(character))
    default: return literal(character)
    }
  }

  // MARK: Groups

  private mutating func group(_ start: Int) throws(ExpressionProblem) -> ExpressionNode? {
    // Flags such as those of `(?i:…)` apply only to this group.
    let outer = flags
    if take("?") {
      if take("#") {
        while let next, next != ")" { _ = take(next) }
        guard take(")") else { throw .openGroup }
        return nil
      }
      guard try opens(start) else { return nil }
    } else if next == "*" {
      throw .unsupported(.specialGroup, "(*")
    }
    let node = try choice()
    guard take(")") else { throw .openGroup }
    flags = outer
    return node
  }

  /// Reads the part after `(?`.
  /// - Returns: False if it only sets flags for the rest of the surrounding group.
  private mutating func opens(_ start: Int) throws(ExpressionProblem) -> Bool {
    if take(":") { return true }
    if take("<=") || take("<!") || take("=") || take("!") || take("*") {
      throw .unsupported(.lookaround, written(from: start))
    }
    if take(">") { throw .unsupported(.atomicGroup, written(from: start)) }
    if take("P<") || take("<") { return try skipName(to: ">") }
    if take("'") { return try skipName(to: "'") }
    guard let next, next == "-" || (next.isASCII && next.isLowercase) else {
      if self.next != nil { place += 1 }
      throw .unsupported(.specialGroup, written(from: start))
    }
    return try setFlags(start)
  }

  private mutating func skipName(to end: Character) throws(ExpressionProblem) -> Bool {
    while let next, next != end, next != ")" { _ = take(next) }
    guard take(end) else { throw .openGroup }
    return true
  }

  private mutating func setFlags(_ start: Int) throws(ExpressionProblem) -> Bool {
    var isOn = true
    var changed = flags
    while let next {
      place += 1
      switch next {
      case "i": changed.ignoresCase = isOn
      case "s": changed.dotTakesNewlines = isOn
      case "m": changed.anchorsMatchLines = isOn
      case "-": isOn = false
      case ")":
        flags = changed
        return false
      case ":":
        flags = changed
        return true
      default: throw .unsupported(.flag, written(from: start))
      }
    }
    throw .openGroup
  }

  // MARK: Quantifiers

  private mutating func quantified(_ node: ExpressionNode) throws(ExpressionProblem) -> ExpressionNode {
    let start = place
    guard let (least, most) = try quantifier() else { return node }
    // A lazy quantifier changes which match is found first, but not which texts match.
    if !take("?"), take("+") { throw .unsupported(.possessiveQuantifier, written(from: start)) }
    if let most, most < least { throw .reversedBounds(written(from: start)) }
    let again = place
    guard try quantifier() == nil else { throw .nothingToRepeat(written(from: again)) }
    return .repeated(node, least: least, most: most)
  }

  private mutating func quantifier() throws(ExpressionProblem) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = place
    guard take("{") else { return nil }
    let least = try number()
    let hasComma = take(",")
    let most = hasComma ? try number() : least
    guard take("}"), least != nil || (hasComma && most != nil) else {
      // Not a quantifier: the brace is a literal.
      place = start
      return nil
    }
    return (least ?? 0, most)
  }

  private mutating func number() throws(ExpressionProblem) -> Int? {
    let start = place
    while let next, next.isASCII, next.isWholeNumber { _ = take(next) }
    guard place > start else { return nil }
    guard let value = Int(written(from: start)), value <= 1000 else { throw .tooLarge }
    return value
  }
}

/// The reason why a text is not a usable regular expression. Holds facts; the sentences are in the words folder.
package enum ExpressionProblem: Error, Hashable, Sendable {
  /// A syntax feature of other engines that cannot be matched in bounded time, or that no title needs.
  package enum Feature: Hashable, Sendable {
    case backreference, lookaround, atomicGroup, possessiveQuantifier, setOperation, flag, specialGroup
  }

  case openGroup
  /// A `)` without an opening parenthesis.
  case strayParenthesis
  case openSet
  case openQuotation
  case endsInBackslash
  /// A quantifier, such as `*`, with nothing to repeat before it.
  case nothingToRepeat(String)
  /// Bounds such as `{3,1}` or `[z-a]`.
  case reversedBounds(String)
  /// A range in a set with an end that is not a single character.
  case badRange(String)
  case unknownEscape(String)
  case badCharacterNumber(String)
  /// An unknown name in `\p{…}` or `[:…:]`.
  case unknownProperty(String)
  case unsupported(Feature, String)
  /// The expression has too many steps after its repetitions are expanded.
  case tooLarge
}
