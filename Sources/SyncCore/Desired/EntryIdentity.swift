// SPDX-License-Identifier: Apache-2.0

/// Recognises the entries of one feed: by guid, otherwise by normalised URL, otherwise by title, day and duration
/// (docs/manual/feeds.md).
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
  private var claimed: Set<ItemID> = []

  private struct Triple: Hashable {
    var title: String
    var day: Int64
    var duration: Duration

    init?(title: String?, published: Timestamp?, duration: Duration?) {
      guard let title, let published, let duration else { return nil }
      self.title = title
      day = published.secondsSince1970 / 86_400
      self.duration = duration
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
    repeatedGUIDs = Self.repeatedGUIDs(entries)
    sharedIdentities = Self.sharedIdentities(entries)
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

  private static func sharedIdentities(_ entries: ListingEntries) -> Set<String> {
    var index = EntryIndex { entries.url(at: $0).identity }
    return Set(
      entries.indices.compactMap { place in
        guard let first = index.insert(place) else { return nil }
        let url = entries.url(at: place)
        return entries.url(at: first) == url ? nil : url.identity
      })
  }

  /// Finds the items that the playlist had before.
  private mutating func recognise(_ unusable: [UnusableEntry], among items: [QueueItem]) {
    let known = Set(items.map(\.id))
    // Items that another playlist named first, or that this one named under another key.
    let prefix = "\(playlist):"
    let foreign = items.lazy.map(\.id).filter { !$0.text.hasPrefix(prefix) }
    let foreignByName = Dictionary(
      foreign.compactMap { id in id.nameInFeed.map { ($0, id) } }, uniquingKeysWith: { first, _ in first })
    func knownID(_ id: ItemID) -> ItemID? {
      known.contains(id) ? id : foreign.isEmpty ? nil : id.nameInFeed.flatMap { foreignByName[$0] }
    }
    claim(entries.indices.map { guidID($0).flatMap(knownID) }, by: .guid)
    let idByURL = Dictionary(items.map { (key(of: $0.item.main.url), $0.id) }, uniquingKeysWith: { first, _ in first })
    claim(entries.indices.map { idByURL[key(of: entries.url(at: $0))] }, by: .url)
    let triples = items.compactMap { entry in
      Triple(title: entry.item.title, published: entry.item.published, duration: entry.item.duration)
        .map { ($0, entry.id) }
    }
    let idByTriple = Dictionary(triples, uniquingKeysWith: { first, _ in first })
    let byTriple = entries.map { entry in
      Triple(title: entry.title, published: entry.published, duration: entry.duration).flatMap { idByTriple[$0] }
    }
    claim(byTriple, by: .titleDateDuration)
    listed = Set(
      unusable.compactMap { entry in
        if let id = entry.guid.flatMap({ knownID(id(from: $0)) }) { return id }
        return Triple(title: entry.title, published: entry.published, duration: entry.duration).flatMap {
          idByTriple[$0]
        }
      }
    ).subtracting(claimed)
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
    for place in entries.indices where rules[place] == nil {
      let (id, rule) = newID(place)
      if let shared = id.nameInFeed.flatMap({ elsewhere.id(named: $0, at: entries.url(at: place)) }) {
        claim(shared, for: place, by: rule)
      }
    }
    // The other playlist may have named the item before its guid changed.
    for place in entries.indices where rules[place] == nil {
      let url = entries.url(at: place)
      let shared = elsewhere.id(at: url, exactly: sharedIdentities.contains(url.identity))
      if let shared { claim(shared, for: place, by: .url) }
    }
  }

  private func newID(_ place: Int) -> (ItemID, IdentityRule) {
    guidID(place).map { ($0, .guid) } ?? (id(from: key(of: entries.url(at: place))), .url)
  }

  private mutating func nameNew() {
    let (known, entries) = (self, entries)
    var urls = EntryIndex { entries.url(at: $0).text }
    var ids = EntryIndex { known.newID($0).0.text }
    for place in entries.indices where known.rules[place] != nil { _ = urls.insert(place) }
    for place in entries.indices where known.rules[place] == nil {
      let (id, rule) = newID(place)
      // One URL is one file, under however many guids the document has it.
      guard urls.insert(place) == nil, !claimed.contains(id), ids.insert(place) == nil else { continue }
      rules[place] = rule
    }
  }

  private func guidID(_ place: Int) -> ItemID? {
    entries.guid(at: place).flatMap { repeatedGUIDs.contains($0) ? nil : id(from: $0) }
  }

  private func key(of url: RemoteURL) -> String {
    let identity = url.identity
    return sharedIdentities.contains(identity) ? url.text : identity
  }

  /// `world-brief:ep-12` for a short plain guid, `world-brief:3fa9c1d2…` for any other.
  private func id(from key: String) -> ItemID {
    let isPlain = key.utf8.count <= 64 && key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    let tail = isPlain && !key.contains("/") ? key : key.fingerprint + String(key.reversed()).fingerprint
    guard let id = ItemID("\(playlist):\(tail)") else {
      preconditionFailure("a name and hexadecimal digits make an id")
    }
    return id
  }
}

extension RemoteURL {
  /// The part of a URL that does not change when a server signs, counts or tracks: without the scheme, the fragment and
  /// the parameters known for these purposes.
  package var identity: String {
    let query = text.firstIndex(of: "?").map { text[text.index(after: $0)...] } ?? ""
    let kept = query.split(separator: "&").filter { !Self.isTransient($0.prefix { $0 != "=" }.lowercased()) }
    return "\(host):\(port == 443 ? 80 : port)\(path)" + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }

  private static func isTransient(_ parameter: String) -> Bool {
    ["utm_", "x-amz-", "x-goog-"].contains { parameter.hasPrefix($0) }
      || [
        "token", "access_token", "auth", "sig", "signature", "expires", "expiry", "exp", "policy", "key-pair-id",
        "hash",
        "ts", "timestamp", "nonce", "session", "sid",
      ].contains(parameter)
  }
}

/// Which entry of a document has a text first, such as a guid. Only the hashes of the texts are held, because a document may
/// have half a million of them; the texts themselves are compared where hashes agree.
struct EntryIndex {
  private var places: [Int: Int32] = [:]
  private let text: (Int) -> String?

  /// - Parameter text: of the entry at that place in the document.
  init(_ text: @escaping (Int) -> String?) { self.text = text }

  /// Takes the entry at `place` in, unless one with its text is there already.
  /// - Returns: the one that is there; nil also for an entry without the text.
  mutating func insert(_ place: Int) -> Int? {
    guard let own = text(place) else { return nil }
    var hash = own.hashValue
    while let other = places[hash] {
      if text(Int(other)) == own { return Int(other) }
      hash &+= 1
    }
    places[hash] = Int32(truncatingIfNeeded: place)
    return nil
  }
}
