// SPDX-License-Identifier: Apache-2.0

/// The licences of items (`licenses`).
package struct LicensePolicy: Hashable, Sendable {
  /// The treatment of a file whose licence is over.
  package enum Expiry: String, CaseIterable, Sendable {
    /// It stays, and cannot be read until there is a new licence.
    case lock
    case remove
  }

  /// The server for all items that declare none of their own. Nil if only such items need a licence.
  package var server: RemoteURL?
  /// The credentials of requests for licences.
  package var auth: AuthSettings?
  /// The time for which licences are requested. A server may grant less.
  package var validFor = Duration.days(30)
  /// A licence is renewed when it is valid for less than this.
  package var renewBefore = Duration.days(7)
  package var onExpiry = Expiry.lock
  package init() {}
}

/// The value of `license` at an item or a playlist.
package enum LicenseDeclaration: Hashable, Sendable {
  /// This URL gives the licence of one item.
  case at(RemoteURL)
  /// No licence is needed.
  case none

  package var url: RemoteURL? { if case .at(let url) = self { url } else { nil } }
}

/// The place that gives the licence of an item.
package enum LicenseSource: Hashable, Sendable {
  /// The base URL of a server for many items.
  case server(RemoteURL)
  /// The URL for this item alone.
  case single(RemoteURL)

  package var url: RemoteURL {
    switch self {
    case .server(let url), .single(let url): url
    }
  }
}

extension Manifest {
  /// True if any item may need a licence.
  package var usesLicenses: Bool {
    // The items are not copied.
    declaresLicenses
      || playlists.contains { playlist in
        let items = playlist.source.inlineItems
        return items.indices.contains { items.box(at: $0).wrappedValue.$license != nil }
      }
  }

  /// The same without a look at inline items, which may have to be decoded for it.
  package var declaresLicenses: Bool {
    licenses.server != nil
      || playlists.contains { $0.settings.license?.url != nil }
  }
}

/// The places that give licences, as a manifest declares them.
package struct LicenseSources: Sendable {
  /// The server for items that no playlist names any more.
  package let server: LicenseSource?
  private let playlists: [PlaylistName: LicenseDeclaration]

  package init(_ manifest: Manifest) {
    server = manifest.licenses.server.map { .server($0) }
    playlists = manifest.playlists.reduce(into: [:]) { $0[$1.name] = $1.settings.license }
  }

  /// The place for an item: that of the item, else that of the first playlist that declares one, else the server. Nil if
  /// the item needs none.
  package func source(of item: Item, in names: [PlaylistName]) -> LicenseSource? {
    switch item.license ?? names.lazy.compactMap({ playlists[$0.declared] }).first {
    case .at(let url)?: .single(url)
    case LicenseDeclaration.none?: nil
    case nil: server
    }
  }
}
