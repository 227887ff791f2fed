// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// Builds a feed from the events of its document: RSS 2.0 with Apple's additions.
final class FeedBuilder: XMLHandler {
  private(set) var root: XMLName?
  private(set) var flaws = ListingFlaws()
  private var episodes = ListingEntries()
  /// The number of entries so far.
  private var entries = 0
  /// Entries with nothing to fetch.
  private(set) var unusable: [UnusableEntry] = []
  private var channel: [FeedField: String] = [:]
  private var item: FeedItem?
  /// The field being read, its depth, and its text so far.
  private var reading: (field: FeedField, depth: Int, text: FeedText)?
  /// The bases of relative references: the document's own address, then each `xml:base` with the depth of its element.
  private var bases: [(depth: Int, url: RemoteURL?)]
  /// The depth of the element being read: 1 is the root, 2 the channel, 3 its fields and items. Some feeds have their
  /// items next to the channel or without one, at 2.
  private var depth = 0
  /// The depth of the item being read.
  private var itemDepth: Int?

  /// - Parameter base: the document's address; nil when it has none.
  init(base: RemoteURL?) { bases = [(0, base)] }

  /// Hands over what was read. Items without an author of their own have the channel's.
  func finish() -> (title: String?, entries: ListingEntries) {
    var episodes = ListingEntries()
    swap(&episodes, &self.episodes)
    episodes.complete(author: channel[.itunesAuthor], isExplicit: channel[.itunesExplicit].map(FeedItem.isExplicit))
    return (channel[.title] ?? channel[.itunesTitle], episodes)
  }

  func start(_ name: XMLName, _ attributes: [XMLAttribute], line: Int) {
    depth += 1
    if depth == 1 { root = name }
    guard reading == nil else { return read(tag: name) }
    takeBase(attributes)
    if item == nil, depth == 2 || depth == 3, name.local == "item", name.vocabulary == .rss {
      entries += 1
      (item, itemDepth) = (FeedItem(place: (entries, line)), depth)
    } else if depth == itemDepth.map({ $0 + 1 }) ?? 3 {
      begin(name, attributes, line)
    }
  }

  func end() {
    if let reading, reading.depth == depth { endField(reading.field, reading.text) }
    if depth == itemDepth, let ended = item {
      (item, itemDepth) = (nil, nil)
      if let episode = ended.episode(&flaws) {
        episodes.append(episode)
      } else {
        unusable.append(ended.unusable)
      }
    }
    if bases[bases.count - 1].depth == depth { bases.removeLast() }
    depth -= 1
  }

  func text(_ bytes: Span<UInt8>) { reading?.text.append(bytes) }

  /// A tag inside a text that should have been escaped.
  private func read(tag: XMLName) {
    if HTMLElement(name: tag.local.lowercased())?.breaksText == true { reading?.text.appendBreak() }
  }

  /// Resolved against the surrounding base (XML Base §4.2). An invalid one leaves relative references without a base.
  private func takeBase(_ attributes: [XMLAttribute]) {
    guard let text = attributes.first(where: { $0.name.isBase })?.value.collapsed else { return }
    do throws(RemoteURL.Problem) {
      bases.append((depth, try RemoteURL(reference: text, base: bases[bases.count - 1].url)))
    } catch { bases.append((depth, nil)) }
  }

  private func begin(_ name: XMLName, _ attributes: [XMLAttribute], _ line: Int) {
    if let field = FeedField(name) {
      reading = (field, depth, FeedText())
      if field == .published, item?.dateLine == nil { item?.dateLine = line }
    } else if name.local == "enclosure", name.vocabulary == .rss {
      func value(_ local: String) -> String? { attributes.first { $0.name.local == local }?.value }
      var enclosure = FeedItem.Enclosure(url: value("url"), type: value("type"), length: value("length"))
      enclosure?.base = bases[bases.count - 1].url
      enclosure?.line = line
      if let enclosure { item?.enclosures.append(enclosure) }
    }
  }

  private func endField(_ field: FeedField, _ text: FeedText) {
    reading = nil
    guard let text = field.isShown ? text.shown : text.collapsed else { return }
    if item == nil {
      channel[field] = channel[field] ?? text
    } else if item?.texts[field] == nil {
      item?.texts[field] = text
    }
  }
}

extension XMLName {
  /// `xml:base`, whose prefix needs no declaration (Namespaces in XML §3).
  fileprivate var isBase: Bool { local == "base" && prefix == "xml" }
}
