// SPDX-License-Identifier: Apache-2.0

/// The items of feeds, looked up for the feeds of other playlists. The same guid with the same URL is the same item,
/// whichever playlist named it first. An episode without a guid is identified by its URL alone.
struct SharedItems {
  private var items: [Substring: [(id: ItemID, url: RemoteURL)]] = [:]

  /// - Parameter known: The items of the queue. Items that the manifest itself lists are known by their ids alone.
  init(_ known: BoxedArray<QueueItem>) {
    for index in known.indices where known[index].matchedBy != nil { add(known[index].item) }
  }

  mutating func add(_ item: Item) {
    guard let name = item.id.nameInFeed else { return }
    items[name, default: []].append((item.id, item.main.url))
  }

  /// - Parameter name: The episode's name within its feed.
  func id(named name: Substring, at url: RemoteURL) -> ItemID? {
    items[name]?.first { $0.url.identity == url.identity }?.id
  }
}

extension ItemID {
  /// The name of an episode within its feed: the text after the name of the playlist that named it first.
  var nameInFeed: Substring? {
    text.utf8.firstIndex(of: UInt8(ascii: ":")).map { text[text.utf8.index(after: $0)...] }
  }

  /// The id of the same episode in another playlist.
  func renamed(to playlist: PlaylistName) -> ItemID { nameInFeed.flatMap { ItemID("\(playlist):\($0)") } ?? self }
}
