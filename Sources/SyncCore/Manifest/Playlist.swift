// SPDX-License-Identifier: Apache-2.0

/// An ordered set of items, written inline or resolved from a source.
package struct Playlist: Equatable, Sendable {
  package enum Source: Equatable, Sendable {
    /// In the order of the file.
    case items(BoxedArray<Item>)
    case feed(FeedSource)
  }

  package var name: PlaylistName
  package var title: String?
  package var source: Source
  package var quality: Quality = .source
  package var priority: Priority = .normal
  package var pin = false
  /// Overrides the library's.
  package var layout: LayoutTemplate?
  package var select = Selection()
  package var retain = RetentionPolicy()
  /// Nil: no share of its own.
  package var budget: PlaylistBudget?
  /// An item that left the source becomes an orphan. Inline items always do.
  package var mirror = false
  /// Nil: nobody is told who asks.
  package var auth: AuthSettings?

  /// Its items come from a source, which lists them in the order of `select.order`.
  package let isListing: Bool

  package init(name: PlaylistName, source: Source) {
    self.name = name
    self.source = source
    if case .feed = source { isListing = true } else { isListing = false }
  }

  /// What `{playlist}` stands for, and the stem of the M3U8 file.
  package var displayTitle: String { title ?? name.text }
}

/// How much of the library's budget a playlist may take.
package enum PlaylistBudget: Hashable, Sendable {
  case size(ByteCount)
  /// Of `storage.budget`.
  case share(Share)

  /// Nil where there is nothing to take a share of.
  package func bytes(of whole: ByteCount?) -> ByteCount? {
    switch self {
    case .size(let size): size
    case .share(let share): whole.map { $0 * share }
    }
  }
}

/// Where a feed comes from.
package struct FeedSource: Equatable, Sendable {
  package enum Location: Equatable, Sendable {
    case remote(RemoteURL)
    /// Absolute path of a file.
    case file(String)

    /// For people: without credentials.
    package var shown: String {
      switch self {
      case .remote(let url): url.redacted
      case .file(let path): path
      }
    }
  }
  package var location: Location
  package init(location: Location) { self.location = location }
}

package enum Quality: String, CaseIterable, Sendable {
  case low, normal, high, source
}

/// Which transfers go first: high before normal before low.
package enum Priority: String, CaseIterable, Sendable, Comparable {
  case low, normal, high

  package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .low: 0
    case .normal: 1
    case .high: 2
    }
  }
}

extension Playlist {
  /// To whom its credentials, and the manifest's headers, may go: `auth.scope` if there is one, else the origin of its
  /// source, or those of its items' main URLs.
  package var credentialScope: CredentialScope {
    CredentialScope(origins: mainOrigins, hosts: auth?.scope ?? [])
  }

  private var mainOrigins: Set<RemoteURL.Origin> {
    switch source {
    case .items(let items): Set(items.map(\.main.url.origin))
    case .feed(let feed): if case .remote(let url) = feed.location { [url.origin] } else { [] }
    }
  }
}
