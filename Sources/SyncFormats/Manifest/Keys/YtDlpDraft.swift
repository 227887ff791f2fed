// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The mapping form of `ytdlp:` while it is read.
struct YtDlpDraft: Sendable {
  var query: YtDlpQuery?
  var format: String?
  var arguments: [String] = []

  static let section = Section<YtDlpDraft>(
    [.optional("url", \.query, .extractionTarget), .optional("format", \.format, .format), .arguments],
    rules: [.required(["url"])],
    check: { field, _, context in
      guard case .mapping = field.node.content, field.lacks("url") else { return }
      context.report(.key(.missing("url", section: field.path)), at: field.node.mark)
    })

  /// Nil after a report.
  var source: YtDlpQuery? {
    var query = query
    query?.format = format
    query?.arguments = arguments
    return query
  }
}

extension YtDlpDraft {
  init(_ query: YtDlpQuery) { (self.query, format, arguments) = (query, query.format, query.arguments) }
}

extension ManifestKey where Root == PlaylistDraft {
  /// A page, a list or a search for yt-dlp, alone or in a mapping with options.
  static let ytdlp = ManifestKey(
    name: SourceKind.ytdlp.rawValue, paths: YtDlpDraft.section.paths,
    schema: { .any([.shared(.text), YtDlpDraft.section.schema(at: $0.path, isElement: true)]) },
    read: { field, root, context in
      let query: YtDlpQuery?
      if case .mapping = field.node.content {
        var draft = YtDlpDraft()
        YtDlpDraft.section.read(field, into: &draft, context)
        query = draft.source
      } else {
        query = Codec<YtDlpQuery>.extractionTarget.read(field, context)
      }
      // A second source was reported, and does not replace the first.
      if root.source == nil { root.source = query.map { .extraction($0) } }
    },
    write: { draft in
      guard let query = draft.source?.extraction else { return nil }
      if query.format == nil, query.arguments.isEmpty { return Codec<YtDlpQuery>.extractionTarget.write(query) }
      return YtDlpDraft.section.write(YtDlpDraft(query))
    })
}

extension ManifestKey where Root == YtDlpDraft {
  fileprivate static let arguments = ManifestKey(
    name: "args", schema: { _ in .list(of: .shared(.text)) },
    read: { field, root, context in
      guard let nodes = context.elements(of: field) else { return }
      root.arguments = nodes.compactMap { node in
        Codec<String>.argument.read(Field(section: field.section, key: field.key, node: node), context)
      }
    },
    write: { $0.arguments.isEmpty ? nil : .list($0.arguments.map { .string($0) }) })
}

extension Codec where Value == YtDlpQuery {
  /// The URL of a page, or a search.
  fileprivate static let extractionTarget = Codec.scalar(
    .text,
    parse: { scalar throws(ValueProblem) in
      guard !scalar.text.isEmpty else { return nil }
      guard let query = YtDlpQuery(scalar.text) else { throw .extractionTarget }
      return query
    },
    write: { query in
      query.url.map(Codec<RemoteURL>.url.write) ?? .string(query.text)
    })
}

extension Codec where Value == String {
  /// The format of one file, in yt-dlp's own language.
  fileprivate static let format = Codec(
    .text,
    read: { field, context in
      guard let format = argument.read(field, context) else { return nil }
      guard !YtDlpQuery.merges(format) else {
        context.report(.mergedFormat(format), of: field)
        return nil
      }
      return format
    }, write: argument.write)

  /// A word of a command line, behind which others follow.
  fileprivate static let argument = Codec.scalar(
    .text,
    parse: { scalar throws(ValueProblem) in
      guard !scalar.text.isEmpty else { return nil }
      guard scalar.text != "--", !scalar.text.hasControlCharacters else { throw .extractionArgument }
      return scalar.text
    }, write: { .string($0) })
}
