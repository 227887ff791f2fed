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
  private let items: [Item]
  /// Made when the first tags come: not every source has some.
  private var tags: TagIndex?

  /// - Parameter roots: the absolute paths that the library has.
  package init(_ queue: Queue, roots: [String]) {
    self.roots = roots
    items = queue.items.map(\.item)
    for item in queue.items { add(item) }
    // What is there now is what is heard under a path that something else had before.
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
    guard let wanted = track.tags else { return isAmbiguous ? .ambiguous : .unknown }
    let index = tags ?? TagIndex(items)
    tags = index
    let byTags = index.match(wanted)
    return byTags == .unknown && isAmbiguous ? .ambiguous : byTags
  }
}
