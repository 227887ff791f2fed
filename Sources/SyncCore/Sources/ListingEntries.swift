// SPDX-License-Identifier: Apache-2.0

/// The entries of a listing in the order of the document. A source may have half a million, so that their texts share one
/// buffer, and a `ListingEntry` is created when it is asked for.
package struct ListingEntries: Sendable {
  package private(set) var rows: [Row] = []
  /// All texts as UTF-8, one after another.
  package private(set) var texts: [UInt8] = []
  /// The logins of the few URLs that contain one, by position.
  private var logins: [Int: Secret] = [:]
  /// The other URLs of the entries that have any, by position.
  private var alternatives: [Int: [RemoteURL]] = [:]
  /// The folders of the entries that have one, by position. The entries of a feed have none.
  private var folders: [Int: String] = [:]
  private var lastAuthor: Text?
  private var lastMediaType: Text?
  private var lastAlbum: Text?

  /// A text in `texts`.
  package struct Text: Sendable {
    package let start: UInt32
    package let count: UInt32
    package init(start: UInt32, count: UInt32) { (self.start, self.count) = (start, count) }
  }

  /// An entry whose texts are elsewhere.
  package struct Row: Sendable {
    package let url: Text
    fileprivate let shape: RemoteURL.Shape
    package var guid: Text?
    package var title: Text?
    package var author: Text?
    package var mediaType: Text?
    package var album: Text?
    /// The codes of its recording, as `[RecordingCode].joined`.
    package var recordings: Text?
    package var season: Int32?
    package var kind = EpisodeKind.full
    package var isExplicit: Bool?
    package var published: Timestamp?
    package var length: ByteCount?
    package var duration: Duration?
    fileprivate init(url: Text, shape: RemoteURL.Shape) { (self.url, self.shape) = (url, shape) }
  }

  package init() {}

  package init(_ entries: some Sequence<ListingEntry>) {
    for entry in entries { append(entry) }
  }

  /// No entries yet, but all of their texts.
  package init(texts: [UInt8]) { self.texts = texts }

  /// The row of an entry. The URL is checked like any other, so that its host is the one that is requested.
  /// - Returns: nil if the text does not exist, or is not a URL without login and fragment.
  package func row(url: Text) -> Row? {
    guard exists(url) else { return nil }
    do throws(RemoteURL.Problem) {
      let read = try RemoteURL(text(url))
      return read.hasCredentials || !read.text.utf8.elementsEqual(self[url]) ? nil : Row(url: url, shape: read.shape)
    } catch { return nil }
  }

  /// - Returns: false if the row refers to texts that do not exist.
  package mutating func append(_ row: Row) -> Bool {
    guard
      [row.guid, row.title, row.author, row.mediaType, row.album, row.recordings].allSatisfy({ $0.map(exists) ?? true })
    else {
      return false
    }
    rows.append(row)
    return true
  }

  private func exists(_ text: Text) -> Bool { Int(text.start) + Int(text.count) <= texts.count }

  /// True if a URL contains a user or a password.
  package var hasLogins: Bool { !logins.isEmpty }

  /// True if an entry has more than one URL.
  package var hasAlternatives: Bool { !alternatives.isEmpty }
  package var hasFolders: Bool { !folders.isEmpty }

  package mutating func append(_ entry: ListingEntry) {
    if let folder = entry.folder { folders[rows.count] = folder }
    if let login = entry.url.login { logins[rows.count] = login }
    if !entry.alternatives.isEmpty { alternatives[rows.count] = entry.alternatives }
    lastAuthor = store(entry.author, after: lastAuthor)
    lastMediaType = store(entry.traits.mediaType, after: lastMediaType)
    lastAlbum = store(entry.album, after: lastAlbum)
    var row = Row(url: store(entry.url.text), shape: entry.url.shape)
    row.guid = entry.guid.map { store($0) }
    row.title = entry.title.map { store($0) }
    (row.author, row.mediaType, row.album) = (lastAuthor, lastMediaType, lastAlbum)
    row.recordings = entry.recordings.joined.map { store($0) }
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

  /// Sets the sizes of the entries that are local files.
  /// - Parameter size: Returns nil for a file that cannot be examined.
  package mutating func measureFiles(_ size: (RemoteURL) -> ByteCount?) {
    for index in rows.indices where rows[index].shape.scheme == .file {
      if let size = size(url(at: index)) { rows[index].length = size }
    }
  }

  package func guid(at index: Int) -> String? { rows[index].guid.map(text) }
  package func title(at index: Int) -> String? { rows[index].title.map(text) }
  package func url(at index: Int) -> RemoteURL {
    RemoteURL(text: text(rows[index].url), login: logins[index], shape: rows[index].shape)
  }
  /// True if an entry has a media type that begins like this.
  func contains(mediaTypeBeginning prefix: String) -> Bool {
    rows.indices.contains { index in rows[index].mediaType.map { self[$0].starts(with: prefix.utf8) } ?? false }
  }
  package func published(at index: Int) -> Timestamp? { rows[index].published }
  package func recordings(at index: Int) -> [RecordingCode] {
    rows[index].recordings.map { [RecordingCode](joined: text($0)) } ?? []
  }

  private mutating func store(_ text: String) -> Text {
    let start = texts.count
    texts.append(contentsOf: text.utf8)
    return Text(start: UInt32(start), count: UInt32(texts.count - start))
  }

  /// Stores a text that consecutive entries often share.
  private mutating func store(_ text: String?, after last: Text?) -> Text? {
    guard let text else { return nil }
    if let last, self[last].elementsEqual(text.utf8) { return last }
    return store(text)
  }

  private subscript(text: Text) -> ArraySlice<UInt8> { texts[Int(text.start)..<Int(text.start + text.count)] }

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
    entry.folder = folders[index]
    (entry.published, entry.length, entry.duration) = (row.published, row.length, row.duration)
    entry.traits.kind = row.kind
    entry.traits.season = row.season.map { Int($0) }
    entry.traits.isExplicit = row.isExplicit
    entry.traits.mediaType = row.mediaType.map(text)
    entry.album = row.album.map(text)
    entry.alternatives = alternatives[index] ?? []
    entry.recordings = recordings(at: index)
    return entry
  }

  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}
