// SPDX-License-Identifier: Apache-2.0

/// Recognises the episodes of one feed: by guid, otherwise by normalised URL, otherwise by title, day and duration
/// (SPEC §2.3).
///
/// Each rule is applied to the whole document before the next one. A new episode that shares a title and a day with an
/// old one, or precedes it with the same URL, therefore never takes an item that a guid identifies.
struct EpisodeIdentity {
  struct Match: Equatable {
    var id: ItemID
    var rule: IdentityRule
  }

  /// The items of the episodes, in the order of the document. Nil for repeated episodes.
  private(set) var matches: [Match?]
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
  ///   - elsewhere: The items of other playlists. Called only if the playlist's own items do not explain every episode.
  init(
    playlist: PlaylistName, known items: [QueueItem], episodes: [Episode], unusable: [UnusableEntry] = [],
    elsewhere: () -> SharedItems? = { nil }
  ) {
    self.playlist = playlist
    matches = Array(repeating: nil, count: episodes.count)
    repeatedGUIDs = Self.repeatedGUIDs(episodes)
    sharedIdentities = Self.sharedIdentities(episodes)
    if !items.isEmpty { recognise(episodes, unusable, among: items) }
    if matches.contains(nil), let elsewhere = elsewhere() { claimShared(episodes, elsewhere) }
    nameNew(episodes)
  }

  private static func repeatedGUIDs(_ episodes: [Episode]) -> Set<String> {
    var index = EpisodeIndex { episodes[$0].guid }
    return Set(episodes.indices.compactMap { index.insert($0).flatMap { episodes[$0].guid } })
  }

  private static func sharedIdentities(_ episodes: [Episode]) -> Set<String> {
    var index = EpisodeIndex { episodes[$0].url.identity }
    return Set(
      episodes.indices.compactMap { place in
        guard let first = index.insert(place), episodes[first].url != episodes[place].url else { return nil }
        return episodes[place].url.identity
      })
  }

  /// Finds the items that the playlist had before.
  private mutating func recognise(_ episodes: [Episode], _ unusable: [UnusableEntry], among items: [QueueItem]) {
    let known = Set(items.map(\.id))
    // Items that another playlist named first, or that this one named under another key.
    let prefix = "\(playlist):"
    let foreign = items.lazy.map(\.id).filter { !$0.text.hasPrefix(prefix) }
    let foreignByName = Dictionary(
      foreign.compactMap { id in id.nameInFeed.map { ($0, id) } }, uniquingKeysWith: { first, _ in first })
    func knownID(_ id: ItemID) -> ItemID? {
      known.contains(id) ? id : foreign.isEmpty ? nil : id.nameInFeed.flatMap { foreignByName[$0] }
    }
    claim(episodes.map { guidID($0).flatMap(knownID) }, by: .guid)
    let idByURL = Dictionary(items.map { (key(of: $0.item.main.url), $0.id) }, uniquingKeysWith: { first, _ in first })
    claim(episodes.map { idByURL[key(of: $0.url)] }, by: .url)
    let triples = items.compactMap { entry in
      Triple(title: entry.item.title, published: entry.item.published, duration: entry.item.duration)
        .map { ($0, entry.id) }
    }
    let idByTriple = Dictionary(triples, uniquingKeysWith: { first, _ in first })
    let byTriple = episodes.map { episode in
      Triple(title: episode.title, published: episode.published, duration: episode.duration).flatMap { idByTriple[$0] }
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

  /// Assigns the items that a rule found to episodes without a match. An item that is assigned already is skipped.
  private mutating func claim(_ found: [ItemID?], by rule: IdentityRule) {
    for (index, id) in found.enumerated() where matches[index] == nil {
      if let id, claimed.insert(id).inserted { matches[index] = Match(id: id, rule: rule) }
    }
  }

  private mutating func claimShared(_ episodes: [Episode], _ elsewhere: SharedItems) {
    for (index, episode) in episodes.enumerated() where matches[index] == nil {
      let (id, rule) = newID(episode)
      if let shared = id.nameInFeed.flatMap({ elsewhere.id(named: $0, at: episode.url) }),
        claimed.insert(shared).inserted
      {
        matches[index] = Match(id: shared, rule: rule)
      }
    }
  }

  private func newID(_ episode: Episode) -> (ItemID, IdentityRule) {
    guidID(episode).map { ($0, .guid) } ?? (id(from: key(of: episode.url)), .url)
  }

  private mutating func nameNew(_ episodes: [Episode]) {
    var places = EpisodeIndex { episodes[$0].url.text }
    for index in episodes.indices where matches[index] != nil { _ = places.insert(index) }
    for (index, episode) in episodes.enumerated() where matches[index] == nil {
      let (id, rule) = newID(episode)
      let new = Match(id: id, rule: rule)
      // One URL is one file, even if the document lists it under several guids.
      guard places.insert(index) == nil, claimed.insert(new.id).inserted else { continue }
      matches[index] = new
    }
  }

  private func guidID(_ episode: Episode) -> ItemID? {
    episode.guid.flatMap { repeatedGUIDs.contains($0) ? nil : id(from: $0) }
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
    let kept = query.split(separator: "&").filter { !Self.isPassing($0.prefix { $0 != "=" }.lowercased()) }
    return "\(host):\(port == 443 ? 80 : port)\(path)" + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }

  private static func isPassing(_ parameter: String) -> Bool {
    ["utm_", "x-amz-", "x-goog-"].contains { parameter.hasPrefix($0) }
      || [
        "token", "access_token", "auth", "sig", "signature", "expires", "expiry", "exp", "policy", "key-pair-id",
        "hash",
        "ts", "timestamp", "nonce", "session", "sid",
      ].contains(parameter)
  }
}
