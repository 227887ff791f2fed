// SPDX-License-Identifier: Apache-2.0

/// Finds the item that was played: by its path in the library, then by its id, then by its URL, then by its tags.
package struct ListeningMatcher: Sendable {
  package enum Match: Hashable, Sendable {
    case item(ItemID)
    case unknown
    /// Several items match, so none is chosen.
    case ambiguous
  }

  private let roots: [String]
  /// Items by the path of their file, present or removed. Nil for a path that two removed files had.
  private var paths: [String: ItemID?] = [:]
  private var ids: Set<ItemID> = []
  private let items: [Item]
  /// Items by the identities of their URLs. Nil for a URL that several items have. Created when the first URL arrives.
  private var urls: [String: ItemID?]?
  /// Created when the first tags arrive, because some sources have none.
  private var tags: TagIndex?

  /// - Parameter roots: The absolute paths of the library.
  package init(_ queue: Queue, roots: [String]) {
    self.roots = roots
    items = queue.items.map(\.item)
    for item in queue.items { add(item) }
    // A present file takes precedence over removed files that had the same path.
    for item in queue.items { if let path = item.state.storedFile?.path { paths[path.text.composed] = item.id } }
  }

  private mutating func add(_ queued: QueueItem) {
    ids.insert(queued.id)
    if case .removed(let removal) = queued.state, let path = removal.file?.path.text.composed {
      paths[path] = .some(paths[path] == nil ? queued.id : nil)
    }
  }

  package mutating func match(_ track: TrackReference, through mapping: PathMapping = .init()) -> Match {
    var isAmbiguous = false
    if let path = track.path.flatMap({ mapping.libraryPath(of: $0, roots: roots) }), let found = paths[path.composed] {
      if let found { return .item(found) }
      isAmbiguous = true
    }
    if let id = track.id.flatMap(ItemID.init), ids.contains(id) { return .item(id) }
    if let url = track.url.flatMap(RemoteURL.identity) {
      let index = urls ?? Self.index(of: items)
      urls = index
      if let found = index[url] {
        if let found { return .item(found) }
        isAmbiguous = true
      }
    }
    guard let wanted = track.tags else { return isAmbiguous ? .ambiguous : .unknown }
    let index = tags ?? TagIndex(items)
    tags = index
    let byTags = index.match(wanted)
    return byTags == .unknown && isAmbiguous ? .ambiguous : byTags
  }

  private static func index(of items: [Item]) -> [String: ItemID?] {
    var index: [String: ItemID?] = [:]
    index.reserveCapacity(items.count)
    for item in items {
      // A song of a server is the same in each quality.
      let main = SubsonicURL.original(of: item.main.url).identity
      let others = item.alternatives.isEmpty ? [] : Set(item.alternatives.map(\.url.identity)).subtracting([main])
      for identity in [main] + others { index[identity] = .some(index[identity] == nil ? item.id : nil) }
    }
    return index
  }
}
