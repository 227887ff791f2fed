// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The credentials of the requests of one run.
package struct RunCredentials: Sendable {
  /// Those of playlists.
  package var playlists: [PlaylistName: Credentials] = [:]
  /// Those of requests for licences. They go only to the server that the manifest declares, or to its `scope`.
  package var licenses: Credentials?
  /// Those of the servers of histories, by the names of the servers.
  package var histories: [PlaylistName: Credentials] = [:]

  package init() {}

  var all: [Credentials] { Array(playlists.values) + [licenses].compactMap(\.self) + Array(histories.values) }
}
