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

  static let section = Section<HistoryDraft>(
    [
      .optional(HistorySource.Kind.scrobblerLog.rawValue, \.scrobblerLog, .path),
      .optional(HistorySource.Kind.listens.rawValue, \.listens, .path),
      .optional(HistorySource.Kind.mpdStickers.rawValue, \.mpdStickers, .path),
      .optional(HistorySource.Kind.mpdcron.rawValue, \.mpdcron, .path),
      .optional("timezone", \.timezone, .timezone),
      .optional("music_directory", \.musicDirectory, .path), .optional("prefix", \.prefix, .pathPrefix),
      .later("server", .never), .later("direction", .never),
    ],
    rules: [
      .oneOf(HistorySource.Kind.allCases.map(\.rawValue)), .excludes("music_directory", ["prefix"]),
      .needs("timezone", anyOf: [HistorySource.Kind.scrobblerLog.rawValue]),
      .excludes(HistorySource.Kind.scrobblerLog.rawValue, ["music_directory", "prefix"]),
    ],
    check: { field, _, context in
      guard case .mapping(let pairs) = field.node.content else { return }
      let keys = pairs.map(\.key)
      // The key has been reported; this version can check nothing else about a server.
      if keys.contains("server") { return }
      let found = keys.filter { HistorySource.Kind(rawValue: $0) != nil }
      guard let kind = found.first, found.count == 1 else {
        return context.report(.rule(.histories(found: found)), at: pairs.first?.keyMark ?? field.node.mark)
      }
      let needless = kind == HistorySource.Kind.scrobblerLog.rawValue ? ["music_directory", "prefix"] : ["timezone"]
      for pair in pairs where needless.contains(pair.key) {
        context.report(.rule(.notOfHistory(key: pair.key, kind: kind)), at: pair.keyMark)
      }
      if keys.contains("music_directory"), let second = pairs.first(where: { $0.key == "prefix" }) {
        context.report(.rule(.twoMappings), at: second.keyMark)
      }
    })

  /// Nil after a report.
  static func read(_ node: YAMLNode, _ context: ReadingContext) -> HistorySource? {
    guard case .mapping = node.content else {
      context.report(.value(key: "history", .wrongType(expected: .listOfHistories, found: node.found)), at: node.mark)
      return nil
    }
    var draft = HistoryDraft()
    section.read(Field(section: "", key: "history", node: node), into: &draft, context)
    return draft.source
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

extension ManifestKey where Root == ManifestDraft {
  static let history = ManifestKey(
    name: "history", paths: HistoryDraft.section.paths,
    schema: { .list(of: HistoryDraft.section.schema(at: $0.path, isElement: true)) },
    read: { field, root, context in
      guard let nodes = context.elements(of: field) else { return }
      var lines: [String: Int] = [:]
      root.history = nodes.compactMap { node in
        guard let source = HistoryDraft.read(node, context) else { return nil }
        let mark = (node[source.kind.rawValue] ?? node).mark
        if let first = lines[source.path] {
          context.report(.rule(.duplicateHistory(path: source.path, firstLine: first)), at: mark)
        } else {
          lines[source.path] = Int(mark.line)
        }
        return source
      }
    },
    write: { draft in
      draft.history.isEmpty ? nil : .list(draft.history.map { HistoryDraft.section.write(HistoryDraft($0)) })
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
