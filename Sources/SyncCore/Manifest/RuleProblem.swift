// SPDX-License-Identifier: Apache-2.0

/// Values that are well-formed, but do not go together.
package enum RuleProblem: Hashable, Sendable {
  case targetAboveTrigger
  case initialBackoffAboveMax
  case confidentAboveTolerance
  /// The state directory would be the library itself.
  case stateIsLibrary
  /// The report would lie among what the job remembers.
  case reportInState
  /// Not exactly one of the keys that say where a playlist's items come from.
  case sources(playlist: String, found: [String])
  /// A choice among items that were all written down.
  case selectWithoutFeed
  case minAboveMax
  /// A percentage of a budget that is not declared.
  case shareOfNothing(playlist: String)
  /// A playlist's share is larger than the whole.
  case shareAboveBudget(playlist: String, share: ByteCount, budget: ByteCount)
  /// All shares together are larger than the whole.
  case sharesAboveBudget(sum: ByteCount, budget: ByteCount)
  /// Not exactly one of `url` and `urls`.
  case urls(found: [String])
  /// One playlist names an id twice.
  case duplicateItem(id: String, firstLine: Int, isDerived: Bool)
  /// Two playlists name an id, but not the same file.
  case conflictingItem(id: String, playlist: String, firstLine: Int)
  /// Half of a login: the key that is there, and the one that is missing.
  case halfLogin(has: String, lacks: String)
  /// More than one key that says the same secret, or a user with a token.
  case severalLogins(found: [String])
  /// Not exactly one of the keys that say where a history is.
  case histories(found: [String])
  /// A key that says nothing about histories of that kind.
  case notOfHistory(key: String, kind: String)
  /// `music_directory` and `prefix` say the same in two ways.
  case twoMappings
  /// Two histories are the same file.
  case duplicateHistory(path: String, firstLine: Int)
  /// Keep rules of a playlist that nothing would be removed or evicted from anyway.
  case keepRulesAlone(playlist: String)
  /// No playlist at all: there is nothing to keep.
  case nothingDeclared
}
