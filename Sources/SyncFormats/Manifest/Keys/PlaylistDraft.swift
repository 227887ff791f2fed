// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// One playlist while it is read. Its items are read last: they depend on its quality.
struct PlaylistDraft: Sendable {
  var title: String?
  var settings = PlaylistSettings()
  var feed: FeedSource.Location?
  var items: BoxedArray<Item>?

  /// The keys that name the source of items, of this version and of later ones.
  private static let sourceKeys = ["items", "feed", "list", "opml", "subsonic", "ytdlp"]

  static let section = Section<PlaylistDraft>(
    [.optional("title", \.title, .text)] + PlaylistSettings.keys.map { $0.under(\.settings) } + [
      .items, .optional("feed", \.feed, .location), .later("list", .never), .later("opml", .never),
      .later("subsonic", .never), .later("ytdlp", .never),
    ], isOrdered: true,
    check: { field, draft, context in
      guard case .mapping(let pairs) = field.node.content else { return }
      if draft.items != nil, draft.settings.isSelective, let select = pairs.first(where: { $0.key == "select" }) {
        context.report(.rule(.selectWithoutFeed), at: select.keyMark)
      }
      let found = pairs.map(\.key).filter(sourceKeys.contains)
      guard found.count != 1 else { return }
      context.report(.rule(.sources(playlist: field.key, found: found)), at: field.node.mark)
    })

  static func readAll(_ field: Field, defaults: PlaylistSettings, _ context: ReadingContext) -> [Playlist] {
    guard let pairs = context.pairs(of: field) else { return [] }
    return pairs.filter { !$0.key.hasPrefix("x-") }.compactMap { pair in
      guard let name = PlaylistName(pair.key) else {
        let suggestion = PlaylistName(Slug.of(pair.key))?.text
        context.report(.value(key: field.path, .playlistName(pair.key, suggestion: suggestion)), at: pair.keyMark)
        return nil
      }
      // Findings point at the name, since an empty value has no place of its own.
      let node = pair.value.isNothing ? YAMLNode(content: .mapping([]), mark: pair.keyMark) : pair.value
      var draft = PlaylistDraft(settings: defaults)
      section.read(Field(section: field.path, key: pair.key, node: node), into: &draft, context)
      return draft.playlist(name)
    }
  }

  /// Nil without a source, which was reported.
  private func playlist(_ name: PlaylistName) -> Playlist? {
    let source = items.map(Playlist.Source.items) ?? feed.map { .feed(FeedSource(location: $0)) }
    guard let source else { return nil }
    var playlist = Playlist(name: name, source: source)
    playlist.title = title
    playlist.quality = settings.quality
    playlist.priority = settings.priority
    playlist.pin = settings.pin
    playlist.layout = settings.layout
    // The selection in `defaults:` applies to feeds only.
    if feed != nil {
      playlist.select.initial = settings.initial ?? .count(3)
      playlist.select.latest = settings.latest
      playlist.select.since = settings.since
      (playlist.select.match, playlist.select.exclude) = (settings.match, settings.exclude)
      playlist.select.order = settings.order
    }
    playlist.retain = settings.retain
    playlist.budget = settings.budget
    playlist.mirror = settings.mirror
    playlist.auth = settings.auth
    return playlist
  }
}

extension PlaylistDraft {
  init(_ playlist: Playlist) {
    title = playlist.title
    settings = PlaylistSettings(
      quality: playlist.quality, priority: playlist.priority, pin: playlist.pin, layout: playlist.layout,
      initial: playlist.select.initial, latest: playlist.select.latest, since: playlist.select.since,
      match: playlist.select.match, exclude: playlist.select.exclude, order: playlist.select.order,
      retain: playlist.retain, budget: playlist.budget, mirror: playlist.mirror, auth: playlist.auth)
    switch playlist.source {
    case .items(let items): self.items = items
    case .feed(let source): feed = source.location
    }
  }
}

extension ManifestKey where Root == PlaylistSettings {
  fileprivate func under(
    _ path: any WritableKeyPath<PlaylistDraft, PlaylistSettings> & Sendable
  ) -> ManifestKey<PlaylistDraft> {
    ManifestKey<PlaylistDraft>(
      name: name, paths: paths,
      read: { field, root, context in read(field, &root[keyPath: path], context) },
      write: { write($0[keyPath: path]) })
  }
}

extension ManifestKey where Root == PlaylistDraft {
  fileprivate static let items = ManifestKey(
    name: "items", paths: ItemDraft.section.paths,
    read: { field, root, context in
      guard let nodes = context.elements(of: field) else { return }
      context.items.begin(playlist: String(field.section.dropFirst("playlists.".count)), count: nodes.count)
      let quality = root.settings.quality
      root.items = BoxedArray(nodes.lazy.compactMap { ItemDraft.read($0, quality: quality, context) })
    },
    write: { draft in draft.items.map { .list($0.map { ItemDraft.section.write(ItemDraft($0)) }) } })
}
