// SPDX-License-Identifier: Apache-2.0

/// Recognises the episodes of one feed: by guid, else by normalised URL, else by title, day and duration (SPEC §2.3).
struct EpisodeIdentity {
  struct Match: Equatable {
    var id: ItemID
    var rule: IdentityRule
  }

  private let playlist: PlaylistName
  private let known: Set<ItemID>
  private let idByURL: [String: ItemID]
  private let idByTriple: [Triple: ItemID]
  /// A guid that a document has more than once tells nothing.
  private let repeatedGUIDs: Set<String>
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

  /// - Parameter known: the playlist's items that the queue remembers.
  init(playlist: PlaylistName, known items: [QueueItem], episodes: [Episode]) {
    self.playlist = playlist
    known = Set(items.map(\.id))
    idByURL = Dictionary(items.map { ($0.item.main.url.identity, $0.id) }, uniquingKeysWith: { first, _ in first })
    idByTriple = Dictionary(
      items.compactMap { entry in
        Triple(title: entry.item.title, published: entry.item.published, duration: entry.item.duration)
          .map { ($0, entry.id) }
      }, uniquingKeysWith: { first, _ in first })
    let counts = episodes.compactMap(\.guid).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    repeatedGUIDs = Set(counts.filter { $0.value > 1 }.keys)
  }

  /// The item that `episode` is; nil when the document has it a second time.
  mutating func match(_ episode: Episode) -> Match? {
    let guidID = episode.guid.flatMap { repeatedGUIDs.contains($0) ? nil : id(from: $0) }
    let urlID = idByURL[episode.url.identity]
    let tripleID = Triple(title: episode.title, published: episode.published, duration: episode.duration)
      .flatMap { idByTriple[$0] }
    let remembered: [(ItemID?, IdentityRule)] = [
      (guidID.flatMap { known.contains($0) ? $0 : nil }, .guid), (urlID, .url), (tripleID, .titleDateDuration),
    ]
    for case (let id?, let rule) in remembered where !claimed.contains(id) {
      claimed.insert(id)
      return Match(id: id, rule: rule)
    }
    let new = guidID.map { Match(id: $0, rule: .guid) } ?? Match(id: id(from: episode.url.identity), rule: .url)
    return claimed.insert(new.id).inserted ? new : nil
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
  /// What stays the same when a server signs, counts or tracks: without scheme, fragment and the parameters known for that.
  var identity: String {
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
