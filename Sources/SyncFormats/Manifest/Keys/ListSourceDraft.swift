// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The mapping form of `list:` while it is read.
struct ListSourceDraft: Sendable {
  var path: String?
  var roots: [String] = []

  static let section = Section<ListSourceDraft>(
    [.optional("path", \.path, .path), .roots], rules: [.required(["path"])],
    check: { field, _, context in
      guard case .mapping(let pairs) = field.node.content, !pairs.contains(where: { $0.key == "path" }) else { return }
      context.report(.rule(.listSource), at: field.node.mark)
    })

  /// Nil after a report.
  fileprivate var source: Playlist.Source? {
    path.map { roots.isEmpty ? .listing(.list, at: .file($0)) : .list(path: $0, roots: roots) }
  }
}

extension ManifestKey where Root == PlaylistDraft {
  /// A list: a URL or a path, or a mapping with a path and the further folders of its files.
  static let list = ManifestKey(
    name: SourceKind.list.rawValue, paths: ListSourceDraft.section.paths,
    schema: { .any([.shared(.location), ListSourceDraft.section.schema(at: $0.path, isElement: true)]) },
    read: { field, root, context in
      let source: Playlist.Source?
      if case .mapping = field.node.content {
        var draft = ListSourceDraft()
        ListSourceDraft.section.read(field, into: &draft, context)
        source = draft.source
      } else {
        source = Codec<ListingLocation>.location.read(field, context).map { .listing(.list, at: $0) }
      }
      // A second source was reported, and does not replace the first.
      if root.source == nil { root.source = source }
    },
    write: { draft in
      switch draft.source {
      case .list(let path, let roots)?: ListSourceDraft.section.write(ListSourceDraft(path: path, roots: roots))
      case .listing(.list, let location)?: Codec<ListingLocation>.location.write(location)
      default: nil
      }
    })
}

extension ManifestKey where Root == ListSourceDraft {
  /// A folder or a list of them, written only if there are any.
  fileprivate static let roots = ManifestKey(
    name: "roots", schema: { _ in .oneOrMore(.shared(.path)) },
    read: { field, root, context in
      let nodes = if case .sequence(let nodes) = field.node.content { nodes } else { [field.node] }
      root.roots = nodes.compactMap { node in
        Codec<String>.path.read(Field(section: field.section, key: field.key, node: node), context)
      }
    },
    write: { $0.roots.isEmpty ? nil : .list($0.roots.map { .string($0) }) })
}
