// SPDX-License-Identifier: Apache-2.0

/// Finds the item that was heard: by its path in the library, else by its id, else by its tags.
package struct ListeningMatcher: Sendable {
  package enum Match: Hashable, Sendable {
    case item(ItemID)
    case unknown
    /// Several items fit: none is taken.
    case ambiguous
  }

  private let roots: [String]
  /// By the path of their file, there now or before it was removed; nil where two had one path.
  private var paths: [String: ItemID?] = [:]
  private var ids: Set<ItemID> = []
  /// By title, each with what else is known.
  private var titles: [String: [Tagged]] = [:]

  private struct Tagged {
    var id: ItemID
    var artist: String?
    var album: String?
  }

  /// - Parameter roots: the absolute paths that the library has.
  package init(_ queue: Queue, roots: [String]) {
    self.roots = roots
    for item in queue.items { add(item) }
    // What is there now is what is heard under a path that something else had before.
    for item in queue.items { if let path = item.state.storedFile?.path { paths[path.text.composed] = item.id } }
  }

  private mutating func add(_ queued: QueueItem) {
    ids.insert(queued.id)
    if case .removed(let removal) = queued.state, let path = removal.file?.path.text.composed {
      paths[path] = .some(paths[path] == nil ? queued.id : nil)
    }
    let item = queued.item
    let tagged = Tagged(id: queued.id, artist: item.artist?.tagKey, album: item.album?.tagKey)
    titles[item.title.tagKey, default: []].append(tagged)
  }

  package func match(_ track: TrackReference, through mapping: PathMapping = .init()) -> Match {
    var isAmbiguous = false
    if let path = track.path.flatMap({ mapping.libraryPath(of: $0, roots: roots) }), let found = paths[path.composed] {
      if let found { return .item(found) }
      isAmbiguous = true
    }
    if let id = track.id.flatMap(ItemID.init), ids.contains(id) { return .item(id) }
    guard let tags = track.tags else { return isAmbiguous ? .ambiguous : .unknown }
    let byTags = match(tags)
    return byTags == .unknown && isAmbiguous ? .ambiguous : byTags
  }

  /// By artist and title; the album decides among several. Items of which no artist is known are second choice.
  private func match(_ tags: TrackTags) -> Match {
    guard let all = titles[tags.title.tagKey] else { return .unknown }
    let artist = tags.artist?.tagKey
    let sameArtist = all.filter { $0.artist != nil && $0.artist == artist }
    return only(sameArtist.isEmpty ? all.filter { $0.artist == nil || artist == nil } : sameArtist, album: tags.album)
  }

  private func only(_ found: [Tagged], album: String?) -> Match {
    guard let first = found.first else { return .unknown }
    if found.count == 1 { return .item(first.id) }
    let key = album?.tagKey
    let sameAlbum = found.filter { $0.album != nil && $0.album == key }
    return sameAlbum.count == 1 ? .item(sameAlbum[0].id) : .ambiguous
  }
}
