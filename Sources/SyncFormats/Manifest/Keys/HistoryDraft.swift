// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// One entry of `history:` while it is read.
struct HistoryDraft: Sendable {
  var scrobblerLog: String?
  var listens: String?
  var mpdStickers: String?
  var mpdcron: String?
  var timezone: ZoneName?
  var musicDirectory: String?
  var prefix: String?
  var server: String?
  var direction: HistoryServer.Direction?
  var actions: HistoryServer.Actions?
  var subscribe: Bool?

  private static let kinds = HistorySource.Kind.allCases.map(\.rawValue) + ["server"]

  static let section = Section<HistoryDraft>(
    [
      .optional(HistorySource.Kind.scrobblerLog.rawValue, \.scrobblerLog, .path),
      .optional(HistorySource.Kind.listens.rawValue, \.listens, .path),
      .optional(HistorySource.Kind.mpdStickers.rawValue, \.mpdStickers, .path),
      .optional(HistorySource.Kind.mpdcron.rawValue, \.mpdcron, .path),
      .optional("timezone", \.timezone, .timezone),
      .optional("music_directory", \.musicDirectory, .path), .optional("prefix", \.prefix, .pathPrefix),
      .optional("server", \.server, .text), .optional("direction", \.direction, .choice),
      .optional("actions", \.actions, .choice), .optional("subscribe", \.subscribe, .boolean),
    ],
    rules: [
      .oneOf(kinds), .excludes("music_directory", ["prefix"]),
      .needs("timezone", anyOf: [HistorySource.Kind.scrobblerLog.rawValue]),
      .excludes(HistorySource.Kind.scrobblerLog.rawValue, ["music_directory", "prefix"]),
      .needs("direction", anyOf: ["server"]), .needs("actions", anyOf: ["server"]),
      .needs("subscribe", anyOf: ["server"]), .excludes("server", ["music_directory", "prefix"]),
    ],
    check: { field, _, context in
      guard case .mapping(let pairs) = field.node.content else { return }
      let keys = pairs.map(\.key)
      let found = keys.filter(kinds.contains)
      guard let kind = found.first, found.count == 1 else {
        return context.report(.rule(.histories(found: found)), at: pairs.first?.keyMark ?? field.node.mark)
      }
      let needless =
        switch kind {
        case "server": ["timezone", "music_directory", "prefix"]
        case HistorySource.Kind.scrobblerLog.rawValue:
          ["direction", "actions", "subscribe", "music_directory", "prefix"]
        default: ["direction", "actions", "subscribe", "timezone"]
        }
      for pair in pairs where needless.contains(pair.key) {
        context.report(.rule(.notOfHistory(key: pair.key, kind: kind)), at: pair.keyMark)
      }
      if keys.contains("music_directory"), let second = pairs.first(where: { $0.key == "prefix" }) {
        context.report(.rule(.twoMappings), at: second.keyMark)
      }
    })

  /// An entry that was read.
  enum Entry: Sendable {
    case file(HistorySource)
    case server(HistoryServer)

    /// The key that names the place of the history.
    fileprivate var key: String {
      switch self {
      case .file(let source): source.kind.rawValue
      case .server: "server"
      }
    }

    /// Two entries with the same one are the same history, whatever the name of its server.
    fileprivate var identity: String {
      switch self {
      case .file(let source): "file \(source.path)"
      // A key does not say whose it is.
      case .server(let server) where server.server.auth.userName.isEmpty: "server \(server.server.name)"
      case .server(let server): "server \(server.server.auth.userName) \(server.server.url.text)"
      }
    }

    /// The place itself.
    fileprivate var place: String {
      switch self {
      case .file(let source): source.path
      case .server(let server): server.server.name.text
      }
    }
  }

  /// Nil after a report.
  static func read(_ node: YAMLNode, servers: [MediaServer], _ context: ReadingContext) -> Entry? {
    guard case .mapping = node.content else {
      context.report(.value(key: "history", .wrongType(expected: .listOfHistories, found: node.found)), at: node.mark)
      return nil
    }
    var draft = HistoryDraft()
    section.read(Field(section: "", key: "history", node: node), into: &draft, context)
    if let name = draft.server { return draft.server(name, among: servers, node, context).map { .server($0) } }
    return draft.source.map { .file($0) }
  }

  /// Nil after a report.
  private func server(
    _ name: String, among servers: [MediaServer], _ node: YAMLNode, _ context: ReadingContext
  ) -> HistoryServer? {
    guard let server = context.server(name, among: servers, at: (node["server"] ?? node).mark) else { return nil }
    if actions == .all, !server.keepsAllActions || (direction ?? .pull) == .pull {
      let problem: ServerProblem =
        server.kind != .gpodder
        ? .keyOfAnother("actions") : server.isNextcloud ? .actionsAtNextcloud : .actionsWithoutPush
      context.report(.rule(.server(problem)), at: (node["actions"] ?? node).mark)
      return nil
    }
    if subscribe == true, server.kind != .gpodder {
      context.report(.rule(.server(.keyOfAnother("subscribe"))), at: (node["subscribe"] ?? node).mark)
      return nil
    }
    guard server.kind == .listenbrainz else {
      var history = HistoryServer(server, direction ?? .pull, actions: actions ?? .plays)
      history.subscribes = subscribe ?? false
      return history
    }
    if let direction, direction != .push {
      context.report(.rule(.server(.pullOfListenBrainz(name))), at: (node["direction"] ?? node).mark)
      return nil
    }
    return HistoryServer(server, .push)
  }

  private var source: HistorySource? {
    let paths: [(HistorySource.Kind, String?)] = [
      (.scrobblerLog, scrobblerLog), (.listens, listens), (.mpdStickers, mpdStickers), (.mpdcron, mpdcron),
    ]
    for case (let kind, let path?) in paths {
      return HistorySource(
        kind: kind, path: path, timezone: timezone,
        mapping: PathMapping(musicDirectory: musicDirectory, prefix: prefix))
    }
    return nil
  }
}

extension HistoryDraft {
  init(_ source: HistorySource) {
    switch source.kind {
    case .scrobblerLog: scrobblerLog = source.path
    case .listens: listens = source.path
    case .mpdStickers: mpdStickers = source.path
    case .mpdcron: mpdcron = source.path
    }
    timezone = source.timezone
    musicDirectory = source.mapping.musicDirectory
    prefix = source.mapping.prefix
  }
}

extension HistoryDraft {
  init(_ server: HistoryServer) {
    (self.server, direction) = (server.server.name.text, server.direction)
    actions = server.actions == .plays ? nil : server.actions
    subscribe = server.subscribes ? true : nil
  }
}

extension ManifestKey where Root == ManifestDraft {
  static let history = ManifestKey(
    name: "history", paths: HistoryDraft.section.paths,
    schema: { .list(of: HistoryDraft.section.schema(at: $0.path, isElement: true)) },
    read: { field, root, context in
      guard let nodes = context.elements(of: field) else { return }
      var lines: [String: Int] = [:]
      for node in nodes {
        guard let entry = HistoryDraft.read(node, servers: root.servers, context) else { continue }
        let (key, mark) = (entry.identity, (node[entry.key] ?? node).mark)
        if let first = lines[key] {
          context.report(.rule(.duplicateHistory(path: entry.place, firstLine: first)), at: mark)
        } else {
          lines[key] = Int(mark.line)
        }
        switch entry {
        case .file(let source): root.history.append(source)
        case .server(let server):
          root.historyServers.append(server)
          let name = server.server.name
          if server.server.kind == .subsonic, !root.playlists.contains(where: { $0.source.query?.server == name }) {
            context.report(.rule(.server(.noSongsOfHistory(name.text))), at: mark)
          }
        }
      }
    },
    write: { draft in
      let entries = draft.history.map { HistoryDraft($0) } + draft.historyServers.map { HistoryDraft($0) }
      return entries.isEmpty ? nil : .list(entries.map { HistoryDraft.section.write($0) })
    })
}

extension Codec where Value == ZoneName {
  /// An offset is written in quotes: to YAML a bare one may be a number.
  static let timezone = Codec(
    .text,
    read: { field, context in
      guard let zone = name.read(field, context) else { return nil }
      guard context.environment.knows(zone) else {
        context.report(.unknownTimezone(zone.text), of: field)
        return nil
      }
      return zone
    }, write: name.write)

  private static let name = Codec.scalar(
    .text,
    parse: { scalar throws(ValueProblem) in
      guard !scalar.text.isEmpty else { return nil }
      guard let zone = ZoneName(scalar.text) else { throw .timezone(scalar.text) }
      return zone
    }, write: { .string($0.text) })
}

extension Codec where Value == String {
  /// The prefix of paths as a player writes them.
  fileprivate static let pathPrefix = Codec.scalar(
    .text,
    parse: { scalar throws(ValueProblem) in
      guard !scalar.text.isEmpty else { return nil }
      guard PathMapping.isPrefix(scalar.text) else { throw .pathPrefix(scalar.text) }
      return scalar.text
    }, write: { .string($0) })
}
