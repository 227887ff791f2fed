// SPDX-License-Identifier: Apache-2.0

/// The entries of a listing in the order of the document. A source may have half a million, so that their texts share one
/// buffer, and a `ListingEntry` is created when it is asked for.
package struct ListingEntries: Sendable {
  private var rows: [Row] = []
  /// All texts as UTF-8, one after another.
  private var bytes: [UInt8] = []
  /// The logins of the few URLs that contain one, by position.
  private var logins: [Int: Secret] = [:]
  private var lastAuthor: Text?
  private var lastMediaType: Text?

  /// A text in `bytes`.
  private struct Text {
    var start: UInt32
    var count: UInt32
  }

  private struct Row {
    var url: Text
    var shape: RemoteURL.Shape
    var guid: Text?
    var title: Text?
    var author: Text?
    var mediaType: Text?
    var season: Int32?
    var kind: EpisodeKind
    var isExplicit: Bool?
    var published: Timestamp?
    var length: ByteCount?
    var duration: Duration?
  }

  package init() {}

  package init(_ entries: some Sequence<ListingEntry>) {
    for entry in entries { append(entry) }
  }

  package mutating func append(_ entry: ListingEntry) {
    if let login = entry.url.login { logins[rows.count] = login }
    lastAuthor = store(entry.author, after: lastAuthor)
    lastMediaType = store(entry.traits.mediaType, after: lastMediaType)
    rows.append(
      Row(
        url: store(entry.url.text), shape: entry.url.shape, guid: entry.guid.map { store($0) },
        title: entry.title.map { store($0) },
        author: lastAuthor, mediaType: lastMediaType, season: entry.traits.season.flatMap { Int32(exactly: $0) },
        kind: entry.traits.kind, isExplicit: entry.traits.isExplicit, published: entry.published,
        length: entry.length, duration: entry.duration))
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
