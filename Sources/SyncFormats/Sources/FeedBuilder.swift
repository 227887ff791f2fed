// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// Builds a feed from the events of its document: RSS 0.9x, 1.0 and 2.0 or Atom, with the additions of Apple, Media RSS
/// and Dublin Core.
final class FeedBuilder: XMLHandler {
  enum Dialect {
    case rss
    /// RSS 1.0 and 0.9, whose items and image are next to the channel.
    case rdf
    case atom

    /// Nil for the root of another document.
    init?(root: XMLName) {
      switch root.local.lowercased() {
      case "rss": self = .rss
      case "rdf" where root.namespace == "http://www.w3.org/1999/02/22-rdf-syntax-ns#": self = .rdf
      // A default namespace that is none of Atom's counts as that of RSS.
      case "feed" where root.vocabulary == .atom || root.namespace == nil: self = .atom
      default: return nil
      }
    }
  }

  private(set) var root: XMLName?
  private var dialect = Dialect.rss
  private(set) var flaws = ListingFlaws()
  private var episodes = ListingEntries()
  /// The number of entries so far.
  private var entries = 0
  /// Entries with nothing to fetch.
  private var unusable: [UnusableEntry] = []
  private let maximumEntries: Int
  /// True if the feed has more entries than are read.
  private(set) var isFull = false
  private var channel: [FeedField: String] = [:]
  private var item: FeedItem?
  /// The field being read, its depth, its line, and its text so far.
  private var reading: (field: FeedField, depth: Int, line: Int, text: FeedText)?
  private var container: (kind: FeedContainer, depth: Int)?
  /// Those of the channel.
  private var references = FeedReferences()
  /// The language of the document, if its channel states none.
  private var language: String?
  /// The bases of relative references: the document's own address, then each `xml:base` with the depth of its element.
  private var bases: [(depth: Int, url: RemoteURL?)]
  /// The depth of the element being read: 1 is the root. In RSS, 2 is the channel and 3 its fields and items; some feeds
  /// have their items next to the channel or without one, at 2. In Atom, 2 is a field of the feed or an entry.
  private var depth = 0
  /// The depth of the item being read.
  private var itemDepth: Int?
  /// False in an element of RSS 1.0 next to the channel, such as its image.
  private var isInChannel = true

  /// - Parameter base: the document's address; nil when it has none.
  init(base: RemoteURL?, maximumEntries: Int) {
    bases = [(0, base)]
    self.maximumEntries = maximumEntries
  }

  /// Hands over what was read. Items without an author of their own have the channel's.
  func finish(_ completeness: Completeness, _ flaws: ListingFlaws) -> Listing {
    var episodes = ListingEntries()
    swap(&episodes, &self.episodes)
    let author = channel[.itunesAuthor] ?? channel[.dublinCoreCreator] ?? channel[.personName]
    episodes.complete(author: author, isExplicit: channel[.itunesExplicit].map(FeedItem.isExplicit))
    var listing = Listing(
      title: channel[.title] ?? channel[.itunesTitle], entries: episodes, unusable: unusable,
      completeness: completeness, flaws: flaws)
    (listing.author, listing.image, listing.newAddress) = (author, references.image, newAddress)
    listing.language = channel[.language] ?? language
    listing.next = references.next
    if listing.next == .unusable { listing.flaws.append(.badPage) }
    return listing
  }

  /// The address in `itunes:new-feed-url` of the channel. Nil unless it is whole.
  private var newAddress: RemoteURL? {
    guard let text = channel[.itunesNewFeedURL] else { return nil }
    do throws(RemoteURL.Problem) { return try RemoteURL(text) } catch { return nil }
  }

  func start(_ name: XMLName, _ attributes: [XMLAttribute], line: Int) {
    depth += 1
    if depth == 1 {
      root = name
      dialect = Dialect(root: name) ?? .rss
      language = attributes.first { $0.name.isLanguage }?.value.collapsed
    }
    guard reading == nil else { return read(tag: name) }
    takeBase(attributes)
    if depth == 2, dialect == .rdf {
      isInChannel = name.local == "channel"
      if name.local == "image", name.vocabulary == .rss { container = (.image, depth) }
    }
    if item == nil, isEntry(name) {
      entries += 1
      (item, itemDepth) = (FeedItem(place: (entries, line)), depth)
      if dialect == .rdf { item?.texts[.guid] = attributes.first { $0.name.local == "about" }?.value.collapsed }
    } else if depth == fieldDepth, item != nil || isInChannel {
      if let kind = FeedContainer(name, isAtom: dialect == .atom) {
        container = (kind, depth)
        // One more than counts, which takes the children of all further ones.
        if kind == .alternateEnclosure, item?.alternates.count ?? 0 <= AlternateEnclosure.maximumCount {
          item?.alternates.append(AlternateEnclosure(attributes))
        }
      } else {
        begin(name, attributes, line)
      }
    } else if let container, depth == container.depth + 1 {
      begin(name, attributes, line, in: container.kind)
    }
  }

  func end() {
    if let reading, reading.depth == depth { endField(reading.field, reading.text, line: reading.line) }
    if depth == container?.depth { container = nil }
    if depth == itemDepth, let ended = item {
      (item, itemDepth) = (nil, nil)
      if entries > maximumEntries {
        isFull = true
      } else if let episode = ended.episode(&flaws) {
        episodes.append(episode)
      } else {
        unusable.append(ended.unusable)
      }
    }
    if bases[bases.count - 1].depth == depth { bases.removeLast() }
    depth -= 1
  }

  func text(_ bytes: Span<UInt8>) { reading?.text.append(bytes) }

  private func isEntry(_ name: XMLName) -> Bool {
    if dialect == .atom { return depth == 2 && name.local == "entry" && name.vocabulary(isAtom: true) == .atom }
    return (depth == 2 || depth == 3) && name.local == "item" && name.vocabulary == .rss
  }

  /// The depth of the fields of the item being read, or else of the feed.
  private var fieldDepth: Int { itemDepth.map { $0 + 1 } ?? (dialect == .atom ? 2 : 3) }

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

  private func begin(
    _ name: XMLName, _ attributes: [XMLAttribute], _ line: Int, in container: FeedContainer? = nil
  ) {
    let isAtom = dialect == .atom
    if container == .chapters {
      guard let marks = item?.marks, marks.count < ChapterMark.maximumCount else { return }
      if let mark = ChapterMark(name, attributes) { item?.marks.append(mark) }
      return
    }
    if container == .alternateEnclosure {
      guard let last = item?.alternates.indices.last, last < AlternateEnclosure.maximumCount else { return }
      item?.alternates[last].take(name, attributes, base: bases[bases.count - 1].url)
    } else if let reference = FeedReference(name, attributes, isAtom: isAtom) {
      add(reference.kind, reference.url)
    } else if let field = FeedField(name, isAtom: isAtom) {
      if field.container == container || field.container == nil && container == .mediaGroup {
        reading = (field, depth, line, FeedText())
      }
    } else if container == .person || container == .image {
      return
    } else if name.local == "content", name.vocabulary == .media {
      if let file = located(FeedEnclosure(media: attributes), line) { item?.addMedia(file) }
    } else if let file = located(FeedEnclosure(name, attributes, isAtom: isAtom), line) {
      item?.addEnclosure(file)
    }
  }

  private func add(_ kind: FeedReference.Kind, _ text: String) {
    let base = bases[bases.count - 1].url
    if item == nil { references.add(kind, text, base: base) } else { item?.references.add(kind, text, base: base) }
  }

  private func located(_ enclosure: FeedEnclosure?, _ line: Int) -> FeedEnclosure? {
    guard var enclosure else { return nil }
    (enclosure.base, enclosure.line) = (bases[bases.count - 1].url, line)
    return enclosure
  }

  private func endField(_ field: FeedField, _ text: FeedText, line: Int) {
    reading = nil
    guard let text = field.isShown ? text.shown : text.collapsed else { return }
    if case .address(let kind) = field { return add(kind, text) }
    if case .date(let kind) = field { item?.add(kind, text, line: line) }
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
  fileprivate var isLanguage: Bool { local == "lang" && prefix == "xml" }
}
