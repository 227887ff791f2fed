// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a regular expression that can be used. Facts; the sentences are in the words folder.
package enum ExpressionProblem: Error, Hashable, Sendable {
  /// Parts of other engines' syntax that cannot be matched in bounded time, or that no title needs.
  package enum Feature: Hashable, Sendable {
    case backreference, lookaround, atomicGroup, possessiveQuantifier, setOperation, flag, specialGroup
  }

  case openGroup
  /// A `)` that closes nothing.
  case strayParenthesis
  case openSet
  case openQuotation
  case endsInBackslash
  /// A quantifier, such as `*`, with nothing before it that could be repeated.
  case nothingToRepeat(String)
  /// `{3,1}`, or `[z-a]`.
  case reversedBounds(String)
  /// A range of a set with an end that is not a single character.
  case badRange(String)
  case unknownEscape(String)
  case badCharacterNumber(String)
  /// Of `\p{…}` or `[:…:]`.
  case unknownProperty(String)
  case unsupported(Feature, String)
  /// With its repetitions written out it would have too many steps.
  case tooLarge
}
