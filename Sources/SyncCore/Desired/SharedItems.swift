// SPDX-License-Identifier: Apache-2.0

/// The items of feeds, looked up for the feeds of other playlists. The same guid with the same URL is the same item,
/// whichever playlist named it first. An entry without a guid is identified by its URL alone. So is one whose guid is
/// unknown, because the guid may have changed since the item was named: a changed guid with the same URL is not a new
/// entry.
struct SharedItems {
  private struct Place {
    let id: ItemID
    let url: RemoteURL
  }

  private var items: [Substring: [Place]] = [:]
  /// By the hash of the URL's identity. The identities themselves would take too much memory.
  private var itemsByURL: [Int: [Place]] = [:]

  /// - Parameter known: The items of the queue. Items that the manifest itself lists are known by their ids alone.
  init(_ known: BoxedArray<QueueItem>) {
    for index in known.indices where known[index].matchedBy != nil { add(known[index].item) }
  }

  mutating func add(_ item: Item) {
    guard let name = item.id.nameInFeed else { return }
    let place = Place(id: item.id, url: SubsonicURL.original(of: item.main.url))
    items[name, default: []].append(place)
    itemsByURL[place.url.identity.hashValue, default: []].append(place)
  }

  /// False if no item has a URL whose identity has this hash.
  func mayHold(identityHash hash: Int) -> Bool { itemsByURL[hash] != nil }

  /// - Parameter name: The entry's name within its feed.
  func id(named name: Substring, at url: RemoteURL) -> ItemID? {
    items[name]?.first { $0.url.identity == url.identity }?.id
  }

  /// The only item at this URL, or the only one at exactly this URL if servers' parameters differ.
  /// - Parameter exactly: True if the parameters of a URL count.
  func id(at url: RemoteURL, exactly: Bool) -> ItemID? {
    let identity = url.identity
    let found = (itemsByURL[identity.hashValue] ?? []).filter { $0.url.identity == identity }
    let same = found.filter { $0.url == url }
    let candidates = exactly || !same.isEmpty ? same : found
    return Set(candidates.map(\.id)).count == 1 ? candidates[0].id : nil
  }
}

extension ItemID {
  /// The name of an entry within its feed: the text after the name of the playlist that named it first.
  var nameInFeed: Substring? {
    text.utf8.firstIndex(of: UInt8(ascii: ":")).map { text[text.utf8.index(after: $0)...] }
  }

  /// The id of the same entry in another playlist.
  func renamed(to playlist: PlaylistName) -> ItemID { nameInFeed.flatMap { ItemID("\(playlist):\($0)") } ?? self }
}
