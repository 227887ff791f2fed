// SPDX-License-Identifier: Apache-2.0

/// The state of one library between two runs.
package struct Queue: Equatable, Sendable {
  package var libraryID: String
  /// Incremented by each snapshot.
  package var generation: Int
  package var savedAt: Timestamp
  package var sources: [PlaylistName: SourceState]
  /// In the order in which the items were added.
  package private(set) var items: BoxedArray<QueueItem>
  package var unknownFields: [UnknownField]
  private var positions: PositionTable

  /// - Precondition: Ids are unique.
  package init(
    libraryID: String, generation: Int = 0, savedAt: Timestamp, sources: [PlaylistName: SourceState] = [:],
    items: BoxedArray<QueueItem> = [], unknownFields: [UnknownField] = []
  ) {
    self.libraryID = libraryID
    self.generation = generation
    self.savedAt = savedAt
    self.sources = sources
    self.items = items
    self.unknownFields = unknownFields
    positions = items.positions
  }

  /// A queue without sources whose positions are known.
  /// - Parameter positions: The position of each item by the hash of its id.
  /// - Precondition: Ids are unique.
  package init(
    libraryID: String, generation: Int, savedAt: Timestamp, items: BoxedArray<QueueItem>, positions: PositionTable
  ) {
    (self.libraryID, self.generation, self.savedAt) = (libraryID, generation, savedAt)
    (self.items, self.positions) = (items, positions)
    (sources, unknownFields) = ([:], [])
  }

  /// The same with items that nothing else shares.
  /// - Precondition: Ids are unique.
  package init(
    libraryID: String, generation: Int = 0, savedAt: Timestamp, sources: [PlaylistName: SourceState] = [:],
    items: [QueueItem], unknownFields: [UnknownField] = []
  ) {
    self.init(
      libraryID: libraryID, generation: generation, savedAt: savedAt, sources: sources, items: BoxedArray(items),
      unknownFields: unknownFields)
  }

  /// The item with this id. Setting an item adds it or replaces it in its place; setting nil removes it.
  package subscript(id: ItemID) -> QueueItem? {
    get { position(of: id).map { items[$0] } }
    set {
      switch (position(of: id), newValue) {
      case (let position?, let item?): items[position] = item
      case (nil, let item?):
        positions.insert(hash: id.hashValue, position: items.count)
        items.append(item)
      case (let position?, nil):
        items.remove(at: position)
        positions = items.positions
      case (nil, nil): break
      }
    }
  }

  /// The position of an item in `items`.
  /// - Parameter guess: The position in this queue or an earlier one. A good guess saves the lookup.
  package func position(of id: ItemID, guess: Int? = nil) -> Int? {
    if let guess, items.indices.contains(guess), items[guess].id == id { return guess }
    return positions.position(hash: id.hashValue) { items[$0].id == id }
  }

  /// Removes several items in one pass.
  package mutating func remove(_ ids: Set<ItemID>) {
    guard !ids.isEmpty else { return }
    items.removeAll { ids.contains($0.id) }
    positions = items.positions
  }
}

extension Queue {
  /// The positions follow from the items.
  package static func == (left: Queue, right: Queue) -> Bool {
    left.libraryID == right.libraryID && left.generation == right.generation && left.savedAt == right.savedAt
      && left.sources == right.sources && left.items == right.items && left.unknownFields == right.unknownFields
  }
}

// For other targets, which cannot specialise the generic accessors.
extension BoxedArray<QueueItem> {
  package var count: Int { boxes.count }

  package subscript(position: Int) -> QueueItem {
    _read { yield boxes[position].wrappedValue }
    _modify { yield &boxes[position].wrappedValue }
  }

  package mutating func append(_ box: Boxed<QueueItem>) { boxes.append(box) }
}

extension BoxedArray<QueueItem> {
  fileprivate var positions: PositionTable {
    var positions = PositionTable(capacity: count)
    for position in indices { positions.insert(hash: self[position].id.hashValue, position: position) }
    return positions
  }
}

/// The recorded facts about a source: its validators, and the limit of its first selection.
package struct SourceState: Equatable, Sendable {
  package var etag: String?
  package var lastModified: String?
  /// The time when the source last had a change.
  package var changedAt: Timestamp
  /// The time of the check in the run that wrote this. A check without a change is not recorded.
  package var checkedAt: Timestamp
  /// The number of items at the last whole reading. Protects against a source that is suddenly empty.
  package var itemCount: Int
  /// Episodes published before this time were present at the first reading and not selected by `select.initial`.
  package var initialBefore: Timestamp?
  /// Episodes without a date that `select.initial` skipped.
  package var initialSkipped: [ItemID]
  package var unknownFields: [UnknownField]
  package init(
    etag: String? = nil, lastModified: String? = nil, changedAt: Timestamp, checkedAt: Timestamp, itemCount: Int,
    initialBefore: Timestamp? = nil, initialSkipped: [ItemID] = [], unknownFields: [UnknownField] = []
  ) {
    self.etag = etag
    self.lastModified = lastModified
    self.changedAt = changedAt
    self.checkedAt = checkedAt
    self.itemCount = itemCount
    self.initialBefore = initialBefore
    self.initialSkipped = initialSkipped
    self.unknownFields = unknownFields
  }
}

/// One change of the queue, as a whole entry instead of a delta. A journal record contains one.
package enum QueueChange: Equatable, Sendable {
  case item(QueueItem)
  case itemDropped(ItemID)
  case source(PlaylistName, SourceState)
  case sourceDropped(PlaylistName)
}

extension Queue {
  /// Applies changes in order. All drops are done in one pass, however many there are.
  /// - Returns: The changes that had an effect.
  @discardableResult
  package mutating func apply(_ changes: some Sequence<QueueChange>) -> [QueueChange] {
    var dropped: Set<ItemID> = []
    var news: [QueueChange] = []
    for change in changes {
      // An item that is dropped and added again goes to the end.
      if case .item(let item) = change, dropped.contains(item.id) {
        remove(dropped)
        dropped = []
      }
      if apply(change, dropping: &dropped) { news.append(change) }
    }
    remove(dropped)
    return news
  }

  /// - Parameter dropped: Items that are still present but will be dropped.
  /// - Returns: False if the change has no effect.
  private mutating func apply(_ change: QueueChange, dropping dropped: inout Set<ItemID>) -> Bool {
    switch change {
    case .item(let item):
      guard self[item.id] != item else { return false }
      self[item.id] = item
    case .itemDropped(let id): return self[id] != nil && dropped.insert(id).inserted
    case .source(let name, let state):
      guard sources[name] != state else { return false }
      sources[name] = state
    case .sourceDropped(let name): return sources.removeValue(forKey: name) != nil
    }
    return true
  }
}
