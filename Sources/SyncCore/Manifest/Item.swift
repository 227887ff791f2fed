// SPDX-License-Identifier: Apache-2.0

/// A track or an episode as declared by the manifest or a source.
package struct Item: Equatable, Sendable {
  package var id: ItemID
  package var title: String
  package var artist: String?
  package var album: String?
  package var duration: Duration?
  package var published: Timestamp?
  /// The codes of its recording that its source states.
  package var recordings: [RecordingCode] = []
  /// Nil for the priority of the playlist.
  package var priority: Priority?
  /// Nil for the setting of the playlist.
  package var pin: Bool?
  /// The declared size. Feeds never set an exact one, because their `length` is only a hint.
  package var size: DeclaredSize?
  package var checksum: Checksum?
  /// The type of the file at the main URL, as its source states it. The queue does not keep it.
  package var mediaType: MediaType?
  /// The main URL.
  package var main: Candidate
  /// In the order of the manifest.
  package var alternatives: [Candidate] = []
  /// The qualities in which the item is declared, if there are several. `main` is one of them.
  @BoxedIfAny package var urls: QualityURLs?
  /// The declared place of its licence. The queue does not keep it.
  @BoxedIfAny package var license: LicenseDeclaration?
  /// The facts that only its tags need. Nil unless the manifest asks for tags.
  @BoxedIfAny package var details: ItemDetails?

  package init(id: ItemID, title: String, main: Candidate) {
    self.id = id
    self.title = title
    self.main = main
  }

  /// The size that is declared to the byte. Nil if none is.
  package var exactSize: ByteCount? { if case .exact(let size)? = size { size } else { nil } }
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

/// One item in several qualities, from the key `urls` or from a server, and the quality that its playlist wants.
package struct QualityURLs: Hashable, Sendable {
  package var low: RemoteURL?
  package var normal: RemoteURL?
  package var high: RemoteURL?
  /// The file from which a server makes the others. Nil unless it is known to be the original.
  package var source: RemoteURL?
  package var wanted: Quality = .source

  package init() {}

  /// The URL of a quality. Nil if the item is not declared in it. For `source`, the best quality takes its place.
  package subscript(quality: Quality) -> RemoteURL? {
    switch quality {
    case .low: low
    case .normal: normal
    case .high: high
    case .source: source
    }
  }

  /// The wanted quality, otherwise the next lower one, otherwise the lowest above it. Nil if there is no URL.
  package func offer(for wanted: Quality) -> (quality: Quality, url: RemoteURL)? {
    let order: [Quality] =
      switch wanted {
      case .low: [.low, .normal, .high, .source]
      case .normal: [.normal, .low, .high, .source]
      case .high: [.high, .normal, .low, .source]
      case .source: [.source, .high, .normal, .low]
      }
    for quality in order { if let url = self[quality] { return (quality, url) } }
    return nil
  }

  /// The quality that is fetched for the wanted one.
  package var offered: Quality? { offer(for: wanted)?.quality }

  /// True if the wanted quality is the best one, or one that is declared.
  package var hasWanted: Bool { wanted == .source || self[wanted] != nil }

  /// The quality for which a URL is declared. Signatures and counters that the server has since added do not matter.
  package func quality(of url: RemoteURL) -> Quality? {
    [Quality.low, .normal, .high, .source].first { self[$0].map { $0.identity == url.identity } ?? false }
  }
}

extension Quality {
  /// The bit rate in bits per second. Nil for `source`, whose bit rate is unknown.
  package var bitRate: Int64? {
    switch self {
    case .low: 96_000
    case .normal: 160_000
    case .high: 320_000
    case .source: nil
    }
  }
}
