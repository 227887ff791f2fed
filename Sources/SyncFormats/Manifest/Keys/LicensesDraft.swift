// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The `licenses:` section while it is read.
struct LicensesDraft: Sendable {
  var server = LicenseServerDraft()
  var policy = LicensePolicy()

  static let section = Section<LicensesDraft>([
    .server,
    .value("valid_for", \.policy.validFor, .duration(atLeast: .seconds(60))),
    .value("renew_before", \.policy.renewBefore, .duration()),
    .value("on_expiry", \.policy.onExpiry, .choice),
  ])

  var settings: LicensePolicy {
    var settings = policy
    (settings.server, settings.auth) = (server.url, server.auth.settings)
    return settings
  }

  init() {}

  init(_ policy: LicensePolicy) {
    self.policy = policy
    server.url = policy.server
    if let auth = policy.auth { server.auth = AuthDraft(auth) }
  }
}

extension ManifestKey where Root == LicensesDraft {
  /// Not written without an address.
  fileprivate static let server = ManifestKey(
    name: "server", paths: LicenseServerDraft.section.paths,
    schema: { LicenseServerDraft.section.schema(at: $0.path, isElement: true) },
    read: { field, root, context in LicenseServerDraft.section.read(field, into: &root.server, context) },
    write: { $0.server.url == nil ? nil : LicenseServerDraft.section.write($0.server) })
}

/// `licenses.server` while it is read.
struct LicenseServerDraft: Sendable {
  var url: RemoteURL?
  var auth = AuthDraft()

  static let section = Section<LicenseServerDraft>(
    [.optional("url", \.url, .serverURL), .section("auth", \.auth, AuthDraft.section)], rules: [.required(["url"])],
    check: { field, _, context in requireURL(field, context) })

  /// Reports a missing URL, unless it is only misspelt, which is reported already.
  fileprivate static func requireURL(_ field: Field, _ context: ReadingContext) {
    guard case .mapping = field.node.content, field.lacks("url"), !field.misspelt.contains("url") else { return }
    context.report(.key(.missing("url", section: field.path)), at: field.node.mark)
  }
}

/// The `license:` of an item or a playlist while it is read.
struct LicenseDraft: Sendable {
  var url: RemoteURL?

  static let section = Section<LicenseDraft>(
    [.optional("url", \.url, .url)], rules: [.required(["url"])],
    check: { field, _, context in LicenseServerDraft.requireURL(field, context) })

  private static let word = "none"

  /// `none`, or a mapping with the URL.
  static func key<Root>(
    _ path: @autoclosure @escaping LazyPath<Root, LicenseDeclaration?>
  ) -> ManifestKey<Root> {
    ManifestKey(
      name: "license", paths: section.paths,
      schema: { place in .any([.constant(.string(word)), section.schema(at: place.path, isElement: true)]) },
      read: { field, root, context in
        if field.node.holds(word) {
          root[keyPath: path()] = LicenseDeclaration.none
          return
        }
        var draft = LicenseDraft()
        section.read(field, into: &draft, context)
        if let url = draft.url { root[keyPath: path()] = .at(url) }
      },
      write: { root in
        switch root[keyPath: path()] {
        case .at(let url)?: section.write(LicenseDraft(url: url))
        case LicenseDeclaration.none?: .word(word)
        case nil: nil
        }
      })
  }
}
