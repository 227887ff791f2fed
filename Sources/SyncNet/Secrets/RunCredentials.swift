// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk

/// The credentials of the requests of one run.
package struct RunCredentials: Sendable {
  /// Those of playlists.
  package var playlists: [PlaylistName: Credentials] = [:]
  /// Those of requests for licences. They go only to the server that the manifest declares, or to its `scope`.
  package var licenses: Credentials?
  /// Those of the servers of histories, by the names of the servers.
  package var histories: [PlaylistName: Credentials] = [:]
  /// The accounts at OAuth 2 providers that they need.
  package var accounts: [TokenSource: OAuthAccount] = [:]

  package init() {}

  var all: [Credentials] { Array(playlists.values) + [licenses].compactMap(\.self) + Array(histories.values) }
}

/// An account at an OAuth 2 provider, with all that its tokens are asked for with.
package struct OAuthAccount: Sendable {
  package let source: TokenSource
  /// The command that makes a new login.
  package let command: String
  /// The client's secret. Nil for a public client.
  package let secret: Secret?
  /// Nil if a program prints the tokens.
  package let store: TokenStore?
  /// The id of the login. Empty without one.
  package let login: String
}
