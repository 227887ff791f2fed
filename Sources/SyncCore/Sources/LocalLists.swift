// SPDX-License-Identifier: Apache-2.0

/// The synced playlists as they are here, for the reading of their sources.
package struct LocalLists: Equatable, Sendable {
  package var states: [PlaylistName: SyncedList] = [:]
  /// The songs that the queue knows, by the names of their servers and their ids there.
  package var songs: [PlaylistName: [String: ListingEntry]] = [:]
  package init() {}

  /// The state of a playlist. One that is to be made on the server, and is there already, is found by its title.
  package func state(of playlist: Playlist, titled title: String?) -> (name: PlaylistName, state: SyncedList)? {
    if let state = states[playlist.name] { return (playlist.name, state) }
    guard playlist.name.isFromSource, let title else { return nil }
    return toCreate(below: playlist.name.declared).first { $0.state.title == title }
  }

  /// The playlists that are to be made for a playlist of the manifest, in the order of their names.
  package func toCreate(below declared: PlaylistName) -> [(name: PlaylistName, state: SyncedList)] {
    states.filter { $0.key.isFromSource && $0.key.declared == declared && $0.value.fate == .toCreate }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The playlists of a source that is read whole and lacks them, in the order of their names: those with changes that wait,
  /// and those that nothing is left of.
  func missing(
    below declared: PlaylistName, besides found: [Playlist]
  ) -> (waiting: [(name: PlaylistName, state: SyncedList)], gone: [PlaylistName]) {
    let (names, titles) = (Set(found.map(\.name)), Set(found.compactMap(\.title)))
    let missing = states.filter { name, state in
      name.isFromSource && name.declared == declared && !names.contains(name)
        && !(state.fate == .toCreate && titles.contains(state.title))
    }.sorted { $0.key < $1.key }
    return (
      missing.filter { !$0.value.waiting.isEmpty }.map { ($0.key, $0.value) },
      missing.filter { $0.value.waiting.isEmpty && $0.value.fate == .kept }.map(\.key)
    )
  }

  /// True if the server lacks the playlist because somebody here asked for that, or it is still to be made.
  package func accounts(for title: String, below declared: PlaylistName) -> Bool {
    states.contains { $0.key.declared == declared && $0.value.title == title && $0.value.fate != .kept }
  }
}
