// SPDX-License-Identifier: Apache-2.0

/// The state of one library between two runs.
package struct Queue: Equatable, Sendable {
  package var libraryID: String
  /// Incremented by each snapshot.
  package var generation: Int
  package var savedAt: Timestamp
  package var sources: [PlaylistName: SourceState]
  package var unknownFields: [UnknownField]
  /// Empty while the items are stored.
  private var decoded: PositionedItems
  /// Nil once the items are decoded, or if they never were stored.
  private var stored: (any StoredItems)?

  /// - Precondition: Ids are unique.
  package init(
    libraryID: String, generation: Int = 0, savedAt: Timestamp, sources: [PlaylistName: SourceState] = [:],
    items: BoxedArray<QueueItem> = [], unknownFields: [UnknownField] = []
  ) {
    self.libraryID = libraryID
    self.generation = generation
    self.savedAt = savedAt
    self.sources = sources
    self.unknownFields = unknownFields
    decoded = PositionedItems(items)
  }

  /// A queue without sources whose positions are known.
  /// - Precondition: Ids are unique.
  package init(libraryID: String, generation: Int, savedAt: Timestamp, items: PositionedItems) {
    (self.libraryID, self.generation, self.savedAt) = (libraryID, generation, savedAt)
    (sources, unknownFields, decoded) = ([:], [], items)
  }

  /// A queue without sources whose items are decoded when they are asked for.
  package init(libraryID: String, generation: Int, savedAt: Timestamp, stored: any StoredItems) {
    (self.libraryID, self.generation, self.savedAt) = (libraryID, generation, savedAt)
    (sources, unknownFields, decoded) = ([:], [], PositionedItems())
    self.stored = stored
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

  /// All items, in the order in which they were added.
  package var items: BoxedArray<QueueItem> {
    _read {
      if let stored { yield stored.all.items } else { yield decoded.items }
    }
  }

  /// The items that every opening of a library looks into, in no particular order.
  package var notableItems: [QueueItem] { stored?.notable ?? decoded.notable }

  /// The time of the latest change in the queue.
  package var latestTime: Timestamp {
    if let stored { return max(savedAt, stored.latestUpdate ?? savedAt) }
    return decoded.items.reduce(savedAt) { max($0, $1.updatedAt) }
  }

  /// The item with this id. Setting an item adds it or replaces it in its place; setting nil removes it.
  package subscript(id: ItemID) -> QueueItem? {
    get { stored.map { $0.item(id) } ?? decoded.position(of: id).map { decoded.items[$0] } }
    set {
      if let item = newValue, replaceStored(by: item) { return }
      decodeAll()
      switch (decoded.position(of: id), newValue) {
      case (let position?, let item?): decoded.replace(at: position, with: item)
      case (nil, let item?): decoded.append(PositionedItems.Entry(item))
      case (_?, nil): decoded.removeAll { $0.id == id }
      case (nil, nil): break
      }
    }
  }

  /// The position of an item in `items`.
  /// - Parameter guess: The position in this queue or an earlier one. A good guess saves the lookup.
  package func position(of id: ItemID, guess: Int? = nil) -> Int? {
    if let stored { return stored.all.position(of: id) }
    if let guess, decoded.items.indices.contains(guess), decoded.items[guess].id == id { return guess }
    return decoded.position(of: id)
  }

  /// The positions of the items in one of these states.
  package func positions(in states: Set<ItemState.Name>) -> [Int] { (stored?.all ?? decoded).positions(in: states) }

  /// Removes several items in one pass.
  package mutating func remove(_ ids: Set<ItemID>) {
    guard !ids.isEmpty else { return }
    decodeAll()
    decoded.removeAll { ids.contains($0.id) }
  }

  /// Decodes all items, for a caller that looks into most of them.
  /// - Parameter known: Items to share where they are the same.
  package mutating func decodeAll(sharing known: KnownItems? = nil) {
    if let known { stored?.decodeAll(sharing: known) }
    guard let all = stored?.all else { return }
    (decoded, stored) = (all, nil)
  }

  /// - Returns: False if the items are decoded already, or if there is none with that id.
  private mutating func replaceStored(by item: QueueItem) -> Bool {
    guard let stored, !stored.areDecoded, let next = stored.replacing(with: item) else { return false }
    self.stored = next
    return true
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
