// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not the single YAML document that a manifest must be.
package enum DocumentProblem: Hashable, Sendable {
  /// The text is empty or contains only comments.
  case empty
  /// The document is a list or a single value instead of a mapping.
  case notAMapping
  /// libyaml's own words: the problem and the construct it was reading, with the line where that began.
  case syntax(String, context: String?, contextLine: Int?)
  case tab
  case tooDeep(limit: Int)
  case documentTooLarge(limit: ByteCount)
  case scalarTooLarge(limit: ByteCount)
  /// The aliases expand to more than a document of this size may contain.
  case tooManyAliases
  case invalidUTF8(byte: UInt8)
  case utf16
  case nul
  case controlCharacter(UInt32)
  case lineSeparator(UInt32)
  case secondDocument
  case tag(String)
  case unknownAlias(String)
  case aliasInsideItself(String)
  case keyNotScalar
  case mergeOfOther
  case outOfMemory
}

/// A problem with a key, independent of its value.
package enum KeyProblem: Hashable, Sendable {
  /// `section` is the dotted path of the mapping, empty at the top. `nearest` is a similar known key.
  case unknown(String, section: String, nearest: String?)
  /// The dotted path of a known key stands in place of a mapping in a mapping.
  case flattened(String, section: String)
  /// The key is a prefix of several known keys.
  case shortened(String, section: String, known: [String])
  /// The key is valid in another place, given as its full dotted path.
  case misplaced(String, section: String, belongs: String)
  case duplicate(String, firstLine: Int)
  /// A required key is missing.
  case missing(String, section: String)
  /// The key is valid, but this version does not implement it.
  /// `allowed` is its default, the only value that changes nothing.
  case notYet(String, allowed: String)
}

/// Values that are well-formed but contradict each other.
package enum RuleProblem: Hashable, Sendable {
  case targetAboveTrigger
  /// The charge for low quality is not below the one for normal quality, which then never counts.
  case lowAboveNormal
  case initialBackoffAboveMax
  case confidentAboveTolerance
  /// The state directory is the library itself.
  case stateIsLibrary
  /// The report is inside the state directory.
  /// - Parameter key: The key below `report`.
  case reportInState(key: String)
  /// A playlist must have exactly one of the keys that name its source.
  case sources(playlist: String, found: [String])
  case server(ServerProblem)
  /// A selection on a playlist whose items are all listed in the manifest.
  case selectWithoutFeed
  case listSync(ListSyncMistake)
  /// A number of pages for a source that has none.
  case pagesWithoutFeed
  case minAboveMax
  /// A percentage of a budget that is not set.
  case shareOfNothing(playlist: String)
  /// A playlist's share is larger than the whole budget.
  case shareAboveBudget(playlist: String, share: ByteCount, budget: ByteCount)
  /// All shares together are larger than the whole budget.
  case sharesAboveBudget(sum: ByteCount, budget: ByteCount)
  /// An item must have exactly one of `url` and `urls`.
  case urls(found: [String])
  /// An item without a URL, which has to be searched for, has no title.
  case searchedWithoutTitle
  /// The keys `url` and `path` of `opml` that were found, other than one.
  case outlineSource(found: [String])
  /// The mapping form of `list` has no `path`.
  case listSource
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
  case twoPingURLs
  /// Two histories are the same file.
  case duplicateHistory(path: String, firstLine: Int)
  /// Keep rules of a playlist from which nothing would be removed or evicted anyway.
  case keepRulesAlone(playlist: String)
  case protect(ProtectProblem)
  case oauth(OAuthRuleProblem)
  /// Prometheus's collector reads no file with such a name.
  case metricsNotRead
  /// There is no playlist, so there is nothing to keep.
  case nothingDeclared
}

/// A problem with the protection of files.
package enum ProtectProblem: Hashable, Sendable {
  case noKeys
  /// The keyset can have only one place.
  case severalKeysets(found: [String])
  /// A folder for media in clear, for a library that is in clear itself.
  case partialsWithoutSealing
  /// A folder for media in clear, in the library that is to have none.
  case partialsInLibrary
  /// Whoever finds the library finds its keys.
  case keysInLibrary
}

/// A problem with the keys of an `auth.oauth`.
package enum OAuthRuleProblem: Hashable, Sendable {
  /// Nothing says where tokens come from.
  case noProvider
  case severalProviders(found: [String])
  /// Keys that mean nothing beside another.
  case beside(String, found: [String])
  /// The URL for tokens is there, and none with which a login begins.
  case noWayIn
}

/// A problem with a playlist whose songs come from a server.
package enum ServerProblem: Hashable, Sendable {
  /// A list of songs must have exactly one of the keys that choose them.
  case songs(choices: [String], found: [String])
  /// A number of albums for songs that do not come from a list of albums.
  case latestWithoutAlbums
  /// A playlist names a server that is not declared.
  case unknownServer(String, nearest: String?)
  /// A playlist of a server has credentials of its own.
  case authBesideServer(String)
  /// A playlist takes songs from a server that has none.
  case noSongs(String, MediaServer.Kind)
  /// A playlist takes subscriptions from a server that has none.
  case noSubscriptions(String, MediaServer.Kind)
  /// Plays are to be exchanged with a server from which no playlist takes songs. Nothing can be exchanged.
  case noSongsOfHistory(String)
  /// The credentials of a server have neither a user nor a key.
  case noLogin
  /// Plays are to be pulled from a server to which they are only pushed.
  case pullOfListenBrainz(String)
  /// A key that has no meaning for a server of this kind.
  case keyOfAnother(String)
  /// Actions other than plays are to be pushed to a server that keeps one action of each episode.
  case actionsAtNextcloud
  /// Actions other than plays are named for a server to which nothing is pushed.
  case actionsWithoutPush
  /// A key of an API in place of a user with a password.
  case keyOfGpodder
  /// A user with a password in place of a key.
  case userOfListenBrainz
  /// The token of a provider without the user, whom the addresses of such a server name.
  case tokenWithoutUser
}
