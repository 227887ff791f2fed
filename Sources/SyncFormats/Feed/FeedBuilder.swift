// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// Gathers a feed from the events of its document: RSS 2.0 with Apple's additions.
final class FeedBuilder: XMLHandler {
  private(set) var root: XMLName?
  private(set) var notes: [FeedNote] = []
  private var episodes: [Episode] = []
  /// Entries with nothing to fetch.
  private(set) var unusable: [UnusableEntry] = []
  private var channel: [FeedField: String] = [:]
  private var item: FeedItem?
  /// The field being read, its depth, and its text so far.
  private var reading: (field: FeedField, depth: Int, text: FeedText)?
  /// Depth of the element being read: 1 is the root, 2 the channel, 3 its fields and items. Some feeds have their items
  /// beside the channel or without one, at 2.
  private var depth = 0
  /// Depth of the item being read.
  private var itemDepth: Int?

  /// What was read, with the channel's author and the channel's word on its language where an item has none of its own.
  var feed: (title: String?, episodes: [Episode]) {
    var episodes = episodes
    if let author = channel[.itunesAuthor] {
      for index in episodes.indices where episodes[index].author == nil { episodes[index].author = author }
    }
    if let isExplicit = channel[.itunesExplicit].map(FeedItem.isExplicit) {
      for index in episodes.indices where episodes[index].traits.isExplicit == nil {
        episodes[index].traits.isExplicit = isExplicit
      }
    }
    return (channel[.title] ?? channel[.itunesTitle], episodes)
  }

  func start(_ name: XMLName, _ attributes: [XMLAttribute]) {
    depth += 1
    if depth == 1 { root = name }
    guard reading == nil else { return }
    if item == nil, depth == 2 || depth == 3, name.local == "item", name.vocabulary == .rss {
      (item, itemDepth) = (FeedItem(), depth)
    } else if depth == itemDepth.map({ $0 + 1 }) ?? 3 {
      begin(name, attributes)
    }
  }

  func end() {
    if let reading, reading.depth == depth { endField(reading.field, reading.text) }
    if depth == itemDepth, let ended = item {
      (item, itemDepth) = (nil, nil)
      if let episode = ended.episode(notes: &notes) {
        episodes.append(episode)
      } else {
        unusable.append(ended.unusable)
      }
    }
    depth -= 1
  }

  func text(_ bytes: Span<UInt8>) { reading?.text.append(bytes) }

  private func begin(_ name: XMLName, _ attributes: [XMLAttribute]) {
    if let field = FeedField(name) {
      reading = (field, depth, FeedText())
    } else if name.local == "enclosure", name.vocabulary == .rss {
      func value(_ local: String) -> String? { attributes.first { $0.name.local == local }?.value }
      let enclosure = FeedItem.Enclosure(url: value("url"), type: value("type"), length: value("length"))
      if let enclosure { item?.enclosures.append(enclosure) }
    }
  }

  private func endField(_ field: FeedField, _ text: FeedText) {
    reading = nil
    guard let text = text.collapsed else { return }
    if item == nil {
      channel[field] = channel[field] ?? text
    } else if item?.texts[field] == nil {
      item?.texts[field] = text
    }
  }
}
