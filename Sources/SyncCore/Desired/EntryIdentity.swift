// SPDX-License-Identifier: Apache-2.0

/// Recognises the entries of one source: by guid, otherwise by the code of their recording, otherwise by normalised URL,
/// otherwise by title, day and duration, or for songs by title, artist, album and duration (docs/manual/feeds.md).
///
/// Each rule is applied to the whole document before the next one. A new entry that shares a title and a day with an
/// old one, or precedes it with the same URL, therefore never takes an item that a guid identifies.
struct EntryIdentity {
  struct Match: Equatable {
    var id: ItemID
    var rule: IdentityRule
  }

  // A document may have half a million entries, so the ids of new items are not stored but derived.
  private let entries: ListingEntries
  /// The rules that found the items of the entries, in the order of the document. Nil for repeated entries.
  private var rules: [IdentityRule?]
  /// The items from before, by the places of their entries in the document.
  private var knownIDs: [Int: ItemID] = [:]
  /// The known items that only unusable entries name.
  private(set) var listed: Set<ItemID> = []

  private let playlist: PlaylistName
  /// Guids that occur more than once in the document. They identify nothing.
  private let repeatedGUIDs: Set<String>
  /// Identities under which the document has several URLs. They identify nothing, so the whole URL is used instead.
  private let sharedIdentities: Set<String>
  /// The hashes of the URLs' identities, in the order of the document. Most entries are told apart by them alone.
  private let identityHashes: [Int]
  private var claimed: Set<ItemID> = []
  /// True for songs of a server, whose ids are in their URLs. A server may give the id of one song to another.
  private let isOfServer: Bool
  /// The items whose ids at the server belong to other songs now.
  private var displaced: Set<ItemID> = []
  /// The new entries whose names in the source other items have.
  private var secondNamed: Set<Int> = []

  private struct Triple: Hashable {
    var title: String
    var day: Int64
    var duration: Duration

    init?(title: String?, published: Timestamp?, duration: Duration?) {
      guard let title, let published, let duration else { return nil }
      self.title = title
      day = Self.day(of: published)
      self.duration = duration
    }

    init?(_ entry: ListingEntry) {
      self.init(title: entry.title, published: entry.published, duration: entry.duration)
    }

    static func day(of time: Timestamp) -> Int64 { time.secondsSince1970 / 86_400 }
  }

  /// A song without a date. A server that gave its songs new ids has the same songs.
  private struct Song: Hashable {
    var title: String
    var artist: String
    var album: String
    var duration: Duration

    init?(title: String?, artist: String?, album: String?, duration: Duration?) {
      guard let title, let artist, let album, let duration else { return nil }
      (self.title, self.artist, self.album, self.duration) = (title, artist, album, duration)
    }
  }

  /// - Parameters:
  ///   - known: The playlist's items in the queue.
  ///   - elsewhere: The items of other playlists. Called only if the playlist's own items do not explain every entry.
  init(
    playlist: PlaylistName, known items: [QueueItem], entries: ListingEntries, unusable: [UnusableEntry] = [],
    elsewhere: () -> SharedItems? = { nil }
  ) {
    self.playlist = playlist
    self.entries = entries
    rules = Array(repeating: nil, count: entries.count)
    isOfServer = entries.indices.first.map { SubsonicURL.songID(of: entries.url(at: $0)) != nil } ?? false
    repeatedGUIDs = Self.repeatedGUIDs(entries)
    identityHashes = entries.indices.map { entries.url(at: $0).identity.hashValue }
    sharedIdentities = Self.sharedIdentities(entries, hashes: identityHashes)
    if !items.isEmpty { recognise(unusable, among: items) }
    if rules.contains(nil), let elsewhere = elsewhere() { claimShared(elsewhere) }
    nameNew()
  }

  /// The places in the document of all entries that are items.
  var places: some Sequence<Int> { rules.indices.lazy.filter { rules[$0] != nil } }

  /// The item of the entry at one of the `places`.
  subscript(place: Int) -> Match {
    if let id = knownIDs[place], let rule = rules[place] { return Match(id: id, rule: rule) }
    let (id, rule) = newID(place)
    return Match(id: id, rule: rule)
  }

  private static func repeatedGUIDs(_ entries: ListingEntries) -> Set<String> {
    var index = EntryIndex { entries.guid(at: $0) }
    return Set(entries.indices.compactMap { index.insert($0).flatMap(entries.guid) })
  }

  private static func sharedIdentities(_ entries: ListingEntries, hashes: [Int]) -> Set<String> {
    var index = EntryIndex({ entries.url(at: $0).identity }, hash: { hashes[$0] })
    return Set(
      entries.indices.compactMap { place in
        guard let first = index.insert(place) else { return nil }
        let url = entries.url(at: place)
        return entries.url(at: first) == url ? nil : url.identity
      })
  }

  /// Finds the items that the playlist had before.
  private mutating func recognise(_ unusable: [UnusableEntry], among items: [QueueItem]) {
    // Items that another playlist named first, or that this one named under another key, come second.
    let prefix = "\(playlist):"
    let (own, foreign) = (items.filter { $0.id.text.hasPrefix(prefix) }, items.filter { !$0.id.text.hasPrefix(prefix) })
    let idByName = Dictionary(
      (own + foreign).compactMap { item in nameInSource(item).map { ($0, item.id) } },
      uniquingKeysWith: { first, _ in first })
    let songs = isOfServer ? Dictionary(items.map { ($0.id, $0.item) }, uniquingKeysWith: { $1 }) : [:]
    let byGUID = entries.indices.map { place in nameByGUID(place).flatMap { idByName[$0[...]] } }
    claim(same(songs, byGUID), by: .guid)
    claimRecordings(items)
    let urls = items.map { SubsonicURL.original(of: $0.item.main.url) }
    let idByURL = Dictionary(zip(urls.map(key), items.map(\.id)), uniquingKeysWith: { first, _ in first })
    let hashes = Set(urls.map(\.identity.hashValue))
    let byURL = entries.indices.map { place in
      hashes.contains(identityHashes[place]) ? idByURL[key(of: entries.url(at: place))] : nil
    }
    claim(same(songs, byURL), by: .url)
    let triples = items.compactMap { entry in
      Triple(title: entry.item.title, published: entry.item.published, duration: entry.item.duration)
        .map { ($0, entry.id) }
    }
    let idByTriple = Dictionary(triples, uniquingKeysWith: { first, _ in first })
    let times = Set(idByTriple.keys.map { $0.day })
    let byTriple = entries.indices.map { place -> ItemID? in
      guard rules[place] == nil, let published = entries.published(at: place), times.contains(Triple.day(of: published))
      else { return nil }
      return Triple(entries[place]).flatMap { idByTriple[$0] }
    }
    claim(byTriple, by: .titleDateDuration)
    claimSongs(items)
    listed = Set(
      unusable.compactMap { entry in
        if let id = entry.guid.flatMap({ idByName[Self.name(from: $0)[...]] }) { return id }
        return Triple(title: entry.title, published: entry.published, duration: entry.duration).flatMap {
          idByTriple[$0]
        }
      }
    ).subtracting(claimed)
  }

  /// The guid under which the source had an item last.
  private func nameInSource(_ item: QueueItem) -> Substring? {
    guard isOfServer, let id = SubsonicURL.songID(of: item.item.main.url) else { return item.id.nameInFeed }
    return Self.name(from: id)[...]
  }

  /// Drops each match with a song whose id now belongs to another song of the server.
  private mutating func same(_ songs: [ItemID: Item], _ found: [ItemID?]) -> [ItemID?] {
    guard !songs.isEmpty else { return found }
    var found = found
    for (place, id) in found.enumerated() {
      guard let id, let song = songs[id], isOther(place, song) else { continue }
      found[place] = nil
      displaced.insert(id)
    }
    return found
  }

  /// True if the entry is another song than this one: both the title and the duration differ.
  private func isOther(_ place: Int, _ known: Item) -> Bool {
    guard let title = entries.title(at: place), title != known.title, let duration = known.duration else {
      return false
    }
    return entries[place].duration.map { $0 != duration } ?? false
  }

  /// A code that the source or the library has twice, such as that of a song on a single and on an album, identifies
  /// nothing.
  private mutating func claimRecordings(_ items: [QueueItem]) {
    var (ids, places): ([RecordingCode: ItemID], [RecordingCode: Int]) = ([:], [:])
    var repeated: Set<RecordingCode> = []
    for known in items {
      for code in known.item.recordings where ids.updateValue(known.id, forKey: code) != nil { repeated.insert(code) }
    }
    guard !ids.isEmpty else { return }
    for place in entries.indices {
      for code in entries.recordings(at: place) where ids[code] != nil {
        if places.updateValue(place, forKey: code) != nil { repeated.insert(code) }
      }
    }
    for rule in [IdentityRule.musicBrainz, .isrc] {
      for (code, place) in places.sorted(by: { $0.value < $1.value }) where code.rule == rule && rules[place] == nil {
        if !repeated.contains(code), let id = ids[code] { claim(id, for: place, by: rule) }
      }
    }
  }

  /// A song that occurs twice identifies nothing.
  private mutating func claimSongs(_ items: [QueueItem]) {
    let undated = entries.indices.filter { rules[$0] == nil && entries.published(at: $0) == nil }
    guard !undated.isEmpty else { return }
    let known = items.compactMap { known in
      let item = known.item
      return item.published != nil || claimed.contains(known.id)
        ? nil
        : Song(title: item.title, artist: item.artist, album: item.album, duration: item.duration).map {
          ($0, known.id)
        }
    }
    guard !known.isEmpty else { return }
    let listed = undated.compactMap { place in
      let entry = entries[place]
      return Song(title: entry.title, artist: entry.author, album: entry.album, duration: entry.duration)
        .map { ($0, place) }
    }
    let (ids, places) = (Dictionary(grouping: known, by: \.0), Dictionary(grouping: listed, by: \.0))
    for (song, places) in places {
      guard places.count == 1, let ids = ids[song], ids.count == 1 else { continue }
      claim(ids[0].1, for: places[0].1, by: .titleAlbumDuration)
    }
  }

  /// Assigns what a rule found to the entries that have no item yet. An item is assigned once.
  private mutating func claim(_ found: [ItemID?], by rule: IdentityRule) {
    for (place, id) in found.enumerated() where rules[place] == nil {
      if let id { claim(id, for: place, by: rule) }
    }
  }

  private mutating func claim(_ id: ItemID, for place: Int, by rule: IdentityRule) {
    guard claimed.insert(id).inserted else { return }
    (rules[place], knownIDs[place]) = (rule, id)
  }

  private mutating func claimShared(_ elsewhere: SharedItems) {
    for place in entries.indices where rules[place] == nil && elsewhere.mayHold(identityHash: identityHashes[place]) {
      let (name, rule) = newName(place)
      if let shared = elsewhere.id(named: name[...], at: entries.url(at: place)) { claim(shared, for: place, by: rule) }
    }
    // The other playlist may have named the item before its guid changed.
    for place in entries.indices where rules[place] == nil && elsewhere.mayHold(identityHash: identityHashes[place]) {
      let url = entries.url(at: place)
      let shared = elsewhere.id(at: url, exactly: sharedIdentities.contains(url.identity))
      if let shared { claim(shared, for: place, by: .url) }
    }
  }

  private func newID(_ place: Int) -> (ItemID, IdentityRule) {
    let (name, rule) = newName(place)
    guard let id = ItemID("\(playlist):\(name)") else {
      preconditionFailure("a name and hexadecimal digits make an id")
    }
    return (id, rule)
  }

  /// The name within the source that a new entry gets.
  private func newName(_ place: Int) -> (String, IdentityRule) {
    let guid = nameByGUID(place)
    let (name, rule) = (
      guid ?? Self.name(from: key(of: entries.url(at: place))), guid == nil ? IdentityRule.url : .guid
    )
    guard secondNamed.contains(place) else { return (name, rule) }
    return (Self.name(from: "\(name) \(entries.url(at: place).identity) \(entries.title(at: place) ?? "")"), rule)
  }

  private mutating func nameNew() {
    let (known, entries) = (self, entries)
    var urls = EntryIndex { entries.url(at: $0).text }
    var names = EntryIndex { known.newName($0).0 }
    let prefix = "\(playlist):"
    let taken = Set(
      claimed.union(displaced).lazy.filter { $0.text.hasPrefix(prefix) }.compactMap(\.nameInFeed))
    for place in entries.indices where known.rules[place] != nil { _ = urls.insert(place) }
    for place in entries.indices where known.rules[place] == nil {
      // One URL is one file, under however many guids the document has it.
      guard urls.insert(place) == nil else { continue }
      if taken.contains(newName(place).0[...]) { secondNamed.insert(place) }
      let (name, rule) = newName(place)
      guard names.insert(place, text: name) == nil else { continue }
      rules[place] = rule
    }
  }

  private func nameByGUID(_ place: Int) -> String? {
    entries.guid(at: place).flatMap { repeatedGUIDs.contains($0) ? nil : Self.name(from: $0) }
  }

  private func key(of url: RemoteURL) -> String {
    let identity = url.identity
    return sharedIdentities.contains(identity) ? url.text : identity
  }

  /// The text behind the colon of an id: `world-brief:ep-12` for a short plain guid, `world-brief:3fa9c1d2…` for any
  /// other.
  private static func name(from key: String) -> String {
    let isPlain = key.utf8.count <= 64 && key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    return isPlain ? key : key.fingerprint + String(key.reversed()).fingerprint
  }
}

extension RecordingCode {
  fileprivate var rule: IdentityRule {
    switch self {
    case .musicBrainz: .musicBrainz
    case .isrc: .isrc
    }
  }
}

/// Which entry of a document has a text first, such as a guid. Only the hashes of the texts are held, because a document may
/// have half a million of them; the texts themselves are compared where hashes agree.
struct EntryIndex {
  private var places: [Int: Int32] = [:]
  private let text: (Int) -> String?
  private let hash: ((Int) -> Int)?

  /// - Parameters:
  ///   - text: of the entry at that place in the document.
  ///   - hash: of that text, if the caller has it already.
  init(_ text: @escaping (Int) -> String?, hash: ((Int) -> Int)? = nil) { (self.text, self.hash) = (text, hash) }

  /// Takes the entry at `place` in, unless one with its text is there already.
  /// - Returns: the one that is there; nil also for an entry without the text.
  mutating func insert(_ place: Int) -> Int? {
    let text = text
    if let hash { return insert(place, hash: hash(place)) { text(place) } }
    guard let own = text(place) else { return nil }
    return insert(place, text: own)
  }

  /// - Parameter own: the text of the entry at `place`.
  mutating func insert(_ place: Int, text own: String) -> Int? { insert(place, hash: own.hashValue) { own } }

  private mutating func insert(_ place: Int, hash first: Int, own: () -> String?) -> Int? {
    var hash = first
    while let other = places[hash] {
      if text(Int(other)) == own() { return Int(other) }
      hash &+= 1
    }
    places[hash] = Int32(truncatingIfNeeded: place)
    return nil
  }
}
