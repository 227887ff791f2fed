// SPDX-License-Identifier: Apache-2.0

// MARK: Escapes

extension ExpressionReader {
  /// The meaning of a backslash escape for one character.
  private enum Meaning {
    case character(Character)
    case ofClass(ExpressionClass, isNegated: Bool)
  }

  /// Reads an escape after the backslash, outside a set.
  mutating func escape(_ start: Int) throws(ExpressionProblem) -> ExpressionNode {
    guard let next else { throw .endsInBackslash }
    switch next {
    case "A", "z", "Z", "b", "B":
      place += 1
      return .assertion(Self.anchors[next] ?? .textBegins)
    case "N", "X", "R":
      place += 1
      let newline = ExpressionSet(members: [.ofClass(.newline, isNegated: false)])
      return .test(next == "N" ? .anyButNewline : next == "X" ? .any : .set(newline, ignoresCase: false))
    case "1"..."9", "k", "g":
      place += 1
      throw .unsupported(.backreference, written(from: start))
    default: break
    }
    switch try meaning(start) {
    case .character(let character): return literal(character)
    case .ofClass(let characterClass, let isNegated):
      return .test(.set(ExpressionSet(members: [.ofClass(characterClass, isNegated: isNegated)]), ignoresCase: false))
    }
  }

  private static let anchors: [Character: ExpressionAssertion] = [
    "A": .textBegins, "z": .textEnds, "Z": .textEndsButForNewline, "b": .wordBoundary(isNegated: false),
    "B": .wordBoundary(isNegated: true),
  ]

  private static let classes: [Character: ExpressionClass] = [
    "d": .digit, "w": .word, "s": .space, "h": .horizontalSpace, "v": .newline,
  ]

  private static let controls: [Character: Character] = [
    "t": "\t", "n": "\n", "r": "\r", "f": "\u{C}", "e": "\u{1B}", "a": "\u{7}", "0": "\0",
  ]

  /// Reads an escape after the backslash, inside or outside a set.
  private mutating func meaning(_ start: Int) throws(ExpressionProblem) -> Meaning {
    guard let next else { throw .endsInBackslash }
    place += 1
    if let known = Self.classes[next.lowered] { return .ofClass(known, isNegated: next.isUppercase) }
    if let control = Self.controls[next] { return .character(control) }
    switch next {
    case "p", "P": return .ofClass(try property(start), isNegated: next == "P")
    case "x": return .character(try character(digits: 2, start))
    case "u": return .character(try character(digits: 4, start))
    case "U": return .character(try character(digits: 8, start))
    default:
      guard !next.isASCII || !(next.isLetter || next.isNumber) else { throw .unknownEscape(written(from: start)) }
      return .character(next)
    }
  }

  /// Reads `{1F600}`, or exactly `digits` digits.
  private mutating func character(digits: Int, _ start: Int) throws(ExpressionProblem) -> Character {
    let isBraced = take("{")
    let first = place
    while let next, next.isASCII, next.isHexDigit, isBraced || place - first < digits { _ = take(next) }
    let text = written(from: first)
    guard isBraced ? take("}") : text.count == digits, let value = UInt32(text, radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw .badCharacterNumber(written(from: start)) }
    return Character(scalar)
  }

  /// Reads `{Lu}`, or one letter.
  private mutating func property(_ start: Int) throws(ExpressionProblem) -> ExpressionClass {
    let isBraced = take("{")
    let first = place
    while let next, isBraced ? next != "}" : place == first { _ = take(next) }
    let name = written(from: first)
    if isBraced, !take("}") { throw .unknownProperty(name) }
    guard let found = ExpressionClass(named: name) else { throw .unknownProperty(name) }
    return found
  }
}

// MARK: Sets

extension ExpressionReader {
  /// Reads a set after the `[`.
  mutating func set() throws(ExpressionProblem) -> ExpressionSet {
    var set = ExpressionSet()
    set.isNegated = take("^")
    // A leading bracket is a member of the set.
    if take("]") { set.members.append(.character("]")) }
    while !take("]") {
      guard next != nil else { throw .openSet }
      for operation in ["&&", "--", "~~"] where take(operation) { throw .unsupported(.setOperation, operation) }
      set.members.append(try member())
    }
    return set
  }

  private mutating func member() throws(ExpressionProblem) -> ExpressionSet.Member {
    let start = place
    if take("[:") { return try namedClass() }
    if take("[") { return try nested() }
    let first = try single()
    guard next == "-", place + 1 < text.count, text[place + 1] != "]", text[place + 1] != "-" else { return first }
    place += 1
    let last = try single()
    guard case .character(let low) = first, case .character(let high) = last, let from = low.onlyScalar?.value,
      let to = high.onlyScalar?.value
    else { throw .badRange(written(from: start)) }
    guard from <= to else { throw .reversedBounds(written(from: start)) }
    return .range(from...to)
  }

  private mutating func nested() throws(ExpressionProblem) -> ExpressionSet.Member {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting < 100 else { throw .tooLarge }
    return .nested(try set())
  }

  /// Reads a named class after `[:`.
  private mutating func namedClass() throws(ExpressionProblem) -> ExpressionSet.Member {
    let isNegated = take("^")
    let first = place
    while let next, next != ":", next != "]" { _ = take(next) }
    let name = written(from: first)
    guard take(":]") else { throw .openSet }
    guard let found = ExpressionClass(named: name) else { throw .unknownProperty(name) }
    return .ofClass(found, isNegated: isNegated)
  }

  private mutating func single() throws(ExpressionProblem) -> ExpressionSet.Member {
    let start = place
    guard let next else { throw .openSet }
    place += 1
    guard next == "\\" else { return .character(next) }
    if take("b") { return .character("\u{8}") }
    switch try meaning(start) {
    case .character(let character): return .character(character)
    case .ofClass(let found, let isNegated): return .ofClass(found, isNegated: isNegated)
    }
  }
}
