// SPDX-License-Identifier: Apache-2.0

/// Finds listing playlists that were only renamed: a new playlist that has the entries of a removed one.
struct PlaylistSuccession {
  /// Playlists with a source that the manifest no longer names.
  let gone: Set<PlaylistName>
  private let queue: Queue
  private let items: [PlaylistName: [QueueItem]]
  /// Playlists that are not in the queue, in the order of the manifest.
  private let heirs: [Playlist]

  init(_ queue: Queue, _ playlists: [Playlist]) {
    self.queue = queue
    heirs = playlists.filter { $0.source.isListing && queue.sources[$0.name] == nil }
    gone = Set(queue.sources.keys).subtracting(playlists.map(\.name))
    items = queue.itemsByPlaylist(gone)
  }

  /// Returns the playlist that this one replaces: the one that most of its entries come from. Several playlists of one
  /// feed keep their order.
  /// - Parameter taken: The playlists that already have a successor.
  /// - Returns: Nil if no entry comes from a removed playlist, or if this playlist is already known.
  func predecessor(of playlist: Playlist, _ entries: ListingEntries, taken: Set<PlaylistName>) -> Predecessor? {
    guard queue.sources[playlist.name] == nil else { return nil }
    let candidates = gone.subtracting(taken).sorted()
      .map { Candidate(name: $0, rank: rank($0), count: count($0, playlist.name, entries)) }
      .filter { $0.count > 0 }
    guard !candidates.isEmpty else { return nil }
    let rivals = heirs.drop(while: { $0.name != playlist.name }).count { $0.source == playlist.source }
    let best =
      rivals < candidates.count
      ? candidates.max { $0.count < $1.count }
      : candidates.min { ($0.rank, $1.count) < ($1.rank, $0.count) }
    return best.map { best in
      let state = queue.sources[best.name].map { state in
        var state = state
        state.initialSkipped = state.initialSkipped.map { $0.renamed(to: playlist.name) }
        return state
      }
      return Predecessor(name: best.name, items: items[best.name] ?? [], state: state)
    }
  }

  private struct Candidate {
    var name: PlaylistName
    var rank: Int
    var count: Int
  }

  /// The number of entries that come from a removed playlist.
  private func count(_ name: PlaylistName, _ playlist: PlaylistName, _ entries: ListingEntries) -> Int {
    let own = items[name] ?? []
    let shared = SharedItems(BoxedArray(own))
    let identity = EntryIdentity(playlist: playlist, known: [], entries: entries, elsewhere: { shared })
    let known = Set(own.map(\.id))
    return identity.places.count { known.contains(identity[$0].id) }
  }

  /// The number of playlists that named an item before this one did. Items keep the order of the manifest.
  private func rank(_ name: PlaylistName) -> Int {
    (items[name] ?? []).compactMap { item in item.memberships.firstIndex { $0.playlist == name } }.max() ?? 0
  }

  /// The data that a playlist takes over from its predecessor.
  struct Predecessor {
    var name: PlaylistName
    var items: [QueueItem]
    var state: SourceState?
  }
}
