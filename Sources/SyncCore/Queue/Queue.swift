// SPDX-License-Identifier: Apache-2.0

/// Everything that the job remembers of one library between two runs.
package struct Queue: Equatable, Sendable {
  package var libraryID: String
  /// Raised by each snapshot.
  package var generation: Int
  package var savedAt: Timestamp
  package var sources: [PlaylistName: SourceMemory]
  /// In the order in which they became known.
  package private(set) var items: BoxedArray<QueueItem>
  package var unknownFields: [UnknownField]
  private var positions: [ItemID: Int]

  /// - Precondition: no two items have one id.
  package init(
    libraryID: String, generation: Int = 0, savedAt: Timestamp, sources: [PlaylistName: SourceMemory] = [:],
    items: [QueueItem] = [], unknownFields: [UnknownField] = []
  ) {
    self.libraryID = libraryID
    self.generation = generation
    self.savedAt = savedAt
    self.sources = sources
    self.items = BoxedArray(items)
    self.unknownFields = unknownFields
    positions = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, $0) })
  }

  /// The item with that id. Setting adds or replaces it in its place; nil removes it.
  package subscript(id: ItemID) -> QueueItem? {
    get { positions[id].map { items[$0] } }
    set {
      switch (positions[id], newValue) {
      case (let position?, let item?): items[position] = item
      case (nil, let item?):
        positions[id] = items.count
        items.append(item)
      case (let position?, nil):
        items.remove(at: position)
        positions = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, $0) })
      case (nil, nil): break
      }
    }
  }

  /// Among `items`.
  /// - Parameter guess: where it was before, in this queue or an earlier one; a good guess saves looking for it.
  package func position(of id: ItemID, guess: Int? = nil) -> Int? {
    if let guess, items.indices.contains(guess), items[guess].id == id { return guess }
    return positions[id]
  }

  /// Removes several items in one pass.
  package mutating func remove(_ ids: Set<ItemID>) {
    guard !ids.isEmpty else { return }
    items.removeAll { ids.contains($0.id) }
    positions = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, $0) })
  }
}

/// What is remembered of a source: its validators, and where its first selection was cut.
package struct SourceMemory: Equatable, Sendable {
  package var etag: String?
  package var lastModified: String?
  /// When it last told something new.
  package var changedAt: Timestamp
  /// When it was checked in the run that wrote this; a check without news is not recorded.
  package var checkedAt: Timestamp
  /// Items that the last whole reading had: guards against a source that suddenly has none.
  package var itemCount: Int
  /// Episodes published before this were there at the first reading and not selected by `select.initial`.
  package var initialBefore: Timestamp?
  /// Episodes without a date that `select.initial` passed over.
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

/// One change of the queue, whole entry instead of delta: what a journal record holds.
package enum QueueChange: Equatable, Sendable {
  case item(QueueItem)
  case itemDropped(ItemID)
  case source(PlaylistName, SourceMemory)
  case sourceDropped(PlaylistName)
}

extension Queue {
  /// Applies changes in their order; however many of them drop items, those go in one pass.
  /// - Returns: the changes that said something new.
  @discardableResult
  package mutating func apply(_ changes: some Sequence<QueueChange>) -> [QueueChange] {
    var dropped: Set<ItemID> = []
    var news: [QueueChange] = []
    for change in changes {
      // What is dropped and comes again gets the last place.
      if case .item(let item) = change, dropped.contains(item.id) {
        remove(dropped)
        dropped = []
      }
      if apply(change, dropping: &dropped) { news.append(change) }
    }
    remove(dropped)
    return news
  }

  /// - Parameter dropped: still here, and to go.
  /// - Returns: false when it says nothing new.
  private mutating func apply(_ change: QueueChange, dropping dropped: inout Set<ItemID>) -> Bool {
    switch change {
    case .item(let item):
      guard self[item.id] != item else { return false }
      self[item.id] = item
    case .itemDropped(let id): return self[id] != nil && dropped.insert(id).inserted
    case .source(let name, let memory):
      guard sources[name] != memory else { return false }
      sources[name] = memory
    case .sourceDropped(let name): return sources.removeValue(forKey: name) != nil
    }
    return true
  }
}
