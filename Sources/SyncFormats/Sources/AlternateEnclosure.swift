// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// One `podcast:alternateEnclosure` while it is read, a file at one or more places
/// (https://github.com/Podcastindex-org/podcast-namespace, `docs/tags/alternate-enclosure.md`).
struct AlternateEnclosure {
  /// The largest number of these elements of an entry, and of the places of one.
  static let maximumCount = 16

  private let type: String?
  private let length: String?
  private let bitRate: Int64?
  private let isDefault: Bool
  private let language: String?
  /// True for a commentary, an excerpt and the like, which are other recordings.
  private let isOther: Bool
  private var places: [RemoteURL] = []
  private var checksum: Checksum?

  init(_ attributes: [XMLAttribute]) {
    func value(_ local: String) -> String? { attributes.first { $0.name.local == local }?.value.collapsed }
    type = value("type")?.prefix { $0 != ";" }.lowercased()
    length = value("length")
    bitRate = value("bitrate").flatMap { Double($0) }.flatMap { Int64(exactly: $0.rounded()) }.flatMap {
      $0 > 0 ? $0 : nil
    }
    isDefault = value("default")?.lowercased() == "true"
    language = value("lang")?.lowercased()
    isOther = value("rel").map { $0.lowercased() != "default" } ?? false
  }

  /// Takes a child: `podcast:source` or `podcast:integrity`.
  mutating func take(_ name: XMLName, _ attributes: [XMLAttribute], base: RemoteURL?) {
    guard name.vocabulary == .podcast else { return }
    func value(_ local: String) -> String? { attributes.first { $0.name.local == local }?.value.collapsed }
    switch name.local {
    case "source" where places.count < Self.maximumCount:
      // A torrent and other ways to a file state the type of theirs.
      if let type = value("contentType")?.lowercased(), !type.hasPrefix("audio/"), !type.hasPrefix("video/") { return }
      guard let text = value("uri") else { return }
      do throws(RemoteURL.Problem) {
        places.append(try RemoteURL(reference: text.withSpacesEncoded, base: base))
      } catch {
        // Other schemes (`ipfs:`, `magnet:`) are usual here.
        return
      }
    case "integrity" where value("type")?.lowercased() == "sri": checksum = value("value").flatMap { Checksum(sri: $0) }
    default: return
    }
  }

  /// The file as the enclosure of an entry that has no other, and its first place. Nil without a place, and for another
  /// recording.
  var asEnclosure: (FeedEnclosure, RemoteURL)? {
    guard isDefault || !isOther, let url = places.first,
      let enclosure = FeedEnclosure(url: url.text, type: type, length: length)
    else { return nil }
    return (enclosure, url)
  }

  /// The rank among the elements of an entry without an enclosure, of which the lowest stands in for it: the publisher's
  /// default, then the language of the feed, then audio.
  var rankAsEnclosure: Int {
    (isDefault ? 0 : 4) + (language == nil ? 0 : 2) + (type?.hasPrefix("audio/") ?? false ? 0 : 1)
  }

  /// The places of the file. None if it is another recording, or of another medium than the main file.
  func files(beside main: FeedEnclosure, at url: RemoteURL) -> [EntryFile] {
    let isMain = isDefault || places.contains { $0.identity == url.identity }
    let medium = type?.prefix { $0 != "/" }
    let mainMedium = main.mediaType?.prefix { $0 != "/" }
    guard isMain || !isOther && language == nil && (medium == mainMedium || mainMedium == nil) else { return [] }
    let quality = medium == "audio" ? bitRate.map { Quality(bitsPerSecond: $0) } : nil
    return places.map { EntryFile(url: $0, isMain: isMain, quality: quality, checksum: checksum) }
  }
}

extension Checksum {
  /// The strongest digest of Subresource Integrity (https://www.w3.org/TR/SRI/) that can be checked. Nil without one.
  init?(sri text: String) {
    let digests = text.split(separator: " ").compactMap { word -> Checksum? in
      let parts = word.prefix { $0 != "?" }.split(separator: "-", maxSplits: 1)
      guard parts.count == 2, let algorithm = Algorithm(rawValue: parts[0].lowercased()),
        algorithm == .sha256 || algorithm == .sha512, let bytes = Base64.decoded(parts[1])
      else { return nil }
      return Checksum(algorithm, hex: bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }
    guard let best = digests.first(where: { $0.algorithm == .sha512 }) ?? digests.first else { return nil }
    self = best
  }
}
