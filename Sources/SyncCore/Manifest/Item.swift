// SPDX-License-Identifier: Apache-2.0

/// A track or an episode as declared by the manifest or a source.
package struct Item: Equatable, Sendable {
  package var id: ItemID
  package var title: String
  package var artist: String?
  package var album: String?
  package var duration: Duration?
  package var published: Timestamp?
  /// Nil for the priority of the playlist.
  package var priority: Priority?
  /// Nil for the setting of the playlist.
  package var pin: Bool?
  /// The declared size. Feeds never set an exact one, because their `length` is only a hint.
  package var size: DeclaredSize?
  package var checksum: Checksum?
  /// The main URL.
  package var main: Candidate
  /// In the order of the manifest.
  package var alternatives: [Candidate] = []
  /// The qualities in which the item is declared, if there are several. `main` is one of them.
  @BoxedIfAny package var urls: QualityURLs?

  package init(id: ItemID, title: String, main: Candidate) {
    self.id = id
    self.title = title
    self.main = main
  }
}

/// A size from outside, and how far it can be trusted.
package enum DeclaredSize: Hashable, Sendable {
  /// Given to the byte. A file of another size is a failure.
  case exact(ByteCount)
  /// Rounded (`8.6MB`), or a feed's `length`. Used for planning only.
  case about(ByteCount)

  package var bytes: ByteCount {
    switch self {
    case .exact(let bytes), .about(let bytes): bytes
    }
  }
}

/// One place to fetch an item from.
package struct Candidate: Hashable, Sendable {
  package var url: RemoteURL
  /// Nil for the item's own title.
  package var title: String?
  /// Nil if unknown or, for the main candidate, if it is the item's own.
  package var duration: Duration?

  package init(url: RemoteURL, title: String? = nil, duration: Duration? = nil) {
    self.url = url
    self.title = title
    self.duration = duration
  }
}
