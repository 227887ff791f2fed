// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// One entry of `servers:` while it is read.
struct ServerDraft: Sendable {
  var kind: MediaServer.Kind?
  var url: RemoteURL?
  var auth = AuthDraft()
  var device: GpodderDevice?
  var deviceCaption: String?
  var deviceType: GpodderDevice.Kind?

  private static let deviceKeys = ["device", "device_caption", "device_type"]

  static let section = Section<ServerDraft>(
    [
      .optional("type", \.kind, .choice), .optional("url", \.url, .serverURL),
      .section("auth", \.auth, AuthDraft.serverSection), .optional("device", \.device, .deviceName),
      .optional("device_caption", \.deviceCaption, .text), .optional("device_type", \.deviceType, .choice),
    ], rules: [.required(["type", "url", "auth"])],
    check: { field, draft, context in
      guard case .mapping(let pairs) = field.node.content else { return }
      for key in ["type", "url", "auth"] where field.lacks(key) {
        context.report(.key(.missing(key, section: field.path)), at: field.node.mark)
      }
      for pair in pairs where deviceKeys.contains(pair.key) {
        guard let kind = draft.kind, kind != .gpodder else { continue }
        context.report(.rule(.server(.keyOfAnother(pair.key))), at: pair.keyMark)
      }
      guard let auth = field.node["auth"] else { return }
      if draft.kind == .gpodder, draft.auth.oauth != nil, draft.auth.user == nil {
        context.report(.rule(.server(.tokenWithoutUser)), at: auth.mark)
      }
      if draft.kind == .gpodder, draft.auth.hasKey { context.report(.rule(.server(.keyOfGpodder)), at: auth.mark) }
      if draft.kind == .listenbrainz, draft.auth.user != nil {
        context.report(.rule(.server(.userOfListenBrainz)), at: auth.mark)
      }
    })

  static func readAll(_ field: Field, _ context: ReadingContext) -> [MediaServer] {
    guard let pairs = context.pairs(of: field) else { return [] }
    return pairs.filter { !$0.key.hasPrefix("x-") }.compactMap { pair in
      guard let name = PlaylistName(pair.key) else {
        let suggestion = PlaylistName(Slug.of(pair.key))?.text
        context.report(.value(key: field.path, .serverName(pair.key, suggestion: suggestion)), at: pair.keyMark)
        return nil
      }
      // Findings point at the name, since an empty value has no place of its own.
      let node = pair.value.isNothing ? YAMLNode(content: .mapping([]), mark: pair.keyMark) : pair.value
      var draft = ServerDraft()
      section.read(Field(section: field.path, key: pair.key, node: node), into: &draft, context)
      return draft.server(name)
    }
  }

  /// Nil if something is missing, which was reported.
  private func server(_ name: PlaylistName) -> MediaServer? {
    guard let kind, let url else { return nil }
    let login =
      switch kind {
      case .gpodder: auth.userSettings
      case .subsonic: auth.serverSettings
      case .listenbrainz: auth.keySettings
      }
    guard let auth = login else { return nil }
    var device = device ?? .default
    (device.caption, device.kind) = (deviceCaption, deviceType)
    return MediaServer(name: name, kind: kind, url: url, auth: auth, device: device)
  }
}

extension ServerDraft {
  init(_ server: MediaServer) {
    (kind, url, auth) = (server.kind, server.url, AuthDraft(server.auth))
    device = server.device.text == GpodderDevice.default.text ? nil : server.device
    (deviceCaption, deviceType) = (server.device.caption, server.device.kind)
  }
}

extension ManifestKey where Root == ManifestDraft {
  static let servers = ManifestKey(
    name: "servers", paths: ServerDraft.section.paths.map { "NAME.\($0)" },
    schema: { place in
      let server = ServerDraft.section.schema(at: "\(place.path).NAME", isElement: true)
      return .named(server, names: "^[a-z0-9][a-z0-9._-]{0,127}(/[a-z0-9][a-z0-9._-]{0,99})?$")
    },
    read: { field, root, context in root.servers = ServerDraft.readAll(field, context) },
    write: { draft in
      guard !draft.servers.isEmpty else { return nil }
      return .mapping(draft.servers.map { .init(key: $0.name.text, value: ServerDraft.section.write(ServerDraft($0))) })
    })
}

extension ReadingContext {
  /// The server of that name. Nil after a report.
  func server(_ name: String, among servers: [MediaServer], at mark: YAMLMark) -> MediaServer? {
    if let found = servers.first(where: { $0.name.text == name }) { return found }
    // A mistake in the server itself was reported.
    guard !declared.servers.contains(name), !declared.hasUnreadableServers else { return nil }
    let nearest = NearestName.of(name, among: declared.servers)
    report(.rule(.server(.unknownServer(name, nearest: nearest))), at: mark)
    return nil
  }
}

extension Codec where Value == GpodderDevice {
  fileprivate static let deviceName = Codec.scalar(
    .text, schema: { Schema.shared(.text).with("pattern", .string("^[A-Za-z0-9_.-]{1,64}$|\\$\\{")) },
    parse: { scalar throws(ValueProblem) in
      guard let name = GpodderDevice(scalar.text) else { throw .deviceName(scalar.text) }
      return name
    }, write: { .string($0.text) })
}

extension Codec where Value == RemoteURL {
  /// The address of a server's API.
  static let serverURL = Codec(
    .url, schema: { .shared(.url) },
    read: { field, context in
      guard let url = url.read(field, context) else { return nil }
      guard !url.hasQuery, !url.hasCredentials else {
        context.report(.serverURL, of: field)
        return nil
      }
      return url
    }, write: url.write)
}

/// The songs of a `subsonic:` playlist while they are read.
struct SubsonicDraft: Sendable {
  enum Starred: String, CaseIterable, Sendable { case songs, albums }

  var server: String?
  var playlist: PlaylistChoice?
  var starred: Starred?
  var albums: SubsonicQuery.AlbumOrder?
  var latest: Int?
  var artist: String?
  var genre: String?
  var search: String?

  /// The value of `playlist`: one text, or a list of them.
  enum PlaylistChoice: Sendable {
    case text(String)
    case list([String])
  }

  private static let choices = ["playlist", "starred", "albums", "artist", "genre", "search"]

  static let section = Section<SubsonicDraft>(
    [
      .optional("server", \.server, .text), .optional("playlist", \.playlist, .playlistChoice),
      .optional("starred", \.starred, .choice), .optional("albums", \.albums, .choice),
      .optional("latest", \.latest, .integer(1...10_000)), .optional("artist", \.artist, .text),
      .optional("genre", \.genre, .text), .optional("search", \.search, .text),
    ],
    rules: [
      .required(["server"]), .oneOf(choices), .needs("latest", anyOf: ["albums"]),
    ],
    check: { field, _, context in
      guard case .mapping(let pairs) = field.node.content else { return }
      let found = pairs.map(\.key)
      let chosen = found.filter(choices.contains)
      if field.lacks("server") {
        context.report(.key(.missing("server", section: field.path)), at: field.node.mark)
      }
      let isMisspelt = field.misspelt.contains(where: choices.contains)
      if chosen.count > 1 || chosen.isEmpty && !isMisspelt {
        context.report(.rule(.server(.songs(choices: choices, found: chosen))), at: field.node.mark)
      }
      if let latest = pairs.first(where: { $0.key == "latest" }), chosen.count == 1, chosen != ["albums"] {
        context.report(.rule(.server(.latestWithoutAlbums)), at: latest.keyMark)
      }
    })

  /// Nil after a report.
  func query(_ servers: [MediaServer], _ field: Field, _ context: ReadingContext) -> SubsonicQuery? {
    guard let server, let songs else { return nil }
    let mark = field.node["server"]?.mark ?? field.node.mark
    guard let found = context.server(server, among: servers, at: mark) else { return nil }
    guard found.kind == .subsonic else {
      context.report(.rule(.server(.noSongs(server, found.kind))), at: mark)
      return nil
    }
    return SubsonicQuery(songs, of: found)
  }

  private var songs: SubsonicQuery.Songs? {
    switch starred {
    case .songs?: .starredSongs
    case .albums?: .starredAlbums
    case nil:
      playlist.map(\.songs) ?? albums.map { .albums($0, latest: latest ?? SubsonicQuery.usualAlbums) }
        ?? artist.map { .artist($0) } ?? genre.map { .genre($0) } ?? search.map { .search($0) }
    }
  }
}

extension SubsonicDraft {
  init(_ query: SubsonicQuery) {
    server = query.server.text
    switch query.songs {
    case .playlist(let name), .listed(_, let name): playlist = .text(name)
    case .playlists(let choice):
      let texts = choice.texts
      playlist = texts.count == 1 && ServerPlaylists.isPattern(texts[0]) ? .text(texts[0]) : .list(texts)
    case .starredSongs: starred = .songs
    case .starredAlbums: starred = .albums
    case .albums(let order, let count): (albums, latest) = (order, count)
    case .artist(let name): artist = name
    case .genre(let name): genre = name
    case .search(let text): search = text
    }
  }
}

extension SubsonicDraft.PlaylistChoice {
  /// One name is a list of songs, anything else a list of playlists.
  fileprivate var songs: SubsonicQuery.Songs {
    switch self {
    case .text(let text) where !ServerPlaylists.isPattern(text): .playlist(text)
    case .text(let text): .playlists(ServerPlaylists([text]))
    case .list(let texts): .playlists(ServerPlaylists(texts))
    }
  }
}

extension Codec where Value == SubsonicDraft.PlaylistChoice {
  fileprivate static let playlistChoice = Codec(
    .text, schema: { .oneOrMore(.shared(.text), atLeast: 1) },
    read: { field, context in
      guard case .sequence(let nodes) = field.node.content else {
        return Codec<String>.text.read(field, context).map { .text($0) }
      }
      if nodes.isEmpty { context.report(.noServerPlaylists, of: field) }
      let texts = nodes.compactMap { node in
        Codec<String>.text.read(Field(section: field.section, key: field.key, node: node), context)
      }
      return texts.isEmpty ? nil : .list(texts)
    },
    write: { choice in
      switch choice {
      case .text(let text): .string(text)
      case .list(let texts): .list(texts.map { .string($0) })
      }
    })
}
