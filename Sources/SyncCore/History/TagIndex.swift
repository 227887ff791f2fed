// SPDX-License-Identifier: Apache-2.0

/// The items of a queue by their tags. One lookup finds an item, however many items share its title.
struct TagIndex {
  /// The items with the same key.
  private struct Group {
    var first: ItemID
    var count: Int
  }

  private struct Key: Hashable {
    enum Scope: Hashable {
      case artist(String)
      /// Items without a known artist.
      case withoutArtist
      case anyArtist
    }
    var title: String
    var scope: Scope
    /// Nil matches any album.
    var album: String?
  }

  private var groups: [Key: Group] = [:]

  init(_ items: [Item]) {
    groups.reserveCapacity(items.count * 2)
    for item in items {
      let (title, artist, album) = (item.title.tagKey, item.artist?.tagKey, item.album?.tagKey)
      for scope in [artist.map(Key.Scope.artist) ?? .withoutArtist, .anyArtist] {
        add(item.id, Key(title: title, scope: scope))
        if let album { add(item.id, Key(title: title, scope: scope, album: album)) }
      }
    }
  }

  private mutating func add(_ id: ItemID, _ key: Key) {
    groups[key, default: Group(first: id, count: 0)].count += 1
  }

  /// Matches by artist and title. If several items match, the album decides.
  /// Items without a known artist are the second choice.
  func match(_ tags: TrackTags) -> ListeningMatcher.Match {
    let (title, album) = (tags.title.tagKey, tags.album?.tagKey)
    guard let artist = tags.artist?.tagKey else { return match(title, .anyArtist, album) }
    let same = match(title, .artist(artist), album)
    return same == .unknown ? match(title, .withoutArtist, album) : same
  }

  private func match(_ title: String, _ scope: Key.Scope, _ album: String?) -> ListeningMatcher.Match {
    guard let group = groups[Key(title: title, scope: scope)] else { return .unknown }
    if group.count == 1 { return .item(group.first) }
    guard let album, let narrow = groups[Key(title: title, scope: scope, album: album)], narrow.count == 1 else {
      return .ambiguous
    }
    return .item(narrow.first)
  }
}
