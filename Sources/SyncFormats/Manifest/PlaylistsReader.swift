// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// What `defaults:` says for every playlist that does not say otherwise.
struct PlaylistDefaults {
  var quality: Quality = .source
  var priority: Priority = .normal
  var pin = false
  var layout: LayoutTemplate?
  var initial: Selection.Initial?
  var latest: Int?
  var mirror = false

  init(_ top: inout MappingReader) {
    var read = self
    top.mapping("defaults") { map in read.take(&map) }
    self = read
  }

  private init() {}

  mutating func take(_ map: inout MappingReader) {
    quality = map.choice("quality") ?? quality
    priority = map.choice("priority") ?? priority
    pin = map.truth("pin") ?? pin
    layout = map.layout("layout") ?? layout
    mirror = map.truth("mirror") ?? mirror
    map.mapping("select") { select in
      initial = select.initial() ?? initial
      latest = select.latest() ?? latest
      select.refuse("since", unless: "none")
      select.refuse("match", unless: "{}")
      select.refuse("exclude", unless: "{}")
      select.refuse("order", unless: "newest")
    }
    map.refuse("retain", unless: "{}")
    map.refuse("budget", unless: "none")
    map.refuse("auth", unless: "{}")
  }
}

extension MappingReader {
  fileprivate mutating func initial() -> Selection.Initial? {
    guard let node = take("initial"), let text = context.text(node, path("initial"), .allOrCount) else { return nil }
    if text == "all" { return .all }
    guard let count = Int(text), count >= 0 else {
      context.report(.badValue(key: path("initial"), value: text, expected: .allOrCount), at: node)
      return nil
    }
    return .newest(count)
  }

  fileprivate mutating func latest() -> Int? {
    if peek("latest")?.scalarText == "none" {
      _ = take("latest")
      return nil
    }
    return integer("latest", 0...1_000_000)
  }
}

/// Reads `playlists:`.
struct PlaylistsReader {
  let context: ReadingContext
  let defaults: PlaylistDefaults

  func read(_ top: inout MappingReader) -> [Playlist] {
    guard let node = top.take("playlists"), let map = MappingReader(node, place: "playlists", context: context) else {
      return []
    }
    var seen = ItemBook()
    return map.entries.compactMap { name, pair in
      guard let name = PlaylistName(name) else {
        context.report(.badPlaylistName(name), at: pair.key)
        return nil
      }
      return playlist(name, key: pair.key, pair.value, &seen)
    }
  }

  private func playlist(_ name: PlaylistName, key: YAMLNode, _ node: YAMLNode, _ seen: inout ItemBook) -> Playlist? {
    guard var map = MappingReader(node, place: "playlists.\(name)", context: context) else { return nil }
    let title = map.text("title")
    var settings = defaults
    settings.take(&map)
    let source = source(name, key: key, &map, settings, &seen)
    map.finish()
    guard let source else { return nil }
    var playlist = Playlist(name: name, source: source)
    playlist.title = title
    playlist.quality = settings.quality
    playlist.priority = settings.priority
    playlist.pin = settings.pin
    playlist.layout = settings.layout
    playlist.mirror = settings.mirror
    playlist.select.latest = settings.latest
    // Of a feed that is new, only the newest few: nobody wants twelve years of news at once.
    if case .feed = source {
      playlist.select.initial = settings.initial ?? .newest(3)
    } else {
      playlist.select.initial = settings.initial ?? .all
    }
    return playlist
  }

  private static let laterSources = ["list", "opml", "subsonic", "ytdlp"]

  private func source(
    _ name: PlaylistName, key: YAMLNode, _ map: inout MappingReader, _ settings: PlaylistDefaults,
    _ seen: inout ItemBook
  ) -> Playlist.Source? {
    let found = (["items", "feed"] + Self.laterSources).filter { map.peek($0) != nil }
    let items = map.take("items")
    let feed = map.take("feed")
    for later in Self.laterSources { map.refuse(later) }
    guard found.count == 1 else {
      context.report(.sources(playlist: name.text, found: found), at: key)
      return nil
    }
    if let items {
      guard case .sequence(let elements) = items.value else {
        context.report(.wrongType(key: map.path("items"), expected: .list, found: items.found), at: items)
        return nil
      }
      let reader = ItemReader(context: context, quality: settings.quality)
      var own = ItemBook()
      return .items(
        elements.enumerated().compactMap { index, element in
          guard let item = reader.read(element, place: "\(map.path("items"))[\(index + 1)]") else { return nil }
          return check(item, element, &own, &seen) ? item : nil
        })
    }
    return feed.flatMap { location($0, map.path("feed")) }.map { .feed(FeedSource(location: $0)) }
  }

  private func location(_ node: YAMLNode, _ key: String) -> FeedSource.Location? {
    guard let text = context.text(node, key, .urlOrPath) else { return nil }
    guard text.contains("://") else { return .file(context.absolute(text)) }
    return context.url(node, key).map { .remote($0) }
  }

  /// One id is one item: several playlists may name it, one playlist once, and always with the same URL.
  private func check(_ item: Item, _ node: YAMLNode, _ own: inout ItemBook, _ all: inout ItemBook) -> Bool {
    if let line = own.line(of: item.id) {
      context.report(.repeatedItem(item.id.text, firstLine: line), at: node)
      return false
    }
    if let line = all.line(of: item.id), all.url(of: item.id) != item.main.url {
      context.report(.sameIDOtherURL(item.id.text, firstLine: line), at: node)
      return false
    }
    own.note(item, node.mark.line)
    all.note(item, node.mark.line)
    return true
  }
}

/// Where which id was first seen.
struct ItemBook {
  private var seen: [ItemID: (line: Int, url: RemoteURL)] = [:]

  func line(of id: ItemID) -> Int? { seen[id]?.line }
  func url(of id: ItemID) -> RemoteURL? { seen[id]?.url }
  mutating func note(_ item: Item, _ line: Int) { if seen[item.id] == nil { seen[item.id] = (line, item.main.url) } }
}
