// SPDX-License-Identifier: Apache-2.0

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
