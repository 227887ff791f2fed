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
  /// The details of the entries that have any, in the order of the entries.
  package private(set) var details: [Details] = []
  private var lastAuthor: Text?
  private var lastMediaType: Text?
  private var lastAlbum: Text?
  private var lastImage: Text?

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

  /// Facts about an entry that many sources do not state. Their texts are elsewhere, too.
  package struct Details: Sendable {
    /// The position of the entry.
    package let entry: Int32
    package var number: Int32?
    package var image: Text?
    package var chapters: Text?
    package var transcript: Text?
    /// A line for each chapter: the milliseconds, a space and the title.
    package var marks: Text?
    /// A line for each file (`EntryFile`).
    package var files: Text?
    package init(entry: Int32) { self.entry = entry }

    fileprivate var texts: [Text?] { [image, chapters, transcript, marks, files] }
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

  /// - Returns: false if the details are not those of a later entry than all others, or refer to texts that do not
  ///   exist.
  package mutating func append(_ details: Details) -> Bool {
    guard rows.indices.contains(Int(details.entry)), details.entry > self.details.last?.entry ?? -1,
      details.texts.allSatisfy({ $0.map(exists) ?? true })
    else { return false }
    self.details.append(details)
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
    if let details = storeDetails(of: entry) { self.details.append(details) }
    rows.append(row)
  }

  /// Nil if the entry has none. An address with a login is left out, because logins are kept apart from all texts.
  private mutating func storeDetails(of entry: ListingEntry) -> Details? {
    let addresses = [entry.image, entry.chapters, entry.transcript]
    if entry.number == nil, entry.marks.isEmpty, entry.files.isEmpty, addresses.allSatisfy({ $0 == nil }) { return nil }
    var details = Details(entry: Int32(truncatingIfNeeded: rows.count))
    details.number = entry.number.flatMap { Int32(exactly: $0) }
    if let image = entry.image, !image.hasCredentials {
      lastImage = store(image.text, after: lastImage)
      details.image = lastImage
    }
    details.chapters = store(entry.chapters)
    details.transcript = store(entry.transcript)
    if !entry.marks.isEmpty { details.marks = store(ChapterMark.text(of: entry.marks)) }
    if !entry.files.isEmpty { details.files = store(EntryFile.text(of: entry.files)) }
    return details
  }

  private mutating func store(_ url: RemoteURL?) -> Text? {
    guard let url, !url.hasCredentials else { return nil }
    return store(url.text)
  }

  /// The details of an entry, found in their order.
  private func details(at index: Int) -> Details? {
    var range = details.startIndex..<details.endIndex
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      if details[middle].entry == index { return details[middle] }
      range = details[middle].entry < index ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
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

  /// Nil if the text is not a URL.
  private func url(_ text: Text) -> RemoteURL? {
    do throws(RemoteURL.Problem) { return try RemoteURL(self.text(text)) } catch { return nil }
  }

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
    if let details = details(at: index) {
      entry.number = details.number.map { Int($0) }
      (entry.image, entry.chapters) = (details.image.flatMap(url), details.chapters.flatMap(url))
      entry.transcript = details.transcript.flatMap(url)
      entry.files = details.files.map { EntryFile.files(in: text($0)) } ?? []
      entry.marks = details.marks.map { ChapterMark.marks(in: text($0)) } ?? []
    }
    return entry
  }

  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension ChapterMark {
  fileprivate static func text(of marks: [ChapterMark]) -> String {
    marks.map { "\($0.start.milliseconds) \($0.title)" }.joined(separator: "\n")
  }

  /// Lines that are not marks are left out. A title may begin with an accent, which would be one character with the
  /// space before it.
  fileprivate static func marks(in text: String) -> [ChapterMark] {
    text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let blank = line.firstIndex(of: UInt8(ascii: " ")), let milliseconds = Int64(Substring(line[..<blank]))
      else { return nil }
      return ChapterMark(start: .milliseconds(milliseconds), title: String(Substring(line[blank...].dropFirst())))
    }
  }
}
