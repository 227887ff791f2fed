// SPDX-License-Identifier: Apache-2.0

/// One track or episode as a manifest or source declares it.
package struct Item: Equatable, Sendable {
  package var id: ItemID
  package var title: String
  package var artist: String?
  package var album: String?
  package var duration: Duration?
  package var published: Timestamp?
  /// Nil: the playlist's.
  package var priority: Priority?
  /// Nil: the playlist's.
  package var pin: Bool?
  /// A declared size that must hold; feeds never set it (their `length` is a hint).
  package var size: DeclaredSize?
  package var checksum: Checksum?
  /// The main URL.
  package var main: Candidate
  /// In the order of the manifest.
  package var alternatives: [Candidate] = []
  /// Of an item that is declared in several qualities; `main` is one of them.
  @BoxedIfAny package var urls: QualityURLs?

  package init(id: ItemID, title: String, main: Candidate) {
    self.id = id
    self.title = title
    self.main = main
  }
}

/// A size from outside, and how far it can be trusted.
package enum DeclaredSize: Hashable, Sendable {
  /// Written to the byte: another size is a failure.
  case exact(ByteCount)
  /// Rounded (`8.6MB`) or a feed's `length`: serves planning only.
  case about(ByteCount)

  package var bytes: ByteCount {
    switch self {
    case .exact(let bytes), .about(let bytes): bytes
    }
  }
}

/// One place to get an item from.
package struct Candidate: Hashable, Sendable {
  package var url: RemoteURL
  /// Nil: the item's own.
  package var title: String?
  /// Nil: unknown, or, for the main candidate, the item's own.
  package var duration: Duration?

  package init(url: RemoteURL, title: String? = nil, duration: Duration? = nil) {
    self.url = url
    self.title = title
    self.duration = duration
  }
}
