// SPDX-License-Identifier: Apache-2.0

/// The items of feeds, for the feeds of other playlists: the same guid with the same URL is the same item, whichever
/// playlist named it first. What has no guid is named by its URL alone.
struct SharedItems {
  private var items: [Substring: [(id: ItemID, url: RemoteURL)]] = [:]

  /// - Parameter known: those of the queue; items that the manifest itself names are known by their ids alone.
  init(_ known: BoxedArray<QueueItem>) {
    for index in known.indices where known[index].matchedBy != nil { add(known[index].item) }
  }

  mutating func add(_ item: Item) {
    guard let name = item.id.nameInFeed else { return }
    items[name, default: []].append((item.id, item.main.url))
  }

  /// - Parameter name: of the episode within its feed.
  func id(named name: Substring, at url: RemoteURL) -> ItemID? {
    items[name]?.first { $0.url.identity == url.identity }?.id
  }
}

extension ItemID {
  /// Of an episode: what follows the name of the playlist that named it first.
  var nameInFeed: Substring? {
    text.utf8.firstIndex(of: UInt8(ascii: ":")).map { text[text.utf8.index(after: $0)...] }
  }

  /// The id that the episode has in another playlist.
  func renamed(to playlist: PlaylistName) -> ItemID { nameInFeed.flatMap { ItemID("\(playlist):\($0)") } ?? self }
}
