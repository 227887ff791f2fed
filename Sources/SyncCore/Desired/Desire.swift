// SPDX-License-Identifier: Apache-2.0

extension DesiredState {
  /// Joins the items of the playlists.
  /// - Parameters:
  ///   - resolution: A playlist whose source was not read is held.
  ///   - layout: The layout of the library. Nil for the built-in layouts.
  ///   - considered: The items unknown to the queue that sources may add. Nil to add all.
  ///   - naming: The treatment of entries that no playlist selects and that the queue does not know.
  package init(
    _ resolution: Resolution, layout: LayoutTemplate? = nil, queue: Queue, considered: Set<ItemID>? = nil,
    naming: UnselectedNaming = .listed, now: Timestamp
  ) {
    self.init()
    playlists = resolution.playlists.map(\.playlist)
    var collector = Collector(playlists, libraryLayout: layout, queue: queue)
    collector.considered = considered
    collector.maximumPassedOver = naming == .counted ? 0 : Self.maximumPassedOver
    collector.namesAll = naming == .named
    collector.wantsDetails = resolution.wantsDetails
    let listings = playlists.filter(\.source.isListing).map(\.name)
    let known = queue.itemsByPlaylist(Set(listings))
    let succession = PlaylistSuccession(queue, playlists)
    collector.shares =
      listings.count > 1 || !succession.gone.isEmpty || queue.hasItemsOfSources(besides: Set(listings))
    // Playlists that nothing is known about may own items of a playlist that is gone.
    var holdsGone = false
    for resolved in resolution.playlists {
      let playlist = resolved.playlist
      let items = playlist.source.inlineItems
      for index in items.indices { collector.add(items.box(at: index), to: playlist, position: index + 1) }
      if playlist.source.listsPlaylists {
        add(document: resolved, queue, gone: succession.gone, now: now)
      } else if playlist.source.isListing {
        if !playlist.mirror { keepingPlaylists.insert(playlist.name) }
        guard let reading = resolved.reading else {
          heldPlaylists.insert(playlist.name)
          if queue.sources[playlist.name] == nil { holdsGone = true }
          continue
        }
        let before = succession.predecessor(of: playlist, reading.listing.entries) { renamed[$0] != nil }
        if let before {
          renamed[before.name] = playlist.name
          collector.renamed[before.name] = playlist.name
        }
        let past = SourcePast(
          known: (known[playlist.name] ?? []) + (before?.items ?? []), state: queue.sources[playlist.name],
          before: before)
        if !reading.listing.completeness.hasEnd, past.state == nil, before == nil { holdsGone = true }
        add(reading, of: playlist, past, now: now, to: &collector)
      }
    }
    if holdsGone { heldPlaylists.formUnion(succession.gone) }
    items = collector.items
    addUnlistedMemberships(queue, among: Set(listings))
  }

  /// Keeps the memberships of finished items in playlists that keep unlisted items or whose source could not be read,
  /// even if another playlist lists the item. An item is removed only when all of its playlists release it.
  private mutating func addUnlistedMemberships(_ queue: Queue, among listings: Set<PlaylistName>) {
    let keeping = keepingPlaylists.union(heldPlaylists.intersection(listings))
    guard !keeping.isEmpty else { return }
    for index in items.indices {
      guard let position = items[index].queueIndex else { continue }
      let known = queue.items.box(at: position).wrappedValue
      guard known.memberships != items[index].memberships, known.state.finishedSize != nil else { continue }
      let naming = Set(items[index].memberships.map(\.playlist))
      let unlisted = known.memberships.filter { keeping.contains($0.playlist) && !naming.contains($0.playlist) }
      if !unlisted.isEmpty { items[index].memberships += unlisted }
    }
  }

  /// Records the reading of a document that lists sources. Unless it was read whole, the playlists that came from it
  /// earlier and that nothing is known about now are held.
  private mutating func add(
    document resolved: ResolvedPlaylist, _ queue: Queue, gone: Set<PlaylistName>, now: Timestamp
  ) {
    let (name, reading) = (resolved.playlist.name, resolved.reading)
    if reading?.listing.completeness != .whole { heldPlaylists.formUnion(gone.filter { $0.declared == name }) }
    let past = queue.sources[name]
    guard let reading, reading.listing.completeness.hasEnd, !reading.isUnchanged || past == nil else { return }
    let updated = SourceState(
      etag: reading.etag, lastModified: reading.lastModified, changedAt: now, checkedAt: now,
      itemCount: reading.listing.entries.count, unknownFields: past?.unknownFields ?? [])
    if past?.saysTheSame(as: updated) != true { sourceStates[name] = updated }
  }

  private mutating func add(
    _ reading: SourceReading, of playlist: Playlist, _ past: SourcePast, now: Timestamp,
    to collector: inout Collector
  ) {
    let (known, state) = (past.known, past.state ?? past.before?.state)
    let completeness = reading.listing.completeness
    if completeness != .whole { heldPlaylists.insert(playlist.name) }
    let identity = EntryIdentity(
      playlist: playlist.name, known: known, entries: reading.listing.entries, unusable: reading.listing.unusable,
      elsewhere: { collector.shared() })
    listed.formUnion(identity.listed)
    let all = ListedItems(reading.listing, identity, isAlbum: !playlist.isOrdered)
    let matched =
      collector.considered.map { known in all.filter { known.contains($0.id) || collector.isInQueue($0.id) } } ?? all
    // A reading counts as the first until an item was selected, because a wrong filter may have excluded all items.
    let isFirst = known.isEmpty && state?.initialBefore == nil && state?.initialSkipped.isEmpty ?? true
    let outcome = playlist.select.apply(
      to: matched.lazy.map { Selection.Choice(item: $0.item, traits: $0.entry.traits) },
      published: matched.published, state: isFirst ? nil : state, now: now)
    var positions = PositionAllocator(playlists: [playlist.name, past.before?.name].compactMap(\.self), known: known)
    // Oldest first, so that a later episode gets a later number. Unselected items are not recorded and take no number.
    for index in matched.indices.reversed() where !playlist.isOrdered && outcome.unselected[index] == nil {
      positions.assign(matched.id(at: index))
    }
    var listed = 0
    for turn in matched.indices {
      let index = playlist.select.order == .newest ? turn : matched.count - 1 - turn
      let (id, unselected) = (matched.id(at: index), outcome.unselected[index])
      if let unselected, !collector.isInQueue(id) {
        listed += 1
        if listed > collector.maximumPassedOver {
          unlisted[playlist.name, default: [:]][unselected, default: 0] += 1
          if collector.namesAll { unlistedIDs.append(id) }
          continue
        }
      }
      let entry = matched[index]
      let position = playlist.isOrdered ? matched.position(at: index) : positions[id]
      var item = entry.item(of: playlist.source, playlist.quality)
      if collector.wantsDetails { item.details = ItemDetails(entry.entry, sourceImage: reading.listing.image) }
      collector.add(
        Boxed(item), to: playlist, position: position,
        matchedBy: entry.match.rule, unselected: unselected)
    }
    if completeness.hasEnd, !reading.isUnchanged || past.state == nil {
      let updated = state.updated(by: reading, outcome, count: all.count, now: now)
      if past.state?.saysTheSame(as: updated) != true { sourceStates[playlist.name] = updated }
    }
  }
}

/// The entries of a listing that are items, newest first. They are created on demand, because few of half a million are
/// needed.
private struct ListedItems: RandomAccessCollection {
  private let listing: Listing
  private let identity: EntryIdentity
  /// True if the title of the source is the album of the entries that name none.
  private let isAlbum: Bool
  /// In the document.
  private var places: [Int32]

  init(_ listing: Listing, _ identity: EntryIdentity, isAlbum: Bool) {
    (self.listing, self.identity, self.isAlbum) = (listing, identity, isAlbum)
    places = identity.places.map { Int32(truncatingIfNeeded: $0) }.newestFirst {
      listing.entries.published(at: Int($0))
    }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { places.count }

  subscript(index: Int) -> ListedItem {
    let place = Int(places[index])
    return ListedItem(
      listingTitle: isAlbum ? listing.title : nil, entry: listing.entries[place], match: identity[place])
  }

  func id(at index: Int) -> ItemID { identity[Int(places[index])].id }

  /// The position of an item in the document, counted from 1.
  func position(at index: Int) -> Int { Int(places[index]) + 1 }

  func published(at index: Int) -> Timestamp? { listing.entries.published(at: Int(places[index])) }

  func filter(_ isIncluded: (ListedItem) -> Bool) -> ListedItems {
    var copy = self
    copy.places = indices.filter { isIncluded(self[$0]) }.map { places[$0] }
    return copy
  }
}

/// An entry of a listing and its item.
private struct ListedItem {
  let listingTitle: String?
  let entry: ListingEntry
  let match: EntryIdentity.Match

  var id: ItemID { match.id }
  /// - Parameter quality: The quality that the playlist wants.
  func item(of source: Playlist.Source, _ quality: Quality) -> Item {
    var item = item
    if !entry.files.isEmpty { EntryCandidates(entry, wanted: quality).set(&item, duration: entry.duration) }
    guard source.query != nil, let urls = SubsonicURL.qualities(of: entry.url, wanted: quality) else { return item }
    item.urls = urls
    item.main = Candidate(url: urls.offer(for: quality)?.url ?? entry.url)
    // Size and type are those of the original.
    if urls.offered != .source { (item.size, item.mediaType) = (nil, nil) }
    return item
  }

  var item: Item { Item(entry, id: match.id, listingTitle: listingTitle) }
}

extension Item {
  init(_ entry: ListingEntry, id: ItemID, listingTitle: String?) {
    self.init(id: id, title: entry.title ?? entry.url.stem ?? id.text, main: Candidate(url: entry.url))
    artist = entry.author
    album = entry.album ?? listingTitle
    // They are places of one recording, so that they have its duration.
    alternatives = entry.alternatives.map { Candidate(url: $0, duration: entry.duration) }
    duration = entry.duration
    published = entry.published
    recordings = entry.recordings
    size = entry.length.map(DeclaredSize.about)
    mediaType = entry.traits.mediaType.flatMap { MediaType(mediaType: $0) }
  }
}

extension RemoteURL {
  /// The last path component up to its first dot, decoded. Of a file, its name without the extension. Nil if that is empty.
  fileprivate var stem: String? {
    if isFile {
      let name = String(decoding: RemoteURL.decoded(lastPathComponent.utf8), as: UTF8.self)
      let end = name.lastIndex(of: ".") ?? name.endIndex
      return end == name.startIndex ? name : String(name[..<end])
    }
    let stem = lastPathComponent.prefix { $0 != "." }
    guard !stem.isEmpty else { return nil }
    // Bytes that are not text stay encoded.
    let name = String(validating: RemoteURL.decoded(stem.utf8), as: UTF8.self) ?? String(stem)
    return name.withoutControls
  }
}

/// The facts recorded about a playlist's source.
private struct SourcePast {
  /// Its items, including those of the playlist that it replaces.
  let known: [QueueItem]
  let state: SourceState?
  let before: PlaylistSuccession.Predecessor?
}

/// The positions of a source's items. An assigned number stays, and new items continue after the highest.
private struct PositionAllocator {
  private var positions: [ItemID: Int]
  private var highest: Int

  /// - Parameter playlists: The present name and an earlier one.
  init(playlists: [PlaylistName], known: [QueueItem]) {
    positions = [:]
    for entry in known {
      positions[entry.id] = entry.memberships.first { playlists.contains($0.playlist) }?.position
    }
    highest = positions.values.max() ?? 0
  }

  mutating func assign(_ id: ItemID) {
    guard positions[id] == nil else { return }
    highest += 1
    positions[id] = highest
  }

  subscript(id: ItemID) -> Int { positions[id] ?? highest + 1 }
}

/// Collects items in the order in which they are first named, each once.
private struct Collector {
  private let libraryLayout: LayoutTemplate?
  private let queue: Queue
  private(set) var items: BoxedArray<DesiredItem> = []
  /// The indices in `items`: for items of the queue by their position there, for others by id.
  private var places: [Int?]
  private var placesOfNew: [ItemID: Int] = [:]
  /// The position of the next item in the queue, if nothing has changed.
  private var next = 0
  /// True if one item may belong to playlists of several sources.
  var shares = false
  /// The items unknown to the queue that sources may add. Nil for all.
  var considered: Set<ItemID>?
  /// The number of unselected entries of one source, unknown to the queue, that become items.
  var maximumPassedOver = DesiredState.maximumPassedOver
  /// True if the ids of all entries are needed.
  var namesAll = false
  /// True if the items get the details that their tags need.
  var wantsDetails = false
  private var sharedItems: SharedItems?
  /// The playlists that were given another key, by their old key.
  var renamed: [PlaylistName: PlaylistName] = [:]

  init(_ playlists: [Playlist], libraryLayout: LayoutTemplate?, queue: Queue) {
    self.libraryLayout = libraryLayout
    self.queue = queue
    items.reserveCapacity(playlists.reduce(0) { $0 + $1.source.inlineItems.count })
    places = Array(repeating: nil, count: queue.items.count)
  }

  func isInQueue(_ id: ItemID) -> Bool { queue[id] != nil }

  mutating func add(
    _ box: Boxed<Item>, to playlist: Playlist, position: Int, matchedBy: IdentityRule? = nil,
    unselected: Unselected? = nil
  ) {
    let (item, isFromSource) = (box.wrappedValue, playlist.source.isListing)
    let queueIndex = queue.position(of: item.id, guess: next)
    if let queueIndex { next = queueIndex + 1 }
    let membership = Membership(playlist: playlist.name, position: position)
    let priority = item.priority ?? playlist.settings.priority
    let isPinned = item.pin ?? playlist.settings.pin
    let refers = unselected == nil || !isFromSource || isMember(queueIndex, of: playlist.name)
    // An item that a playlist does not select and never had belongs to another playlist or to none.
    if !refers, queueIndex != nil { return }
    let desired = DesiredItem(
      box, memberships: [membership], matchedBy: matchedBy, priority: priority, isPinned: isPinned,
      layout: playlist.settings.layout ?? libraryLayout ?? playlist.source.layout,
      playlistTitle: playlist.displayTitle, unselected: unselected, isFromSource: isFromSource, queueIndex: queueIndex)
    if let known = queueIndex.map({ places[$0] }) ?? placesOfNew[item.id] {
      guard refers else { return }
      // An entry that its playlist did not select is not an item yet.
      if items[known].queueIndex == nil, !items[known].isSelected {
        items[known] = desired
        return
      }
      items[known].memberships.append(membership)
      items[known].priority = max(items[known].priority, priority)
      items[known].isPinned = items[known].isPinned || isPinned
      if unselected == nil { items[known].unselected = nil }
      return
    }
    if refers, isFromSource, queueIndex == nil { sharedItems?.add(item) }
    if let queueIndex { places[queueIndex] = items.count } else { placesOfNew[item.id] = items.count }
    items.append(desired)
  }

  /// True if the queue has the item in this playlist, or in the one that it replaces.
  private func isMember(_ position: Int?, of playlist: PlaylistName) -> Bool {
    guard let memberships = position.map({ queue.items[$0].memberships }) else { return false }
    return memberships.isEmpty || memberships.contains { (renamed[$0.playlist] ?? $0.playlist) == playlist }
  }

  /// The known items of sources, from the queue or from the playlists so far. Nil if there is nothing to share.
  mutating func shared() -> SharedItems? {
    guard shares else { return nil }
    if sharedItems == nil {
      var items = SharedItems(queue.items)
      for index in self.items.indices where self.items[index].isNewOfSource { items.add(self.items[index].item) }
      sharedItems = items
    }
    return sharedItems
  }
}

extension DesiredItem {
  /// True if a source names the item for the first time and it is selected.
  fileprivate var isNewOfSource: Bool { isFromSource && isSelected && queueIndex == nil }
}

extension SourceState {
  /// True if the two are equal apart from the times.
  fileprivate func saysTheSame(as other: SourceState) -> Bool {
    var copy = self
    (copy.changedAt, copy.checkedAt) = (other.changedAt, other.checkedAt)
    return copy == other
  }
}

extension SourceState? {
  fileprivate func updated(
    by reading: SourceReading, _ outcome: Selection.Outcome, count: Int, now: Timestamp
  ) -> SourceState {
    SourceState(
      etag: reading.etag, lastModified: reading.lastModified, changedAt: now, checkedAt: now, itemCount: count,
      initialBefore: outcome.initialBefore, initialSkipped: outcome.initialSkipped,
      unknownFields: self?.unknownFields ?? [])
  }
}

extension Queue {
  /// The items of each of these playlists, in the order of the queue.
  package func itemsByPlaylist(_ names: Set<PlaylistName>) -> [PlaylistName: [QueueItem]] {
    var result: [PlaylistName: [QueueItem]] = [:]
    guard !names.isEmpty else { return result }
    for entry in items {
      for membership in entry.memberships where names.contains(membership.playlist) {
        result[membership.playlist, default: []].append(entry)
      }
    }
    return result
  }
}

extension Queue {
  /// True if it has items of sources that none of these playlists names, such as the orphans of a removed playlist.
  fileprivate func hasItemsOfSources(besides names: Set<PlaylistName>) -> Bool {
    guard !names.isEmpty else { return false }
    return items.indices.contains { items[$0].matchedBy != nil && !items[$0].isMember(ofAny: names) }
  }
}
