// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The value of `gpodder:` in a playlist while it is read.
struct SubscriptionDraft: Sendable {
  var server: String?
  var only: [Glob] = []
  var skip: [Glob] = []

  static let section = Section<SubscriptionDraft>(
    [.optional("server", \.server, .text), .globs("only", \.only), .globs("skip", \.skip)],
    rules: [.required(["server"])],
    check: { field, _, context in
      guard case .mapping = field.node.content, field.lacks("server") else { return }
      context.report(.key(.missing("server", section: field.path)), at: field.node.mark)
    })

  fileprivate init() {}

  fileprivate init(_ subscriptions: Subscriptions, _ filter: OutlineFilter) {
    (server, only, skip) = (subscriptions.server.text, filter.only, filter.skip)
  }

  /// Nil after a report.
  fileprivate func source(
    _ servers: [MediaServer], _ field: Field, _ context: ReadingContext
  ) -> Playlist.Source? {
    guard let server else { return nil }
    let mark = field.node["server"]?.mark ?? field.node.mark
    guard let found = context.server(server, among: servers, at: mark) else { return nil }
    guard found.kind == .gpodder else {
      context.report(.rule(.server(.noSubscriptions(server, found.kind))), at: mark)
      return nil
    }
    var filter = OutlineFilter()
    (filter.only, filter.skip) = (only, skip)
    do throws(RemoteURL.Problem) { return .subscriptions(try Subscriptions(of: found), filter) } catch {
      context.report(.serverURL, of: field)
      return nil
    }
  }
}

extension ManifestKey where Root == PlaylistDraft {
  /// The subscriptions at a server.
  static let subscriptions = ManifestKey(
    name: SourceKind.gpodder.rawValue, paths: SubscriptionDraft.section.paths,
    schema: { SubscriptionDraft.section.schema(at: $0.path, isElement: true) },
    read: { field, root, context in
      var draft = SubscriptionDraft()
      SubscriptionDraft.section.read(field, into: &draft, context)
      // A second source was reported, and does not replace the first.
      guard let source = draft.source(root.servers, field, context), root.source == nil else { return }
      root.source = source
    },
    write: { draft in
      guard case .subscriptions(let subscriptions, let filter)? = draft.source else { return nil }
      return SubscriptionDraft.section.write(SubscriptionDraft(subscriptions, filter))
    })
}
