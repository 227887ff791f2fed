// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// Builds a listing of feeds from the events of an OPML document. An outline without `xmlUrl` is a folder of the outlines
/// in it.
final class OutlineBuilder: XMLHandler {
  /// The largest number of feeds. Each of them becomes a playlist and at least one request.
  static let maximumEntries = 20_000

  private(set) var root: XMLName?
  private(set) var title: String?
  private(set) var entries = ListingEntries()
  /// Outlines that should name a feed and do not.
  private(set) var unusable: [UnusableEntry] = []
  private(set) var flaws = ListingFlaws()
  /// True if the document has more feeds than `maximumEntries`. Those beyond are not read.
  private(set) var isFull = false

  private let base: RemoteURL?
  private var depth = 0
  /// The number of outlines so far.
  private var outlines = 0
  /// The outlines around the place being read. `path` holds their titles, joined by slashes.
  private var folders: [(depth: Int, path: String?)] = []
  private var known: Set<RemoteURL> = []
  /// The title of the document while it is read, and its depth.
  private var reading: (depth: Int, text: FeedText)?

  /// - Parameter base: The document's address. Nil if it has none.
  init(base: RemoteURL?) { self.base = base }

  func start(_ name: XMLName, _ attributes: [XMLAttribute], line: Int) {
    depth += 1
    if depth == 1 { root = name }
    switch name.local.lowercased() {
    case "outline":
      outlines += 1
      let outline = Outline(attributes)
      folders.append((depth, path(below: outline.title)))
      take(outline, line)
    case "title" where title == nil && folders.isEmpty && reading == nil: reading = (depth, FeedText())
    default: break
    }
  }

  func end() {
    if let ended = reading, ended.depth == depth {
      title = ended.text.shown
      reading = nil
    }
    if folders.last?.depth == depth { folders.removeLast() }
    depth -= 1
  }

  func text(_ bytes: Span<UInt8>) { reading?.text.append(bytes) }

  /// The longest path in bytes. A longer one leaves out its innermost folders.
  private static let longestPath = 1 << 10

  private func path(below title: String?) -> String? {
    let outer = folders.last?.path
    guard let title else { return outer }
    let path = outer.map { "\($0)/\(title)" } ?? title
    return path.utf8.count <= Self.longestPath ? path : outer
  }

  private func take(_ outline: Outline, _ line: Int) {
    guard let text = outline.url else {
      if let note = outline.noteWithoutURL { skip(outline, note, line) }
      return
    }
    let url: RemoteURL
    do throws(RemoteURL.Problem) { url = try RemoteURL(reference: text, base: base) } catch {
      return skip(outline, .badURL(text), line)
    }
    guard known.insert(url).inserted else {
      return flaws.append(.repeatedFeed(title: outline.title ?? url.redacted), line: line, entry: outlines)
    }
    guard entries.count < Self.maximumEntries else {
      isFull = true
      return
    }
    var entry = ListingEntry(url: url)
    // Some programs write the address where they know no title.
    entry.title = outline.title == text ? nil : outline.title
    entry.folder = folders.dropLast().last?.path
    entries.append(entry)
  }

  private func skip(_ outline: Outline, _ note: ListingNote, _ line: Int) {
    flaws.append(note, line: line, entry: outlines)
    guard unusable.count < Self.maximumEntries else { return }
    var entry = UnusableEntry()
    entry.title = outline.title
    unusable.append(entry)
  }
}

/// The attributes of an outline. Programs write their names in several cases: `xmlUrl`, `xmlurl`, `XMLURL`.
private struct Outline {
  /// The text that people read; `title` where `text` is missing or empty.
  let title: String?
  /// The text of `xmlUrl`, ready to be resolved. Nil if it is missing or empty.
  let url: String?
  /// Lower case.
  private let type: String
  /// The `url` of a link to another document.
  private let link: String?
  /// True if there is an `xmlUrl`, although it is empty.
  private let namesFeed: Bool

  init(_ attributes: [XMLAttribute]) {
    var values: [String: String] = [:]
    var namesFeed = false
    for attribute in attributes {
      let name = attribute.name.local.lowercased()
      guard ["text", "title", "xmlurl", "type", "url"].contains(name) else { continue }
      if name == "xmlurl" { namesFeed = true }
      if values[name] == nil { values[name] = attribute.value.collapsed }
    }
    title = values["text"].flatMap(Self.shown) ?? values["title"].flatMap(Self.shown)
    url = values["xmlurl"].map(Self.fetchable)
    type = values["type"]?.lowercased() ?? ""
    link = values["url"]
    self.namesFeed = namesFeed
  }

  private static func shown(_ value: String) -> String? {
    var text = FeedText()
    text.append(Array(value.utf8).span)
    return text.shown
  }

  /// Podcast programs use schemes of their own, which stand for http: `feed://host/…`, `feed:https://…`, `itpc://host/…`.
  private static func fetchable(_ value: String) -> String {
    let url = value.utf8.contains(0x20) ? value.replacing(" ", with: "%20") : value
    for scheme in ["feed", "itpc", "pcast", "podcast"] where url.utf8.count > scheme.utf8.count {
      guard url.prefix(scheme.count).lowercased() == scheme else { continue }
      let rest = url.dropFirst(scheme.count)
      if rest.hasPrefix("://") { return "http" + rest }
      if rest.hasPrefix(":http://") || rest.hasPrefix(":https://") { return String(rest.dropFirst()) }
    }
    return url
  }

  /// The flaw of an outline without a feed. Nil for a folder.
  var noteWithoutURL: ListingNote? {
    if let link, ["include", "link"].contains(type) { return .notFollowed(link) }
    return namesFeed || ["rss", "atom"].contains(type) ? .withoutFeed(title: title ?? "") : nil
  }
}
