// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The list that `yt-dlp --flat-playlist -J` prints: one object, whose `entries` are items or further lists, or `null`
/// where one failed. A page with a single medium is that medium.
package struct YtDlpListing {
  /// Raised with every change after which an answer may be read differently.
  package static let revision = 1

  /// The largest answer that is read.
  package static let maximumSize = ByteCount(256 << 20)

  package private(set) var listing = Listing(completeness: .whole)
  /// The number of entries that yt-dlp could not read.
  package private(set) var failedEntries = 0
  private let maximumEntries: Int
  private var isFull = false

  /// - Returns: Nil if the bytes are not such an answer.
  package init?(_ bytes: [UInt8]) { self.init(bytes, maximumEntries: Listing.maximumEntries) }

  init?(_ bytes: [UInt8], maximumEntries: Int) {
    self.maximumEntries = maximumEntries
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      // Printed where nothing at all could be read.
      if try reader.peekKind() == .null { return nil }
      let top = try readNode(&reader)
      try reader.finish()
      listing.title = top.title
      if !top.isList { append(top, isAlone: true) }
      if isFull { listing.completeness = .partial(.tooManyEntries(maximumEntries)) }
    } catch { return nil }
  }

  private mutating func readNode(_ reader: inout JSONReader) throws(JSONError) -> YtDlpNode {
    var node = YtDlpNode()
    try reader.beginObject()
    while let name = try reader.nextKey() {
      guard name == "entries", try reader.peekKind() == .array else {
        try node.take(name, &reader)
        continue
      }
      node.isList = true
      try reader.beginArray()
      while try reader.nextElement() {
        isFull = isFull || listing.entries.count + listing.unusable.count + failedEntries >= maximumEntries
        guard !isFull, try reader.peekKind() == .object else {
          try reader.skipValue()
          failedEntries += isFull ? 0 : 1
          continue
        }
        let entry = try readNode(&reader)
        if !entry.isList { append(entry, isAlone: false) }
      }
    }
    return node
  }

  /// - Parameter isAlone: True for a page that is not a list. Its own address is that of the item.
  private mutating func append(_ node: YtDlpNode, isAlone: Bool) {
    let number = listing.entries.count + listing.unusable.count + 1
    guard !node.isLive else {
      listing.flaws.append(.live(title: node.title ?? node.id ?? ""), entry: number)
      return listing.unusable.append(node.unusable)
    }
    guard !node.isWithdrawn else { return listing.unusable.append(node.unusable) }
    let texts = isAlone || node.isReference ? [node.page ?? node.url] : [node.url, node.page]
    for case let text? in texts {
      // The program's own notes behind `#` are dropped with the fragment.
      do throws(RemoteURL.Problem) {
        let url = try RemoteURL(text)
        if !url.hasCredentials { return listing.entries.append(node.entry(at: url)) }
      } catch { continue }
    }
    if let text = texts.compactMap(\.self).first {
      listing.flaws.append(.badURL(text), entry: number)
    } else {
      listing.flaws.append(.withoutEnclosure(title: node.title ?? node.id ?? ""), entry: number)
    }
    listing.unusable.append(node.unusable)
  }
}

/// One object of a list while it is read.
struct YtDlpNode {
  var isList = false
  /// True for an entry that was not looked at, whose URL is that of its page.
  private(set) var isReference = false
  private(set) var id: String?
  private(set) var title: String?
  private(set) var url: String?
  private(set) var page: String?
  private(set) var isLive = false
  private var extractor: String?
  private var artist: String?
  private var uploader: String?
  private var album: String?
  private var duration: Duration?
  private var published: Timestamp?

  /// Reads one member. Members of other types than usual count as absent.
  mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    switch name {
    case "_type": isReference = try reader.readWord()?.hasPrefix("url") ?? false
    case "id": id = try reader.readWord()?.oneLine
    case "title": title = try reader.readWord()?.oneLine
    case "url": url = try reader.readWord()
    case "webpage_url": page = try reader.readWord()
    case "ie_key", "extractor_key": extractor = try reader.readWord()?.oneLine ?? extractor
    case "artist": artist = try reader.readWord()?.oneLine
    case "uploader", "channel", "creator": uploader = try reader.readWord()?.oneLine ?? uploader
    case "album": album = try reader.readWord()?.oneLine
    case "duration": duration = try reader.readWord().flatMap { Duration(ytDlpSeconds: $0) }
    case "timestamp", "release_timestamp":
      published = try reader.readWord().flatMap { Timestamp(ytDlpSeconds: $0) } ?? published
    case "live_status":
      let status = try reader.readWord() ?? ""
      isLive = isLive || ["is_live", "is_upcoming", "post_live"].contains(status)
    case "is_live": if try reader.readWord() == "true" { isLive = true }
    default: try reader.skipValue()
    }
  }

  /// True for the place of an item that its publisher took back, as the biggest site shows it in lists.
  var isWithdrawn: Bool { duration == nil && ["[Private video]", "[Deleted video]"].contains(title) }

  /// The id as yt-dlp's archives write it: ids of two sites may be equal.
  private var guid: String? { id.map { id in extractor.map { "\($0.lowercased()) \(id)" } ?? id } }

  func entry(at url: RemoteURL) -> ListingEntry {
    var entry = ListingEntry(url: url)
    (entry.guid, entry.title, entry.author, entry.album) = (guid, title, artist ?? uploader, album)
    (entry.duration, entry.published) = (duration, published)
    return entry
  }

  var unusable: UnusableEntry {
    var entry = UnusableEntry()
    (entry.guid, entry.title, entry.duration, entry.published) = (guid, title, duration, published)
    return entry
  }
}

extension JSONReader {
  /// A string, or a number or truth value as it is written. Nil for other values.
  mutating func readWord() throws(JSONError) -> String? {
    switch try peekKind() {
    case .string: return try readString()
    case .number, .bool: return String(decoding: try readVerbatim(), as: UTF8.self)
    default:
      try skipValue()
      return nil
    }
  }
}

extension String {
  /// One line of a length that people read.
  var oneLine: String? {
    var text = FeedText()
    text.append(Array(utf8).span)
    return text.plain
  }
}

extension Duration {
  /// Seconds, perhaps with a fraction. Nil for anything else, for zero, and for more than a year.
  fileprivate init?(ytDlpSeconds text: String) {
    guard let seconds = Double(text), seconds > 0, seconds < 366 * 86_400 else { return nil }
    self = .milliseconds(Int64(seconds * 1000))
  }
}

extension Timestamp {
  fileprivate init?(ytDlpSeconds text: String) {
    guard let seconds = Double(text), seconds > 0, seconds < 253_402_300_800 else { return nil }
    self.init(secondsSince1970: Int64(seconds))
  }
}
