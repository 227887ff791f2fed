// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A listing as rows of bytes, which are read much faster than the document. The texts of the entries come first, as one
/// buffer, and the entries refer to them.
package enum ListingFile {
  package static let format = "syncjob-listing"
  package static let version = 7
  /// The size of the largest listing that is kept, about 40,000 entries. It is held as a whole, and a document is not.
  package static let maximumSize = ByteCount(8 << 20)

  /// Returns nil for a listing that must be read from its document: one that was not read whole, one that is too large,
  /// one whose entries have several URLs or folders, and one with logins in its URLs, which are kept out of all other
  /// stored data.
  package static func encode(_ listing: Listing) -> [UInt8]? {
    let entries = listing.entries
    guard listing.completeness.hasEnd, !entries.hasLogins, listing.newAddress?.hasCredentials != true,
      listing.image?.hasCredentials != true, !listing.nextHasLogin, !entries.hasAlternatives, !entries.hasFolders,
      entries.texts.count <= maximumSize.bytes
    else { return nil }
    var rows = RowWriter()
    rows.optional(listing.title) { $0.text($1) }
    rows.flag(listing.completeness == .whole)
    rows.list(listing.unusable) { $0.unusable($1) }
    rows.integer(listing.flaws.count)
    rows.list(listing.flaws.listed) { $0.flaw($1) }
    rows.data(entries.texts)
    rows.list(entries.rows) { $0.entry($1) }
    rows.list(entries.details) { $0.details($1) }
    for url in [listing.newAddress, listing.image] { rows.optional(url) { $0.text($1.text) } }
    for text in [listing.author, listing.language] { rows.optional(text) { $0.text($1) } }
    rows.optional(listing.next) { $0.next($1) }
    return rows.bytes.count <= maximumSize.bytes ? rows.bytes : nil
  }

  /// Returns nil if the bytes are not a listing.
  package static func decode(_ bytes: ArraySlice<UInt8>) -> Listing? {
    var rows = RowReader(bytes)
    do throws(RowReader.Malformed) {
      let title = try rows.optional { row throws(RowReader.Malformed) in try row.text() }
      let completeness: Completeness = try rows.flag() ? .whole : .followedByContent
      let unusable = try rows.list { row throws(RowReader.Malformed) in try row.unusable() }
      let flawCount = try rows.integer(Int.self)
      let flaws = try rows.list { row throws(RowReader.Malformed) in try row.flaw() }
      var entries = ListingEntries(texts: Array(try rows.data()))
      for _ in 0..<(try rows.count()) { try rows.entry(into: &entries) }
      for _ in 0..<(try rows.count()) { try rows.details(into: &entries) }
      let newAddress = try rows.optional { row throws(RowReader.Malformed) in try row.address() }
      let image = try rows.optional { row throws(RowReader.Malformed) in try row.address() }
      let author = try rows.optional { row throws(RowReader.Malformed) in try row.text() }
      let language = try rows.optional { row throws(RowReader.Malformed) in try row.text() }
      let next = try rows.optional { row throws(RowReader.Malformed) in try row.next() }
      guard rows.isAtEnd, flaws.count <= ListingFlaws.maximum, flawCount >= flaws.count else { return nil }
      var listing = Listing(
        title: title, entries: entries, unusable: unusable, completeness: completeness,
        flaws: ListingFlaws(listed: flaws, count: flawCount))
      (listing.newAddress, listing.image) = (newAddress, image)
      (listing.author, listing.language, listing.next) = (author, language, next)
      return listing
    } catch { return nil }
  }
}

extension Listing {
  fileprivate var nextHasLogin: Bool { if case .at(let url) = next { url.hasCredentials } else { false } }
}

extension RowWriter {
  fileprivate mutating func next(_ page: NextPage) {
    let url: RemoteURL? = if case .at(let url) = page { url } else { nil }
    optional(url) { $0.text($1.text) }
  }

  fileprivate mutating func unusable(_ entry: UnusableEntry) {
    optional(entry.guid) { $0.text($1) }
    optional(entry.title) { $0.text($1) }
    optional(entry.published) { $0.time($1) }
    optional(entry.duration) { $0.duration($1) }
  }

  fileprivate mutating func flaw(_ flaw: ListingFlaw) {
    let (kind, text): (Int, String) =
      switch flaw.note {
      case .withoutEnclosure(let title): (0, title)
      case .onlyImage(let title): (1, title)
      case .badURL(let text): (2, text)
      case .badDate(let text): (3, text)
      case .unknownReference(let text): (4, text)
      case .repairedEncoding: (5, "")
      case .contentAfterEnd: (6, "")
      // The others are flaws of several pages together, whose joined listing is not kept, and of the manifest.
      case .badPage, .repeatedPage, .morePages, .unmatchedPattern: (13, "")
      case .localFile(let text): (10, text)
      case .outsideRoots(let text): (11, text)
      case .live(let title): (12, title)
      case .withoutFeed(let title): (7, title)
      case .repeatedFeed(let title): (8, title)
      case .notFollowed(let text): (9, text)
      }
    integer(kind)
    self.text(text)
    optional(flaw.line) { $0.integer($1) }
    optional(flaw.entry) { $0.integer($1) }
  }

  fileprivate mutating func entry(_ row: ListingEntries.Row) {
    place(row.url)
    for text in [row.guid, row.title, row.author, row.mediaType, row.album, row.recordings] {
      optional(text) { $0.place($1) }
    }
    optional(row.season) { $0.integer($1) }
    integer(EpisodeKind.allCases.firstIndex(of: row.kind) ?? 0)
    optional(row.isExplicit) { $0.flag($1) }
    optional(row.published) { $0.time($1) }
    optional(row.length) { $0.integer($1.bytes) }
    optional(row.duration) { $0.duration($1) }
  }

  fileprivate mutating func details(_ details: ListingEntries.Details) {
    integer(details.entry)
    optional(details.number) { $0.integer($1) }
    for text in [details.image, details.chapters, details.transcript, details.marks, details.files] {
      optional(text) { $0.place($1) }
    }
  }

  private mutating func place(_ text: ListingEntries.Text) {
    integer(text.start)
    integer(text.count)
  }
}

extension RowReader {
  fileprivate mutating func next() throws(Malformed) -> NextPage {
    try optional { row throws(Malformed) in try row.address() }.map { .at($0) } ?? .unusable
  }

  fileprivate mutating func unusable() throws(Malformed) -> UnusableEntry {
    var entry = UnusableEntry()
    entry.guid = try optional { row throws(Malformed) in try row.text() }
    entry.title = try optional { row throws(Malformed) in try row.text() }
    entry.published = try optional { row throws(Malformed) in try row.time() }
    entry.duration = try optional { row throws(Malformed) in try row.duration() }
    return entry
  }

  fileprivate mutating func flaw() throws(Malformed) -> ListingFlaw {
    let (kind, text) = (try integer(Int.self), try text())
    let note: ListingNote
    switch kind {
    case 0: note = .withoutEnclosure(title: text)
    case 1: note = .onlyImage(title: text)
    case 2: note = .badURL(text)
    case 3: note = .badDate(text)
    case 4: note = .unknownReference(text)
    case 5: note = .repairedEncoding
    case 6: note = .contentAfterEnd
    case 10: note = .localFile(text)
    case 11: note = .outsideRoots(text)
    case 12: note = .live(title: text)
    case 7: note = .withoutFeed(title: text)
    case 8: note = .repeatedFeed(title: text)
    case 9: note = .notFollowed(text)
    case 13: note = .badPage
    default: throw Malformed()
    }
    var flaw = ListingFlaw(note)
    flaw.line = try optional { row throws(Malformed) in try row.integer() }
    flaw.entry = try optional { row throws(Malformed) in try row.integer() }
    return flaw
  }

  fileprivate mutating func entry(into entries: inout ListingEntries) throws(Malformed) {
    guard var row = entries.row(url: try place()) else { throw Malformed() }
    row.guid = try optional { row throws(Malformed) in try row.place() }
    row.title = try optional { row throws(Malformed) in try row.place() }
    row.author = try optional { row throws(Malformed) in try row.place() }
    row.mediaType = try optional { row throws(Malformed) in try row.place() }
    row.album = try optional { row throws(Malformed) in try row.place() }
    row.recordings = try optional { row throws(Malformed) in try row.place() }
    row.season = try optional { row throws(Malformed) in try row.integer() }
    let kind = try integer(Int.self)
    guard EpisodeKind.allCases.indices.contains(kind) else { throw Malformed() }
    row.kind = EpisodeKind.allCases[kind]
    row.isExplicit = try optional { row throws(Malformed) in try row.flag() }
    row.published = try optional { row throws(Malformed) in try row.time() }
    row.length = try optional { row throws(Malformed) in try row.size() }
    row.duration = try optional { row throws(Malformed) in try row.duration() }
    guard entries.append(row) else { throw Malformed() }
  }

  fileprivate mutating func details(into entries: inout ListingEntries) throws(Malformed) {
    var details = ListingEntries.Details(entry: try integer())
    details.number = try optional { row throws(Malformed) in try row.integer() }
    details.image = try optional { row throws(Malformed) in try row.place() }
    details.chapters = try optional { row throws(Malformed) in try row.place() }
    details.transcript = try optional { row throws(Malformed) in try row.place() }
    details.marks = try optional { row throws(Malformed) in try row.place() }
    details.files = try optional { row throws(Malformed) in try row.place() }
    guard entries.append(details) else { throw Malformed() }
  }

  fileprivate mutating func address() throws(Malformed) -> RemoteURL {
    let text = try text()
    do throws(RemoteURL.Problem) { return try RemoteURL(text) } catch { throw Malformed() }
  }

  private mutating func size() throws(Malformed) -> ByteCount {
    guard let size = ByteCount(exactly: try integer()) else { throw Malformed() }
    return size
  }

  private mutating func place() throws(Malformed) -> ListingEntries.Text {
    ListingEntries.Text(start: try integer(), count: try integer())
  }
}
