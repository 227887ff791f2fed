// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// Records the items named so far and the places where they are named. An id identifies one file.
struct ItemRegister {
  struct Use {
    /// The URL of the best quality. Two uses mean the same file if it is equal.
    let identity: RemoteURL
    let main: RemoteURL
    /// The quality for which `main` was chosen.
    let quality: Quality
    let line: Int
  }

  enum Clash: Error {
    case twice(firstLine: Int)
    case conflict(playlist: String, firstLine: Int)
  }

  private struct Entry {
    let use: Use
    let firstPlaylist: Int
    var lastPlaylist: Int
    var lastLine: Int
  }

  private var playlists: [String] = []
  private var entries: [Entry] = []
  private var positions: [ItemID: Int] = [:]

  /// Begins a playlist. The items noted from here on belong to it.
  mutating func begin(playlist: String, count: Int) {
    playlists.append(playlist)
    // Reserving the exact number for each playlist would move all entries each time.
    guard count > entries.count else { return }
    entries.reserveCapacity(entries.count + count)
    positions.reserveCapacity(positions.count + count)
  }

  /// Returns the use under which the item is stored: that of the playlist that names it first.
  mutating func note(_ id: ItemID, _ use: Use) -> Result<Use, Clash> {
    let current = playlists.count - 1
    guard let position = positions[id] else {
      positions[id] = entries.count
      entries.append(Entry(use: use, firstPlaylist: current, lastPlaylist: current, lastLine: use.line))
      return .success(use)
    }
    let entry = entries[position]
    guard entry.lastPlaylist != current else { return .failure(.twice(firstLine: entry.lastLine)) }
    guard entry.use.identity == use.identity else {
      return .failure(.conflict(playlist: playlists[entry.firstPlaylist], firstLine: entry.use.line))
    }
    entries[position].lastPlaylist = current
    entries[position].lastLine = use.line
    return .success(entry.use)
  }
}

/// One inline item while it is read.
struct ItemDraft: Sendable {
  var id: ItemID?
  var title: String?
  var artist: String?
  var album: String?
  var url: RemoteURL?
  var urls: QualityURLs?
  var duration: Duration?
  var size: DeclaredSize?
  var checksum: Checksum?
  var published: Timestamp?
  var priority: Priority?
  var pin: Bool?
  var license: LicenseDeclaration?
  var alternatives: [Candidate] = []

  static let section = Section<ItemDraft>(
    [
      .optional("id", \.id, .itemID), .optional("title", \.title, .text), .optional("artist", \.artist, .text),
      .optional("album", \.album, .text), .optional("url", \.url, .url), .urls,
      .optional("duration", \.duration, .duration()), .optional("size", \.size, .declaredSize),
      .optional("checksum", \.checksum, .checksum), .optional("published", \.published, .date),
      .optional("priority", \.priority, .choice), .optional("pin", \.pin, .boolean), .alternatives,
      LicenseDraft.key(\.license),
    ],
    // Without a URL only a search, which needs the title, finds an item.
    rules: [.anyOf(["url", "urls", "title"]), .excludes("url", ["urls"])],
    check: { field, _, context in
      guard case .mapping(let pairs) = field.node.content else { return }
      let found = pairs.map(\.key).filter { $0 == "url" || $0 == "urls" }
      if found.isEmpty, context.declared.hasSearch {
        if field.node["title"] == nil { context.report(.rule(.searchedWithoutTitle), at: field.node.mark) }
      } else if found.count != 1 {
        context.report(.rule(.urls(found: found)), at: field.node.mark)
      }
    })

  /// Nil after a report.
  static func read(_ node: YAMLNode, quality: Quality, _ context: ReadingContext) -> Item? {
    guard case .mapping = node.content else {
      context.report(.value(key: "items", .wrongType(expected: .listOfMappings, found: node.found)), at: node.mark)
      return nil
    }
    var draft = ItemDraft()
    section.read(Field(section: "", key: "", node: node), into: &draft, context)
    // The item's name must not change with the quality.
    let search = node["url"] == nil && node["urls"] == nil && context.declared.hasSearch ? draft.search : nil
    guard let identity = draft.url ?? draft.urls?.offer(for: .source)?.url ?? search,
      let main = draft.url ?? draft.urls?.offer(for: quality)?.url ?? search
    else { return nil }
    let isDerived = node["id"] == nil
    guard let id = isDerived ? DerivedName.id(of: identity) : draft.id else { return nil }
    let mark = node["id"]?.mark ?? node["url"]?.mark ?? node.mark
    let use = ItemRegister.Use(identity: identity, main: main, quality: quality, line: Int(mark.line))
    switch context.items.note(id, use) {
    case .success(let first): return draft.item(id, main: first.main, quality: first.quality)
    case .failure(.twice(let firstLine)):
      context.report(.rule(.duplicateItem(id: id.text, firstLine: firstLine, isDerived: isDerived)), at: mark)
    case .failure(.conflict(let playlist, let firstLine)):
      context.report(.rule(.conflictingItem(id: id.text, playlist: playlist, firstLine: firstLine)), at: mark)
    }
    return nil
  }

  /// The place of an item without a URL: its names, by which it is searched for.
  private var search: RemoteURL? {
    guard let title else { return nil }
    do throws(RemoteURL.Problem) { return try RemoteURL(search: "\(artist ?? "") \(title)") } catch { return nil }
  }

  private func item(_ id: ItemID, main: RemoteURL, quality: Quality) -> Item {
    var item = Item(id: id, title: title ?? DerivedName.title(of: main, id: id), main: Candidate(url: main))
    item.artist = artist
    item.album = album
    item.duration = duration
    item.size = size
    item.checksum = checksum
    item.published = published
    item.priority = priority
    item.pin = pin
    item.license = license
    item.alternatives = alternatives
    item.urls = urls
    item.urls?.wanted = quality
    return item
  }
}

extension QualityURLs {
  fileprivate static let section = Section<QualityURLs>(
    [.optional("low", \.low, .url), .optional("normal", \.normal, .url), .optional("high", \.high, .url)],
    rules: [.anyOf(["low", "normal", "high"])])
}

extension ItemDraft {
  init(_ item: Item) {
    id = item.id
    title = item.title
    artist = item.artist
    album = item.album
    urls = item.urls
    url = item.urls == nil && !item.main.url.isSearch ? item.main.url : nil
    duration = item.duration
    size = item.size
    checksum = item.checksum
    published = item.published
    priority = item.priority
    pin = item.pin
    license = item.license
    alternatives = item.alternatives
  }
}

extension ManifestKey where Root == ItemDraft {
  fileprivate static let urls = ManifestKey(
    name: "urls", paths: QualityURLs.section.paths,
    schema: { QualityURLs.section.schema(at: $0.path, isElement: true) },
    read: { field, root, context in
      var urls = QualityURLs()
      QualityURLs.section.read(field, into: &urls, context)
      root.urls = urls
      if case .mapping(let pairs) = field.node.content, pairs.isEmpty {
        context.report(.key(.missing("high", section: field.path)), at: field.node.mark)
      }
    },
    write: { draft in draft.urls.map { QualityURLs.section.write($0) } })

  fileprivate static let alternatives = ManifestKey(
    name: "alternatives", paths: CandidateDraft.section.paths,
    schema: { .list(of: CandidateDraft.section.schema(at: $0.path, isElement: true)) },
    read: { field, root, context in
      guard let nodes = context.elements(of: field) else { return }
      root.alternatives = nodes.compactMap { CandidateDraft.read($0, context) }
    },
    write: { draft in
      draft.alternatives.isEmpty
        ? nil : .list(draft.alternatives.map { CandidateDraft.section.write(CandidateDraft($0)) })
    })
}
