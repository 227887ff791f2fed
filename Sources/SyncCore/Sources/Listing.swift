// SPDX-License-Identifier: Apache-2.0

/// The contents of a source: the neutral product of every source kind. Identity, selection, retention and layout depend
/// on it and do not know the kind.
package struct Listing: Equatable, Sendable {
  package var title: String?
  /// In the order of the document.
  package var entries: ListingEntries
  /// Entries that name an item but contain nothing to fetch, in the order of the document. A known item counts as
  /// present in its source as long as it has such an entry.
  package var unusable: [UnusableEntry]
  package var completeness: Completeness
  /// The defects that were repaired or skipped while reading, for the report.
  package var flaws: ListingFlaws
  /// The picture of the source.
  package var image: RemoteURL?
  /// The author of the source, who is also that of the entries without one.
  package var author: String?
  /// The language as the source writes it, such as `de-AT`.
  package var language: String?
  /// The address to which the document says that the source has moved for good.
  package var newAddress: RemoteURL?
  /// The page with older entries that the document names.
  package var next: NextPage?
  package init(
    title: String? = nil, entries: ListingEntries = [], unusable: [UnusableEntry] = [], completeness: Completeness,
    flaws: ListingFlaws = ListingFlaws()
  ) {
    self.title = title
    self.entries = entries
    self.unusable = unusable
    self.completeness = completeness
    self.flaws = flaws
  }
}

/// The page of a feed that follows another (RFC 5005).
package enum NextPage: Equatable, Sendable {
  case at(RemoteURL)
  /// The document names one, and its address cannot be requested.
  case unusable
}

/// The extent to which a source was read. Items may be dropped only after a whole reading.
package enum Completeness: Hashable, Sendable {
  case whole
  /// The document ends, and more content follows its end. It may be a shortened one with something appended. Everything
  /// read counts, and nothing counts as missing.
  case followedByContent
  /// The source goes on behind its last page that was read. Everything read counts, and nothing counts as missing.
  case continued
  /// The document was truncated or broken. Everything read up to that point counts, and nothing counts as missing.
  case partial(SourceProblem)

  /// True if the document was read to its end.
  package var hasEnd: Bool { if case .partial = self { false } else { true } }
}

/// An entry with something to fetch.
package struct ListingEntry: Equatable, Sendable {
  package var guid: String?
  package var title: String?
  /// The entry's author, or the source's if the entry has none.
  package var author: String?
  /// The album that it belongs to. Nil for that of the source, which is its title.
  package var album: String?
  /// The folders around the entry in its source, joined by slashes. Nil for none.
  package var folder: String?
  package var url: RemoteURL
  /// Other places of the same recording, in the order of the document.
  package var alternatives: [RemoteURL] = []
  /// The files that the source states beside the main URL, in the order of the document.
  package var files: [EntryFile] = []
  package var traits = EntryTraits()
  /// The number of the episode in its season, or in the source.
  package var number: Int?
  /// The picture of the entry.
  package var image: RemoteURL?
  /// The document with the chapters of the recording.
  package var chapters: RemoteURL?
  /// The chapters that the source itself lists, in its order.
  package var marks: [ChapterMark] = []
  /// The document with the words of the recording.
  package var transcript: RemoteURL?
  /// The size that the source states, a hint only. Nil if it states none.
  package var length: ByteCount?
  package var published: Timestamp?
  package var duration: Duration?
  package var recordings: [RecordingCode] = []
  package init(url: RemoteURL) { self.url = url }
}

/// An entry with nothing to fetch.
package struct UnusableEntry: Equatable, Sendable {
  package var guid: String?
  package var title: String?
  package var published: Timestamp?
  package var duration: Duration?
  package init() {}
}

extension Listing {
  /// The largest number of entries of one source. A document of a few hundred kilobytes unpacks to 100 million.
  package static let maximumEntries = 1_000_000
}
