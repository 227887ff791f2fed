// SPDX-License-Identifier: Apache-2.0

/// A pattern for a whole text: `*` matches any characters, `?` one, `[a-z]` one in the set, `[!a-z]` one not in the
/// set, and `\` quotes the next character. A `[` without a closing bracket is a literal.
///
/// The time is bounded by the product of both lengths, because matching only ever backtracks to the last `*`.
package struct Glob: Hashable, Sendable {
  fileprivate enum Token: Hashable {
    case any, one
    case exactly(Character)
    case set([ClosedRange<Character>], isNegated: Bool)
  }

  /// The pattern as written.
  package let pattern: String
  /// True if a `[` has no closing bracket.
  package let hasOpenSet: Bool
  private let tokens: [Token]
  private let ignoresCase: Bool

  package init(_ pattern: String, ignoringCase: Bool = false) {
    self.pattern = pattern
    ignoresCase = ignoringCase
    (tokens, hasOpenSet) = Self.tokens(Array(ignoringCase ? pattern.lowercased() : pattern))
  }

  package func matches(_ text: String) -> Bool {
    let text = Array(ignoresCase ? text.lowercased() : text)
    var (token, place) = (0, 0)
    var retry: (token: Int, place: Int)?
    while place < text.count {
      if token < tokens.count, tokens[token] == .any {
        retry = (token, place)
        token += 1
      } else if token < tokens.count, tokens[token].matches(text[place]) {
        (token, place) = (token + 1, place + 1)
      } else if let last = retry {
        retry = (last.token, last.place + 1)
        (token, place) = (last.token + 1, last.place + 1)
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == .any }
  }

  private static func tokens(_ pattern: [Character]) -> ([Token], hasOpenSet: Bool) {
    var tokens: [Token] = []
    var hasOpenSet = false
    var place = 0
    while place < pattern.count {
      switch pattern[place] {
      case "*": if tokens.last != .any { tokens.append(.any) }
      case "?": tokens.append(.one)
      case "\\" where place + 1 < pattern.count:
        place += 1
        tokens.append(.exactly(pattern[place]))
      case "[":
        if let (set, end) = set(pattern, from: place + 1) {
          tokens.append(set)
          place = end
        } else {
          tokens.append(.exactly("["))
          hasOpenSet = true
        }
      default: tokens.append(.exactly(pattern[place]))
      }
      place += 1
    }
    return (tokens, hasOpenSet)
  }

  /// - Returns: The set and the position of its `]`. Nil if there is none. A leading `]` is a member of the set.
  private static func set(_ pattern: [Character], from start: Int) -> (Token, end: Int)? {
    var place = start
    let isNegated = place < pattern.count && (pattern[place] == "!" || pattern[place] == "^")
    if isNegated { place += 1 }
    var ranges: [ClosedRange<Character>] = []
    let first = place
    while place < pattern.count, pattern[place] != "]" || place == first {
      if place + 2 < pattern.count, pattern[place + 1] == "-", pattern[place + 2] != "]" {
        let (low, high) = (pattern[place], pattern[place + 2])
        if low <= high { ranges.append(low...high) }
        place += 3
      } else {
        ranges.append(pattern[place]...pattern[place])
        place += 1
      }
    }
    return place < pattern.count ? (.set(ranges, isNegated: isNegated), place) : nil
  }
}

extension Glob.Token {
  fileprivate func matches(_ character: Character) -> Bool {
    switch self {
    case .any: false
    case .one: true
    case .exactly(let wanted): wanted == character
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(character) } != isNegated
    }
  }
}
