// SPDX-License-Identifier: Apache-2.0

/// A playlist, and what its sync does about it.
package struct PlannedListSync: Equatable, Sendable {
  package var playlist: Playlist
  package var sync: ListSync
  /// The name under which its state is recorded so far. Nil if none is.
  package var before: PlaylistName?

  init(_ playlist: Playlist, _ sync: ListSync, before: PlaylistName?) {
    (self.playlist, self.sync, self.before) = (playlist, sync, before)
  }
}

extension Resolution {
  /// The syncs of all playlists that were read, then those of the playlists that are still to be made on their servers.
  package var listSyncs: [PlannedListSync] {
    playlists.compactMap { resolved in
      resolved.reading?.listSync.map { sync in
        let before = lists.state(of: resolved.playlist, titled: sync.state.title)?.name
        return PlannedListSync(resolved.playlist, sync, before: before)
      }
    } + playlists.flatMap { made(below: $0) }
  }

  /// The syncs of playlists that their source lacks: some are to be made, others were edited or are to be deleted. Nothing is
  /// done while it is not known which it has.
  private func made(below parent: ResolvedPlaylist) -> [PlannedListSync] {
    guard let query = parent.playlist.source.query, isReadWhole(parent) else { return [] }
    return missing(below: parent).waiting.compactMap { name, state in
      guard let sync = ListSync(state, nil, of: name, on: query.server, policy: parent.playlist.sync) else {
        return nil
      }
      var playlist = Playlist(name: name, source: parent.playlist.source)
      (playlist.title, playlist.settings) = (state.title, parent.playlist.settings)
      return PlannedListSync(playlist, sync, before: name)
    }
  }

  /// The synced playlists that left their servers, and about which nothing waits.
  package var abandonedLists: [PlaylistName] {
    playlists.filter(isReadWhole).flatMap { missing(below: $0).gone }
  }

  /// True for a synced playlist that stands for several, all of which are known.
  private func isReadWhole(_ parent: ResolvedPlaylist) -> Bool {
    parent.playlist.isSynced && parent.playlist.source.listsPlaylists
      && parent.reading?.listing.completeness == .whole
  }

  private func missing(
    below parent: ResolvedPlaylist
  ) -> (waiting: [(name: PlaylistName, state: SyncedList)], gone: [PlaylistName]) {
    lists.missing(
      below: parent.playlist.name,
      besides: playlists.lazy.filter { $0.declaredName == parent.playlist.name }.map(\.playlist))
  }
}
