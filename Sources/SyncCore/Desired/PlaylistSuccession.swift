// SPDX-License-Identifier: Apache-2.0

/// Finds listing playlists that were only renamed: a new playlist that has the entries of a removed one.
struct PlaylistSuccession {
  /// Playlists with a source that the manifest no longer names.
  let gone: Set<PlaylistName>
  private let queue: Queue
  private let items: [PlaylistName: [QueueItem]]
  /// The places in the manifest of the playlists that are not in the queue, by their source as shown.
  private let heirs: [String: [(place: Int, source: Playlist.Source)]]
  /// The places of the playlists in the manifest.
  private let places: [PlaylistName: Int]
  /// The removed playlists with an item of this URL, by the hash of the URL's identity.
  private var namesByURL: [Int: Set<PlaylistName>] = [:]
  /// The removed playlists with an item that a playlist of this name named first.
  private var namesByOrigin: [Substring: Set<PlaylistName>] = [:]

  init(_ queue: Queue, _ playlists: [Playlist]) {
    self.queue = queue
    gone = Set(queue.sources.keys).subtracting(playlists.map(\.name))
    items = queue.itemsByPlaylist(gone)
    guard !gone.isEmpty else {
      (heirs, places) = ([:], [:])
      return
    }
    let new = playlists.enumerated().filter { $0.element.source.isListing && queue.sources[$0.element.name] == nil }
    heirs = Dictionary(grouping: new.map { ($0.offset, $0.element.source) }) { $0.1.shownLocation ?? "" }
    places = Dictionary(new.map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    for (name, items) in items { for item in items { index(item, of: name) } }
  }

  private mutating func index(_ item: QueueItem, of name: PlaylistName) {
    namesByURL[SubsonicURL.original(of: item.item.main.url).identity.hashValue, default: []].insert(name)
    namesByOrigin[item.id.text.prefix { $0 != ":" }, default: []].insert(name)
  }

  /// The removed playlists that an entry may come from. An entry has the URL of its item, unless its id is the same.
  private func sources(of playlist: PlaylistName, _ entries: ListingEntries) -> Set<PlaylistName> {
    var names = namesByOrigin[playlist.text[...]] ?? []
    for index in entries.indices { names.formUnion(namesByURL[entries.url(at: index).identity.hashValue] ?? []) }
    return names
  }

  /// Returns the playlist that this one replaces: the one that most of its entries come from. Several playlists of one
  /// feed keep their order.
  /// - Parameter isTaken: True for a playlist that already has a successor.
  /// - Returns: Nil if no entry comes from a removed playlist, or if this playlist is already known.
  func predecessor(
    of playlist: Playlist, _ entries: ListingEntries, isTaken: (PlaylistName) -> Bool
  ) -> Predecessor? {
    guard !gone.isEmpty, queue.sources[playlist.name] == nil else { return nil }
    let candidates = sources(of: playlist.name, entries).filter { !isTaken($0) }.sorted()
      .map { Candidate(name: $0, rank: rank($0), count: count($0, playlist.name, entries)) }
      .filter { $0.count > 0 }
    guard !candidates.isEmpty else { return nil }
    let place = places[playlist.name] ?? 0
    let rivals = (heirs[playlist.source.shownLocation ?? ""] ?? []).count {
      $0.place >= place && $0.source == playlist.source
    }
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
