// SPDX-License-Identifier: Apache-2.0

/// Values that are well-formed but contradict each other.
package enum RuleProblem: Hashable, Sendable {
  case targetAboveTrigger
  case initialBackoffAboveMax
  case confidentAboveTolerance
  /// The state directory is the library itself.
  case stateIsLibrary
  /// The report is inside the state directory.
  case reportInState
  /// A playlist must have exactly one of the keys that name its source.
  case sources(playlist: String, found: [String])
  /// A selection on a playlist whose items are all listed in the manifest.
  case selectWithoutFeed
  case minAboveMax
  /// A percentage of a budget that is not set.
  case shareOfNothing(playlist: String)
  /// A playlist's share is larger than the whole budget.
  case shareAboveBudget(playlist: String, share: ByteCount, budget: ByteCount)
  /// All shares together are larger than the whole budget.
  case sharesAboveBudget(sum: ByteCount, budget: ByteCount)
  /// An item must have exactly one of `url` and `urls`.
  case urls(found: [String])
  /// One playlist names the same id twice.
  case duplicateItem(id: String, firstLine: Int, isDerived: Bool)
  /// Two playlists name the same id but not the same file.
  case conflictingItem(id: String, playlist: String, firstLine: Int)
  /// Half of a login: the key that is present and the one that is missing.
  case halfLogin(has: String, lacks: String)
  /// Several keys for the same secret, or a user together with a token.
  case severalLogins(found: [String])
  /// A history must have exactly one of the keys that name its file.
  case histories(found: [String])
  /// A key that does not apply to histories of that kind.
  case notOfHistory(key: String, kind: String)
  /// `music_directory` and `prefix` are two ways to say the same.
  case twoMappings
  /// Two histories are the same file.
  case duplicateHistory(path: String, firstLine: Int)
  /// Keep rules of a playlist from which nothing would be removed or evicted anyway.
  case keepRulesAlone(playlist: String)
  /// There is no playlist, so there is nothing to keep.
  case nothingDeclared
}
