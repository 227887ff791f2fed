// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// One playlist while it is read. Its items are read last: they depend on its quality.
struct PlaylistDraft: Sendable {
  var title: String?
  var settings = PlaylistSettings.undeclared
  var source: Playlist.Source?
  /// The servers that the manifest declares.
  var servers: [MediaServer] = []

  private static let sourceKeys = ["items"] + SourceKind.allCases.map(\.rawValue)

  static let section = Section<PlaylistDraft>(
    [.optional("title", \.title, .text)] + PlaylistSettings.keys.map { $0.under(\.settings) } + [.items]
      + [.source(.feed), .list, .outlines, .subsonic, .ytdlp, .subscriptions],
    isOrdered: true, rules: [.oneOf(sourceKeys)],
    check: { field, draft, context in
      guard case .mapping(let pairs) = field.node.content else { return }
      if let source = draft.source, !source.isListing, draft.settings.select.isSelective,
        let select = pairs.first(where: { $0.key == "select" })
      {
        context.report(.rule(.selectWithoutFeed), at: select.keyMark)
      }
      if let source = draft.source, !source.hasPages, draft.settings.select.pages != Selection().pages,
        case .mapping(let keys)? = field.node["select"]?.content, let pages = keys.first(where: { $0.key == "pages" })
      {
        context.report(.rule(.pagesWithoutFeed), at: pages.keyMark)
      }
      draft.checkSync(pairs, context)
      if let server = draft.source?.server, let auth = pairs.first(where: { $0.key == "auth" }) {
        context.report(.rule(.server(.authBesideServer(server.text))), at: auth.keyMark)
      }
      let found = pairs.map(\.key).filter(sourceKeys.contains)
      guard found.count != 1 else { return }
      context.report(.rule(.sources(playlist: field.key, found: found)), at: field.node.mark)
    })

  /// A key of the playlist itself must have an effect. Those in `defaults:` are for the playlists that can be synced.
  private func checkSync(_ pairs: [YAMLPair], _ context: ReadingContext) {
    guard source != nil else { return }
    let sync = settings.sync
    func mark(_ key: String) -> YAMLMark? { pairs.first { $0.key == key }?.keyMark }
    if let mark = mark("sync"), sync.direction == .both, !isServerList {
      return context.report(.rule(.listSync(.noPlaylist)), at: mark)
    }
    // The defaults are written for every playlist.
    for (key, isDefault) in [("on_conflict", sync.onConflict == .merge), ("merge", sync.merge == .threeWay)] {
      guard let mark = mark(key), !isDefault else { continue }
      if !isSynced {
        context.report(.rule(.listSync(.notMerged(key: key))), at: mark)
      } else if key == "on_conflict", sync.merge == .classic {
        context.report(.rule(.listSync(.conflictsOfClassic)), at: mark)
      }
    }
  }

  private var isServerList: Bool { source?.query?.songs.isList ?? false }
  private var isSynced: Bool { isServerList && settings.sync.direction == .both }

  /// The settings that have an effect.
  private var effectiveSync: ListSyncPolicy {
    guard isSynced else { return ListSyncPolicy() }
    var sync = settings.sync
    if sync.merge == .classic { sync.onConflict = .merge }
    return sync
  }

  static func readAll(
    _ field: Field, defaults: PlaylistSettings, servers: [MediaServer], _ context: ReadingContext
  ) -> [Playlist] {
    guard let pairs = context.pairs(of: field) else { return [] }
    return pairs.filter { !$0.key.hasPrefix("x-") }.compactMap { pair in
      guard let name = PlaylistName(declared: pair.key) else {
        let suggestion = PlaylistName(Slug.of(pair.key))?.text
        context.report(.value(key: field.path, .playlistName(pair.key, suggestion: suggestion)), at: pair.keyMark)
        return nil
      }
      // Findings point at the name, since an empty value has no place of its own.
      let node = pair.value.isNothing ? YAMLNode(content: .mapping([]), mark: pair.keyMark) : pair.value
      var draft = PlaylistDraft(settings: defaults, servers: servers)
      section.read(Field(section: field.path, key: pair.key, node: node), into: &draft, context)
      return draft.playlist(name)
    }
  }

  /// Nil without a source, which was reported.
  private func playlist(_ name: PlaylistName) -> Playlist? {
    guard let source else { return nil }
    var playlist = Playlist(name: name, source: source)
    playlist.title = title
    playlist.settings = settings
    playlist.sync = effectiveSync
    if let server = source.server { playlist.auth = servers.first { $0.name == server }?.auth }
    if let initial = source.initialSelection {
      playlist.select.initial = settings.select.initial ?? initial
      // The pages in `defaults:` are those of feeds.
      if !source.hasPages { playlist.select.pages = Selection().pages }
    } else {
      // The selection in `defaults:` applies to listings only.
      playlist.select = Selection()
    }
    return playlist
  }
}

extension Playlist.Source {
  fileprivate var hasPages: Bool { kind == .feed || kind == .opml || kind == .gpodder }
}

extension PlaylistDraft {
  init(_ playlist: Playlist) {
    (title, settings, source) = (playlist.title, playlist.settings, playlist.source)
    // Written with the server.
    if source?.server != nil { settings.auth = nil }
  }
}

extension ManifestKey where Root == PlaylistSettings {
  fileprivate func under(
    _ path: @autoclosure @escaping LazyPath<PlaylistDraft, PlaylistSettings>
  ) -> ManifestKey<PlaylistDraft> {
    ManifestKey<PlaylistDraft>(
      name: name, paths: paths,
      schema: { place in schema(SchemaPlace(path: place.path, defaults: place.defaults.map { $0[keyPath: path()] })) },
      read: { field, root, context in read(field, &root[keyPath: path()], context) },
      write: { write($0[keyPath: path()]) })
  }
}

extension ManifestKey where Root == PlaylistDraft {
  fileprivate static let items = ManifestKey(
    name: "items", paths: ItemDraft.section.paths,
    schema: { .list(of: ItemDraft.section.schema(at: $0.path, isElement: true)) },
    read: { field, root, context in
      guard let nodes = context.elements(of: field) else { return }
      context.items.begin(playlist: String(field.section.dropFirst("playlists.".count)), count: nodes.count)
      let quality = root.settings.quality
      root.source = .items(BoxedArray(nodes.lazy.compactMap { ItemDraft.read($0, quality: quality, context) }))
    },
    write: { draft in
      guard let source = draft.source, !source.isListing else { return nil }
      return .list(source.inlineItems.map { ItemDraft.section.write(ItemDraft($0)) })
    })

  fileprivate static let subsonic = ManifestKey(
    name: SourceKind.subsonic.rawValue, paths: SubsonicDraft.section.paths,
    schema: { SubsonicDraft.section.schema(at: $0.path, isElement: true) },
    read: { field, root, context in
      var draft = SubsonicDraft()
      SubsonicDraft.section.read(field, into: &draft, context)
      guard let query = draft.query(root.servers, field, context), root.source == nil else { return }
      root.source = .server(query)
    },
    write: { $0.source?.query.map { SubsonicDraft.section.write(SubsonicDraft($0)) } })

  /// A source that is named by a URL or a path.
  fileprivate static func source(_ kind: SourceKind) -> ManifestKey {
    let codec = Codec<ListingLocation>.location
    return ManifestKey(
      name: kind.rawValue, schema: { _ in codec.schema() },
      read: { field, root, context in
        // A second source was reported, and does not replace the first.
        guard let location = codec.read(field, context), root.source == nil else { return }
        root.source = .listing(kind, at: location)
      },
      write: { $0.source?.kind == kind ? $0.source?.location.map(codec.write) : nil })
  }
}

extension PlaylistSettings {
  /// The keys that a playlist and `defaults:` share.
  static let keys: [ManifestKey<PlaylistSettings>] = [
    .value("quality", \.quality, .choice), .value("priority", \.priority, .choice), .value("pin", \.pin, .boolean),
    .optional("layout", \.layout, .layout), .section("select", \.select, Selection.section),
    .section("retain", \.retain, RetentionPolicy.section), .value("budget", \.budget, .orNone(.playlistBudget)),
    .value("mirror", \.mirror, .boolean), .value("sync", \.sync.direction, .choice),
    .value("on_conflict", \.sync.onConflict, .choice), .value("merge", \.sync.merge, .choice), .auth,
    LicenseDraft.key(\.license),
  ]

  static let defaultsSection = Section<PlaylistSettings>(keys)

  /// The settings before anything is read: `select.initial` depends on the kind of source.
  static var undeclared: PlaylistSettings {
    var settings = PlaylistSettings()
    settings.select.initial = nil
    return settings
  }
}

extension Selection {
  static let section = Section<Selection>([
    .optional("initial", \.initial, .initial),
    .value("latest", \.latest, .orNone(.integer(1...1_000_000))),
    .value("since", \.since, .orNone(.since)), .filter("match", \.match), .filter("exclude", \.exclude),
    .value("order", \.order, .choice), .value("pages", \.pages, .pages),
  ])

  /// True if it may leave out items.
  var isSelective: Bool {
    latest != nil || since != nil || !match.isEmpty || !exclude.isEmpty || order != .newest
      || (initial.map { $0 != .all } ?? false)
  }
}
