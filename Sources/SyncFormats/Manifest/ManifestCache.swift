// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A checked manifest in a form that is read quickly: its settings as the text of `EffectiveManifest`, and its inline
/// items as rows (docs/decisions/0062-a-cache-of-the-manifest.md). Bytes that cannot be read count as missing.
package enum ManifestCache {
  private static let opening = "syncjob-manifest-cache"
  /// The length of the CRC-32 at the end.
  private static let checkLength = 4

  /// - Parameter key: The digest of everything that determines how the manifest is understood.
  /// - Returns: Nil if a URL of an item contains credentials, which are not written.
  package static func encode(_ manifest: Manifest, key: SHA256Digest) -> [UInt8]? {
    var (settings, lists) = (manifest, [(PlaylistName, BoxedArray<Item>)]())
    for index in settings.playlists.indices {
      guard case .items(let items) = settings.playlists[index].source else { continue }
      guard items.allSatisfy({ $0.hasNoLogin }) else { return nil }
      lists.append((settings.playlists[index].name, items))
      settings.playlists[index].source = .items([])
    }
    var rows = RowWriter()
    rows.text(opening)
    rows.text(key.hex)
    rows.text(EffectiveManifest.text(settings))
    rows.count(lists.count)
    for (name, items) in lists {
      rows.text(name.text)
      rows.count(items.count)
      for item in items { rows.item(item) }
    }
    let check = CRC32.checksum(rows.bytes.span)
    return rows.bytes + (0..<checkLength).map { UInt8(truncatingIfNeeded: check >> UInt32(8 * $0)) }
  }

  /// - Parameters:
  ///   - key: Nil is returned for bytes with another key.
  ///   - readSettings: Reads the text of the settings. Nil if there is an error or a warning.
  package static func decode(
    _ bytes: [UInt8], key: SHA256Digest, readSettings: ([UInt8]) -> Manifest?
  ) -> Manifest? {
    let end = bytes.count - checkLength
    guard end > 0 else { return nil }
    let check = bytes[end...].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    guard CRC32.checksum(bytes.span.extracting(..<end)) == check else { return nil }
    var rows = RowReader(bytes, in: 0..<end)
    do throws(RowReader.Malformed) {
      guard try rows.text() == opening, try rows.text() == key.hex,
        var manifest = readSettings(Array(try rows.text().utf8))
      else { return nil }
      try rows.readItems(into: &manifest)
      return rows.isAtEnd ? manifest : nil
    } catch { return nil }
  }
}

extension Item {
  fileprivate var hasNoLogin: Bool {
    let urls = [main.url, urls?.low, urls?.normal, urls?.high].compactMap(\.self) + alternatives.map(\.url)
    return !urls.contains { $0.hasCredentials }
  }
}

extension RowReader {
  fileprivate mutating func readItems(into manifest: inout Manifest) throws(Malformed) {
    for _ in 0..<(try count()) {
      let name = try text()
      var items: BoxedArray<Item> = []
      for _ in 0..<(try count()) { items.append(try item()) }
      guard let index = manifest.playlists.firstIndex(where: { $0.name.text == name }) else { throw Malformed() }
      manifest.playlists[index].source = .items(items)
    }
  }
}

/// The optional fields of an item that are present in its row.
private struct ItemFields: OptionSet {
  let rawValue: Int

  static let artist = ItemFields(rawValue: 1)
  static let album = ItemFields(rawValue: 1 << 1)
  static let duration = ItemFields(rawValue: 1 << 2)
  static let published = ItemFields(rawValue: 1 << 3)
  static let priority = ItemFields(rawValue: 1 << 4)
  static let pin = ItemFields(rawValue: 1 << 5)
  static let size = ItemFields(rawValue: 1 << 6)
  static let checksum = ItemFields(rawValue: 1 << 7)
  static let urls = ItemFields(rawValue: 1 << 8)
}

extension RowWriter {
  fileprivate mutating func item(_ item: Item) {
    var fields: ItemFields = []
    func note(_ field: ItemFields, _ isPresent: Bool) { if isPresent { fields.insert(field) } }
    note(.artist, item.artist != nil)
    note(.album, item.album != nil)
    note(.duration, item.duration != nil)
    note(.published, item.published != nil)
    note(.priority, item.priority != nil)
    note(.pin, item.pin != nil)
    note(.size, item.size != nil)
    note(.checksum, item.checksum != nil)
    note(.urls, item.urls != nil)
    integer(Int64(fields.rawValue))
    text(item.id.text)
    text(item.title)
    candidate(item.main)
    count(item.alternatives.count)
    for alternative in item.alternatives { candidate(alternative) }
    item.artist.map { text($0) }
    item.album.map { text($0) }
    item.duration.map { duration($0) }
    item.published.map { integer($0.secondsSince1970) }
    item.priority.map { text($0.rawValue) }
    item.pin.map { flag($0) }
    item.size.map { size($0) }
    item.checksum.map { text($0.text) }
    item.urls.map { urls($0) }
  }

  private mutating func candidate(_ candidate: Candidate) {
    text(candidate.url.text)
    flag(candidate.title != nil)
    candidate.title.map { text($0) }
    flag(candidate.duration != nil)
    candidate.duration.map { duration($0) }
  }

  private mutating func duration(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    integer(seconds)
    integer(attoseconds)
  }

  private mutating func size(_ size: DeclaredSize) {
    if case .exact = size { flag(true) } else { flag(false) }
    integer(size.bytes.bytes)
  }

  private mutating func urls(_ urls: QualityURLs) {
    for url in [urls.low, urls.normal, urls.high] {
      flag(url != nil)
      url.map { text($0.text) }
    }
    text(urls.wanted.rawValue)
  }
}

extension RowReader {
  fileprivate mutating func item() throws(Malformed) -> Item {
    let fields = ItemFields(rawValue: Int(truncatingIfNeeded: try integer()))
    let (id, title, main) = (ItemID(try text()), try text(), try candidate())
    guard let id else { throw Malformed() }
    var item = Item(id: id, title: title, main: main)
    for _ in 0..<(try count()) { item.alternatives.append(try candidate()) }
    if fields.contains(.artist) { item.artist = try text() }
    if fields.contains(.album) { item.album = try text() }
    if fields.contains(.duration) { item.duration = try duration() }
    if fields.contains(.published) { item.published = Timestamp(secondsSince1970: try integer()) }
    if fields.contains(.priority) { item.priority = try parsed { Priority(rawValue: $0) } }
    if fields.contains(.pin) { item.pin = try flag() }
    if fields.contains(.size) { item.size = try size() }
    if fields.contains(.checksum) { item.checksum = try parsed { Checksum($0) } }
    if fields.contains(.urls) { item.urls = try urls() }
    return item
  }

  private mutating func candidate() throws(Malformed) -> Candidate {
    let url = try self.url()
    return Candidate(url: url, title: try flag() ? try text() : nil, duration: try flag() ? try duration() : nil)
  }

  private mutating func duration() throws(Malformed) -> Duration {
    let seconds = try integer()
    return Duration(secondsComponent: seconds, attosecondsComponent: try integer())
  }

  private mutating func size() throws(Malformed) -> DeclaredSize {
    let isExact = try flag()
    let bytes = ByteCount(try integer())
    return isExact ? .exact(bytes) : .about(bytes)
  }

  private mutating func urls() throws(Malformed) -> QualityURLs {
    var urls = QualityURLs()
    urls.low = try flag() ? try url() : nil
    urls.normal = try flag() ? try url() : nil
    urls.high = try flag() ? try url() : nil
    urls.wanted = try parsed { Quality(rawValue: $0) }
    return urls
  }

  private mutating func url() throws(Malformed) -> RemoteURL {
    let text = try text()
    do throws(RemoteURL.Problem) { return try RemoteURL(text) } catch { throw Malformed() }
  }
}
