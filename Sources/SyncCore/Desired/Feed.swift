// SPDX-License-Identifier: Apache-2.0

/// The contents of a feed document.
package struct Feed: Equatable, Sendable {
  package var title: String?
  /// In the order of the document.
  package var episodes: EpisodeList
  /// Entries that name an episode but contain nothing to fetch, in the order of the document. A known episode counts as
  /// present in its feed as long as it has such an entry.
  package var unusable: [UnusableEntry]
  package var completeness: Completeness
  /// The defects that were repaired or skipped while reading, for the report.
  package var flaws: FeedFlaws
  package init(
    title: String? = nil, episodes: EpisodeList = [], unusable: [UnusableEntry] = [], completeness: Completeness,
    flaws: FeedFlaws = FeedFlaws()
  ) {
    self.title = title
    self.episodes = episodes
    self.unusable = unusable
    self.completeness = completeness
    self.flaws = flaws
  }
}

/// The extent to which a source was read. Items may be dropped only after a whole reading.
package enum Completeness: Hashable, Sendable {
  case whole
  /// The document ends, and more content follows its end. It may be a shortened feed with something appended. Everything
  /// read counts, and nothing counts as missing.
  case followedByContent
  /// The document was truncated or broken. Everything read up to that point counts, and nothing counts as missing.
  case partial(SourceProblem)

  /// True if the document was read to its end.
  package var hasEnd: Bool { if case .partial = self { false } else { true } }
}

/// The reason why a source could not be read whole. Holds facts; the sentences are in the words folder.
package enum SourceProblem: Error, Hashable, Sendable {
  /// The request failed.
  case unreachable(Failure)
  case unreadableFile(path: String, ErrnoCode)
  /// The document is a web page instead of a feed.
  case webPage
  case empty
  /// The document is well-formed but not RSS. Holds the name of the root element.
  case notAFeed(root: String)
  /// The document is not well-formed, or ends before its root element is closed.
  case malformed(line: Int, detail: String)
  /// The document exceeds a limit of the reader (bytes, attributes, nesting) or declares an entity.
  case excessive(String)
  /// The feed has no items, but had this many before.
  case suddenlyEmpty(before: Int)
  /// The feed has this many entries, and none contains anything to fetch.
  case nothingUsable(entries: Int)
  /// The library that reads feeds is missing on this machine. Holds the system's own text.
  case noReader(detail: String)
}

package enum FeedNote: Hashable, Sendable {
  /// An item without a usable enclosure. Holds its title.
  case withoutEnclosure(title: String)
  /// An item with nothing but an image that no rule asks for. Holds its title.
  case onlyImage(title: String)
  /// An enclosure with an invalid URL. Holds its text.
  case badURL(String)
  /// An unreadable date. Holds its text.
  case badDate(String)
  /// A reference that XML does not define, as written: `&nbsp;`, or `&` alone.
  case unknownReference(String)
  /// The text was not in its declared encoding, or contained control characters.
  case repairedEncoding
  /// Content other than white space, comments and processing instructions follows the root element, which XML does not
  /// allow (XML 1.0, 2.1, rule 1).
  case contentAfterEnd
}

/// A feed entry with nothing to fetch: it has no enclosure, or none that is usable.
package struct UnusableEntry: Equatable, Sendable {
  package var guid: String?
  package var title: String?
  package var published: Timestamp?
  package var duration: Duration?
  package init() {}
}

/// A feed entry with something to fetch.
package struct Episode: Equatable, Sendable {
  package var guid: String?
  package var title: String?
  /// The item's author, or the channel's if the item has none.
  package var author: String?
  package var url: RemoteURL
  package var traits = EpisodeTraits()
  /// The enclosure's `length`, a hint only. Nil if it is absent, zero or not a number.
  package var length: ByteCount?
  package var published: Timestamp?
  package var duration: Duration?
  package init(url: RemoteURL) { self.url = url }
}
