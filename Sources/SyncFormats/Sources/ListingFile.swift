// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A listing as bytes that are read much faster than the document: numbers in little-endian order and of fixed sizes,
/// texts as their length and their UTF-8. The entries are rows of one size, followed by the buffer of their texts.
package enum ListingFile {
  package static let format = "syncjob-listing"
  package static let version = 1
  /// The size of the largest listing that is kept, about 40,000 entries. It is held as a whole, and a document is not.
  package static let maximumSize = ByteCount(8 << 20)

  /// Returns nil for a listing that must be read from its document: one that was not read whole, one that is too large,
  /// and one with logins in its URLs, which are kept out of all other stored data.
  package static func encode(_ listing: Listing) -> [UInt8]? {
    let entries = listing.entries
    let size = entries.rows.count * ListingWriter.rowSize + entries.bytes.count
    guard listing.completeness.hasEnd, !entries.hasLogins, size <= maximumSize.bytes else { return nil }
    var writer = ListingWriter()
    writer.bytes.reserveCapacity(size)
    writer.put(listing.title)
    writer.put(UInt8(listing.completeness == .whole ? 0 : 1))
    writer.put(UInt32(listing.unusable.count))
    for entry in listing.unusable { writer.put(entry) }
    writer.put(UInt32(listing.flaws.count))
    writer.put(UInt32(listing.flaws.listed.count))
    for flaw in listing.flaws.listed { writer.put(flaw) }
    writer.put(UInt32(entries.rows.count))
    for row in entries.rows { writer.put(row) }
    writer.put(UInt32(entries.bytes.count))
    writer.bytes.append(contentsOf: entries.bytes)
    return writer.bytes
  }

  /// Returns nil if the bytes are not a listing.
  package static func decode(_ bytes: ArraySlice<UInt8>) -> Listing? {
    var reader = ListingCursor(bytes)
    let title = reader.text()
    let completeness: Completeness = reader.number(UInt8.self) == 0 ? .whole : .followedByContent
    let unusable = reader.list { $0.unusable() }
    let flawCount = Int(reader.number(UInt32.self))
    let flaws = reader.list { $0.flaw() }
    let rows = reader.list { $0.row() }
    let texts = reader.bytes(Int(reader.number(UInt32.self)))
    guard !reader.isDamaged, reader.isAtEnd, flaws.count <= ListingFlaws.maximum, flawCount >= flaws.count,
      let entries = ListingEntries(rows: rows, bytes: Array(texts))
    else { return nil }
    return Listing(
      title: title, entries: entries, unusable: unusable, completeness: completeness,
      flaws: ListingFlaws(listed: flaws, count: flawCount))
  }
}

private struct ListingWriter {
  /// The bytes of a row.
  static let rowSize = 99

  var bytes: [UInt8] = []

  mutating func put(_ number: some FixedWidthInteger) {
    var rest = number
    for _ in 0..<(number.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func put(_ text: String?) {
    put(UInt8(text == nil ? 0 : 1))
    guard let text else { return }
    put(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// A value that may be missing takes as many bytes as one that is there.
  mutating func put<Number: FixedWidthInteger>(optional number: Number?) {
    put(UInt8(number == nil ? 0 : 1))
    put(number ?? 0)
  }

  mutating func put(_ duration: Duration?) {
    put(optional: duration?.components.seconds)
    put(duration?.components.attoseconds ?? 0)
  }

  mutating func put(_ text: ListingEntries.Text?) {
    put(optional: text?.start)
    put(text?.count ?? 0)
  }

  mutating func put(_ entry: UnusableEntry) {
    put(entry.guid)
    put(entry.title)
    put(optional: entry.published?.secondsSince1970)
    put(entry.duration)
  }

  mutating func put(_ flaw: ListingFlaw) {
    let (kind, text): (UInt8, String) =
      switch flaw.note {
      case .withoutEnclosure(let title): (0, title)
      case .onlyImage(let title): (1, title)
      case .badURL(let text): (2, text)
      case .badDate(let text): (3, text)
      case .unknownReference(let text): (4, text)
      case .repairedEncoding: (5, "")
      case .contentAfterEnd: (6, "")
      }
    put(kind)
    put(text)
    put(optional: flaw.line.map { Int64($0) })
    put(optional: flaw.entry.map { Int64($0) })
  }

  mutating func put(_ row: ListingEntries.Row) {
    put(row.url)
    put(UInt8(row.shape.scheme == .http ? 0 : 1))
    for number in [row.shape.port, row.shape.host.start, row.shape.host.end, row.shape.path.start, row.shape.path.end] {
      put(number)
    }
    for text in [row.guid, row.title, row.author, row.mediaType] { put(text) }
    put(optional: row.season)
    put(UInt8(EpisodeKind.allCases.firstIndex(of: row.kind) ?? 0))
    put(optional: row.isExplicit.map { UInt8($0 ? 1 : 0) })
    put(optional: row.published?.secondsSince1970)
    put(optional: row.length?.bytes)
    put(row.duration)
  }
}

/// Reads the bytes one after another. Behind the end, or where a value is impossible, it reads zeros and is damaged.
private struct ListingCursor {
  private let source: ArraySlice<UInt8>
  private var offset: Int
  private(set) var isDamaged = false

  init(_ bytes: ArraySlice<UInt8>) { (source, offset) = (bytes, bytes.startIndex) }

  var isAtEnd: Bool { offset == source.endIndex }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
    guard count <= source.endIndex - offset else {
      isDamaged = true
      return []
    }
    defer { offset += count }
    return source[offset..<(offset + count)]
  }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
    let size = Number.bitWidth / 8
    guard size <= source.endIndex - offset else {
      isDamaged = true
      return 0
    }
    var number: Number = 0
    for index in 0..<size { number |= Number(truncatingIfNeeded: source[offset + index]) << (8 * index) }
    offset += size
    return number
  }

  mutating func optional<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let isThere = number(UInt8.self) == 1
    let number = number(type)
    return isThere ? number : nil
  }

  mutating func text() -> String? {
    guard number(UInt8.self) == 1 else { return nil }
    return String(decoding: bytes(Int(number(UInt32.self))), as: UTF8.self)
  }

  /// Ends at once if the bytes are damaged. Reserves nothing, because the count may be wrong.
  mutating func list<Element>(_ element: (inout Self) -> Element?) -> [Element] {
    let count = Int(number(UInt32.self))
    var elements: [Element] = []
    while elements.count < count, !isDamaged {
      guard let element = element(&self) else {
        isDamaged = true
        break
      }
      elements.append(element)
    }
    return elements
  }

  mutating func time() -> Timestamp? {
    guard let seconds = optional(Int64.self) else { return nil }
    if !Self.times.contains(seconds) { isDamaged = true }
    return Timestamp(secondsSince1970: seconds)
  }

  mutating func duration() -> Duration? {
    let (seconds, attoseconds) = (optional(Int64.self), number(Int64.self))
    guard let seconds else { return nil }
    if !Self.times.contains(seconds) || !(0..<1_000_000_000_000_000_000).contains(attoseconds) { isDamaged = true }
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  /// Any time or duration of a document, in seconds, and few enough for any arithmetic.
  private static let times: ClosedRange<Int64> = -1 << 44...1 << 44

  mutating func span() -> ListingEntries.Text? {
    let start = optional(UInt32.self)
    let count = number(UInt32.self)
    return start.map { ListingEntries.Text(start: $0, count: count) }
  }

  mutating func unusable() -> UnusableEntry {
    var entry = UnusableEntry()
    (entry.guid, entry.title, entry.published, entry.duration) = (text(), text(), time(), duration())
    return entry
  }

  mutating func flaw() -> ListingFlaw? {
    let kind = number(UInt8.self)
    let text = text() ?? ""
    let note: ListingNote
    switch kind {
    case 0: note = .withoutEnclosure(title: text)
    case 1: note = .onlyImage(title: text)
    case 2: note = .badURL(text)
    case 3: note = .badDate(text)
    case 4: note = .unknownReference(text)
    case 5: note = .repairedEncoding
    case 6: note = .contentAfterEnd
    default: return nil
    }
    return ListingFlaw(note, line: optional(Int64.self).map { Int($0) }, entry: optional(Int64.self).map { Int($0) })
  }

  mutating func row() -> ListingEntries.Row? {
    guard let url = span() else { return nil }
    let scheme: RemoteURL.Scheme = number(UInt8.self) == 0 ? .http : .https
    let port = number(UInt16.self)
    let host = RemoteURL.Shape.Bounds(start: number(UInt16.self), end: number(UInt16.self))
    let path = RemoteURL.Shape.Bounds(start: number(UInt16.self), end: number(UInt16.self))
    var row = ListingEntries.Row(
      url: url, shape: RemoteURL.Shape(scheme: scheme, port: port, host: host, path: path))
    (row.guid, row.title, row.author, row.mediaType) = (span(), span(), span(), span())
    row.season = optional(Int32.self)
    let kind = Int(number(UInt8.self))
    guard EpisodeKind.allCases.indices.contains(kind) else { return nil }
    row.kind = EpisodeKind.allCases[kind]
    row.isExplicit = optional(UInt8.self).map { $0 == 1 }
    row.published = time()
    row.length = optional(Int64.self).flatMap { ByteCount(exactly: $0) }
    row.duration = duration()
    return row
  }
}
