// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A checked manifest in a form that is read quickly: its settings as the text of `EffectiveManifest`, and its inline
/// items as rows (docs/decisions/0062-a-cache-of-the-manifest.md). Bytes that cannot be read count as missing.
package enum ManifestCache {
  private static let opening = "syncjob-manifest-cache-2"
  /// The length of the CRC-32 at the end.
  private static let checkLength = 4

  /// - Parameter key: The digest of everything that determines how the manifest is understood.
  /// - Returns: Nil if a URL of an item contains credentials, which are not written.
  package static func encode(_ manifest: Manifest, key: SHA256Digest) -> [UInt8]? {
    var settings = manifest
    for index in manifest.playlists.indices where !manifest.playlists[index].source.isListing {
      guard manifest.playlists[index].source.inlineItems.allSatisfy(\.hasNoLogin) else { return nil }
      settings.playlists[index].source = .items([])
    }
    var rows = RowWriter()
    rows.text(opening)
    rows.text(key.hex)
    rows.text(EffectiveManifest.text(settings))
    for playlist in manifest.playlists where !playlist.source.isListing {
      var items = RowWriter()
      items.list(playlist.source.inlineItems) { $0.item($1) }
      rows.data(items.bytes)
    }
    let check = CRC32.checksum(rows.bytes.span)
    return rows.bytes + (0..<checkLength).map { UInt8(truncatingIfNeeded: check >> UInt32(8 * $0)) }
  }

  /// - Parameters:
  ///   - key: Nil is returned for bytes with another key.
  ///   - readSettings: Reads the text of the settings. Nil if there is an error or a warning.
  ///   - items: Holds the rows of a playlist's items until they are asked for.
  package static func decode(
    _ bytes: [UInt8], key: SHA256Digest, readSettings: ([UInt8]) -> Manifest?, items: (ItemRows) -> InlineItems
  ) -> Manifest? {
    let end = bytes.count - checkLength
    guard end > 0 else { return nil }
    let check = bytes[end...].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    guard CRC32.checksum(bytes.span.extracting(..<end)) == check else { return nil }
    var rows = RowReader(bytes[..<end])
    do throws(RowReader.Malformed) {
      guard try rows.text() == opening, try rows.text() == key.hex,
        var manifest = readSettings(Array(try rows.data()))
      else { return nil }
      for index in manifest.playlists.indices where !manifest.playlists[index].source.isListing {
        manifest.playlists[index].source = .inline(items(ItemRows(bytes: try rows.data())))
      }
      return rows.isAtEnd ? manifest : nil
    } catch { return nil }
  }
}

extension Item {
  fileprivate var hasNoLogin: Bool {
    let urls =
      [main.url, urls?.low, urls?.normal, urls?.high, license?.url].compactMap(\.self) + alternatives.map(\.url)
    return !urls.contains { $0.hasCredentials }
  }
}

/// The items of one playlist, as a cache holds them.
package struct ItemRows: Sendable {
  fileprivate let bytes: ArraySlice<UInt8>

  /// Nil if the rows are malformed.
  package func decoded() -> BoxedArray<Item>? {
    var rows = RowReader(bytes)
    var items: BoxedArray<Item> = []
    do throws(RowReader.Malformed) {
      for _ in 0..<(try rows.count()) { items.append(try rows.item()) }
      return rows.isAtEnd ? items : nil
    } catch { return nil }
  }
}

extension RowWriter {
  fileprivate mutating func item(_ item: Item) {
    text(item.id.text)
    text(item.title)
    candidate(item.main)
    list(item.alternatives) { $0.candidate($1) }
    optional(item.artist) { $0.text($1) }
    optional(item.album) { $0.text($1) }
    optional(item.duration) { $0.duration($1) }
    optional(item.published) { $0.time($1) }
    optional(item.priority) { $0.text($1.rawValue) }
    optional(item.pin) { $0.flag($1) }
    optional(item.size) { $0.size($1) }
    optional(item.checksum) { $0.text($1.text) }
    optional(item.urls) { $0.urls($1) }
    optional(item.license) { $0.license($1) }
  }

  private mutating func license(_ license: LicenseDeclaration) {
    optional(license.url) { $0.text($1.text) }
  }

  private mutating func candidate(_ candidate: Candidate) {
    text(candidate.url.text)
    optional(candidate.title) { $0.text($1) }
    optional(candidate.duration) { $0.duration($1) }
  }

  private mutating func size(_ size: DeclaredSize) {
    if case .exact = size { flag(true) } else { flag(false) }
    integer(size.bytes.bytes)
  }

  private mutating func urls(_ urls: QualityURLs) {
    for url in [urls.low, urls.normal, urls.high] { optional(url) { $0.text($1.text) } }
    text(urls.wanted.rawValue)
  }
}

extension RowReader {
  fileprivate mutating func item() throws(Malformed) -> Item {
    let (id, title, main) = (try parsed { ItemID($0) }, try text(), try candidate())
    var item = Item(id: id, title: title, main: main)
    item.alternatives = try list { row throws(Malformed) in try row.candidate() }
    item.artist = try optional { row throws(Malformed) in try row.text() }
    item.album = try optional { row throws(Malformed) in try row.text() }
    item.duration = try optional { row throws(Malformed) in try row.duration() }
    item.published = try optional { row throws(Malformed) in try row.time() }
    item.priority = try optional { row throws(Malformed) in try row.parsed { Priority(rawValue: $0) } }
    item.pin = try optional { row throws(Malformed) in try row.flag() }
    item.size = try optional { row throws(Malformed) in try row.size() }
    item.checksum = try optional { row throws(Malformed) in try row.parsed { Checksum($0) } }
    item.urls = try optional { row throws(Malformed) in try row.urls() }
    item.license = try optional { row throws(Malformed) in try row.license() }
    return item
  }

  private mutating func candidate() throws(Malformed) -> Candidate {
    var candidate = Candidate(url: try url())
    candidate.title = try optional { row throws(Malformed) in try row.text() }
    candidate.duration = try optional { row throws(Malformed) in try row.duration() }
    return candidate
  }

  private mutating func size() throws(Malformed) -> DeclaredSize {
    let isExact = try flag()
    guard let bytes = ByteCount(exactly: try integer()) else { throw Malformed() }
    return isExact ? .exact(bytes) : .about(bytes)
  }

  private mutating func urls() throws(Malformed) -> QualityURLs {
    var urls = QualityURLs()
    urls.low = try optional { row throws(Malformed) in try row.url() }
    urls.normal = try optional { row throws(Malformed) in try row.url() }
    urls.high = try optional { row throws(Malformed) in try row.url() }
    urls.wanted = try parsed { Quality(rawValue: $0) }
    return urls
  }

  private mutating func license() throws(Malformed) -> LicenseDeclaration {
    try optional { row throws(Malformed) in try row.url() }.map { .at($0) } ?? LicenseDeclaration.none
  }

  private mutating func url() throws(Malformed) -> RemoteURL {
    let text = try text()
    do throws(RemoteURL.Problem) { return try RemoteURL(stored: text) } catch { throw Malformed() }
  }
}
