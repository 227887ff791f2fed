// SPDX-License-Identifier: Apache-2.0

/// The entries of a listing in the order of the document. A source may have half a million, so that their texts share one
/// buffer, and a `ListingEntry` is created when it is asked for.
package struct ListingEntries: Sendable {
  package private(set) var rows: [Row] = []
  /// All texts as UTF-8, one after another.
  package private(set) var bytes: [UInt8] = []
  /// The logins of the few URLs that contain one, by position.
  private var logins: [Int: Secret] = [:]
  private var lastAuthor: Text?
  private var lastMediaType: Text?

  /// A text in `bytes`.
  package struct Text: Sendable {
    package var start: UInt32
    package var count: UInt32
    package init(start: UInt32, count: UInt32) { (self.start, self.count) = (start, count) }
  }

  /// An entry whose texts are elsewhere.
  package struct Row: Sendable {
    package var url: Text
    package var shape: RemoteURL.Shape
    package var guid: Text?
    package var title: Text?
    package var author: Text?
    package var mediaType: Text?
    package var season: Int32?
    package var kind = EpisodeKind.full
    package var isExplicit: Bool?
    package var published: Timestamp?
    package var length: ByteCount?
    package var duration: Duration?
    package init(url: Text, shape: RemoteURL.Shape) { (self.url, self.shape) = (url, shape) }
  }

  package init() {}

  package init(_ entries: some Sequence<ListingEntry>) {
    for entry in entries { append(entry) }
  }

  /// Returns nil if a row refers to texts that do not exist.
  package init?(rows: [Row], bytes: [UInt8]) {
    func exists(_ text: Text?) -> Bool { text.map { Int($0.start) + Int($0.count) <= bytes.count } ?? true }
    let areWhole = rows.allSatisfy { row in
      exists(row.url) && row.shape.fits(Int(row.url.count)) && exists(row.guid) && exists(row.title)
        && exists(row.author) && exists(row.mediaType)
    }
    guard areWhole else { return nil }
    (self.rows, self.bytes) = (rows, bytes)
  }

  /// True if a URL contains a user or a password.
  package var hasLogins: Bool { !logins.isEmpty }

  package mutating func append(_ entry: ListingEntry) {
    if let login = entry.url.login { logins[rows.count] = login }
    lastAuthor = store(entry.author, after: lastAuthor)
    lastMediaType = store(entry.traits.mediaType, after: lastMediaType)
    var row = Row(url: store(entry.url.text), shape: entry.url.shape)
    row.guid = entry.guid.map { store($0) }
    row.title = entry.title.map { store($0) }
    (row.author, row.mediaType) = (lastAuthor, lastMediaType)
    row.season = entry.traits.season.flatMap { Int32(exactly: $0) }
    (row.kind, row.isExplicit) = (entry.traits.kind, entry.traits.isExplicit)
    (row.published, row.length, row.duration) = (entry.published, entry.length, entry.duration)
    rows.append(row)
  }

  /// Gives the entries without an author, or without a word about their language, those of their source.
  package mutating func complete(author: String?, isExplicit: Bool?) {
    let author = author.map { store($0) }
    for index in rows.indices {
      rows[index].author = rows[index].author ?? author
      rows[index].isExplicit = rows[index].isExplicit ?? isExplicit
    }
  }

  package func guid(at index: Int) -> String? { rows[index].guid.map(text) }
  package func title(at index: Int) -> String? { rows[index].title.map(text) }
  package func url(at index: Int) -> RemoteURL {
    RemoteURL(text: text(rows[index].url), login: logins[index], shape: rows[index].shape)
  }
  package func published(at index: Int) -> Timestamp? { rows[index].published }

  private mutating func store(_ text: String) -> Text {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return Text(start: UInt32(start), count: UInt32(bytes.count - start))
  }

  /// Stores a text that consecutive entries often share.
  private mutating func store(_ text: String?, after last: Text?) -> Text? {
    guard let text else { return nil }
    if let last, self[last].elementsEqual(text.utf8) { return last }
    return store(text)
  }

  private subscript(text: Text) -> ArraySlice<UInt8> { bytes[Int(text.start)..<Int(text.start + text.count)] }

  private func text(_ text: Text) -> String { String(decoding: self[text], as: UTF8.self) }
}

extension ListingEntries: RandomAccessCollection, ExpressibleByArrayLiteral, Equatable {
  package init(arrayLiteral elements: ListingEntry...) { self.init(elements) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { rows.count }

  package subscript(index: Int) -> ListingEntry {
    let row = rows[index]
    var entry = ListingEntry(url: url(at: index))
    (entry.guid, entry.title, entry.author) = (row.guid.map(text), row.title.map(text), row.author.map(text))
    (entry.published, entry.length, entry.duration) = (row.published, row.length, row.duration)
    entry.traits.kind = row.kind
    entry.traits.season = row.season.map { Int($0) }
    entry.traits.isExplicit = row.isExplicit
    entry.traits.mediaType = row.mediaType.map(text)
    return entry
  }

  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}
