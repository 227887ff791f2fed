// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The mapping form of `opml:` while it is read.
struct OutlineSourceDraft: Sendable {
  var url: RemoteURL?
  var path: String?
  var only: [Glob] = []
  var skip: [Glob] = []

  static let section = Section<OutlineSourceDraft>(
    [
      .optional("url", \.url, .url), .optional("path", \.path, .path), .globs("only", \.only), .globs("skip", \.skip),
    ], rules: [.oneOf(["url", "path"])],
    check: { field, _, context in
      guard case .mapping(let pairs) = field.node.content else { return }
      let found = pairs.map(\.key).filter(["url", "path"].contains)
      if found.count != 1 { context.report(.rule(.outlineSource(found: found)), at: field.node.mark) }
    })

  /// Nil after a report.
  fileprivate var source: Playlist.Source? {
    var filter = OutlineFilter()
    (filter.only, filter.skip) = (only, skip)
    return (url.map { .remote($0) } ?? path.map { .file($0) }).map { .outlines(filter, at: $0) }
  }

  fileprivate init() {}

  fileprivate init(_ filter: OutlineFilter, at location: ListingLocation) {
    switch location {
    case .remote(let url): self.url = url
    case .file(let path): self.path = path
    }
    (only, skip) = (filter.only, filter.skip)
  }
}

extension ManifestKey where Root == PlaylistDraft {
  /// An OPML document: a URL or a path, or a mapping with one of them and patterns.
  static let outlines = ManifestKey(
    name: SourceKind.opml.rawValue, paths: OutlineSourceDraft.section.paths,
    schema: { .any([.shared(.location), OutlineSourceDraft.section.schema(at: $0.path, isElement: true)]) },
    read: { field, root, context in
      let source: Playlist.Source?
      if case .mapping = field.node.content {
        var draft = OutlineSourceDraft()
        OutlineSourceDraft.section.read(field, into: &draft, context)
        source = draft.source
      } else {
        source = Codec<ListingLocation>.location.read(field, context).map { .outlines(OutlineFilter(), at: $0) }
      }
      // A second source was reported, and does not replace the first.
      if root.source == nil { root.source = source }
    },
    write: { draft in
      guard case .outlines(let filter, let location)? = draft.source else { return nil }
      if filter.isEmpty { return Codec<ListingLocation>.location.write(location) }
      return OutlineSourceDraft.section.write(OutlineSourceDraft(filter, at: location))
    })
}

extension ManifestKey {
  /// A pattern or a list of them, written only if there are any.
  static func globs(_ name: String, _ path: @autoclosure @escaping LazyPath<Root, [Glob]>) -> ManifestKey {
    ManifestKey(
      name: name, schema: { _ in .oneOrMore(.shared(.text)) },
      read: { field, root, context in
        let nodes = if case .sequence(let nodes) = field.node.content { nodes } else { [field.node] }
        root[keyPath: path()] = nodes.compactMap { node in
          let element = Field(section: field.section, key: field.key, node: node)
          return Codec<String>.text.read(element, context).map { Glob($0, ignoringCase: true) }
        }
      },
      write: { draft in
        let globs = draft[keyPath: path()]
        return globs.isEmpty ? nil : .list(globs.map { .string($0.pattern) })
      })
  }
}
