// SPDX-License-Identifier: Apache-2.0

/// Which playlists of feeds were only given another key: the new ones that have the episodes of one that is gone.
struct PlaylistSuccession {
  /// Playlists that had a source and that the manifest does not name any more.
  let gone: Set<PlaylistName>
  private let queue: Queue
  private let items: [PlaylistName: [QueueItem]]
  /// Playlists that the queue does not know, in the order of the manifest.
  private let heirs: [Playlist]

  init(_ queue: Queue, _ playlists: [Playlist]) {
    self.queue = queue
    heirs = playlists.filter { $0.isFeed && queue.sources[$0.name] == nil }
    gone = Set(queue.sources.keys).subtracting(playlists.map(\.name))
    items = queue.itemsByPlaylist(gone)
  }

  /// The playlist that this one was: the one that most of the episodes come from. Several playlists of one feed keep
  /// their order.
  /// - Parameter taken: playlists that have a successor already.
  /// - Returns: nil where no episode comes from one that is gone, and for a playlist that is known already.
  func predecessor(of playlist: Playlist, _ episodes: [Episode], taken: Set<PlaylistName>) -> Predecessor? {
    guard queue.sources[playlist.name] == nil else { return nil }
    let candidates = gone.subtracting(taken).sorted()
      .map { Candidate(name: $0, rank: rank($0), count: count($0, playlist.name, episodes)) }
      .filter { $0.count > 0 }
    let rivals = heirs.drop(while: { $0.name != playlist.name }).count { $0.source == playlist.source }
    let best =
      rivals < candidates.count
      ? candidates.max { $0.count < $1.count }
      : candidates.min { ($0.rank, $1.count) < ($1.rank, $0.count) }
    return best.map { best in
      let memory = queue.sources[best.name].map { memory in
        var memory = memory
        memory.initialSkipped = memory.initialSkipped.map { $0.renamed(to: playlist.name) }
        return memory
      }
      return Predecessor(name: best.name, items: items[best.name] ?? [], memory: memory)
    }
  }

  private struct Candidate {
    var name: PlaylistName
    var rank: Int
    var count: Int
  }

  /// How many of the episodes come from a playlist that is gone.
  private func count(_ name: PlaylistName, _ playlist: PlaylistName, _ episodes: [Episode]) -> Int {
    let own = items[name] ?? []
    let shared = SharedItems(BoxedArray(own))
    let identity = EpisodeIdentity(playlist: playlist, known: [], episodes: episodes, elsewhere: { shared })
    let known = Set(own.map(\.id))
    return identity.matches.count { $0.map { known.contains($0.id) } ?? false }
  }

  /// How many playlists named an item of this one before it: the items keep the order of the manifest.
  private func rank(_ name: PlaylistName) -> Int {
    (items[name] ?? []).compactMap { item in item.memberships.firstIndex { $0.playlist == name } }.max() ?? 0
  }

  /// What a playlist takes over from the one that it was.
  struct Predecessor {
    var name: PlaylistName
    var items: [QueueItem]
    var memory: SourceMemory?
  }
}
