// SPDX-License-Identifier: Apache-2.0

/// What was read from a feed document.
package struct Feed: Equatable, Sendable {
  package var title: String?
  /// In the order of the document.
  package var episodes: [Episode]
  /// Entries that name an episode but nothing that can be fetched, in the order of the document. An episode that is
  /// known from before has not left its feed as long as one of them is its entry.
  package var unusable: [UnusableEntry]
  package var completeness: Completeness
  /// What was repaired or passed over while reading, for the report.
  package var flaws: FeedFlaws
  package init(
    title: String? = nil, episodes: [Episode] = [], unusable: [UnusableEntry] = [], completeness: Completeness,
    flaws: FeedFlaws = FeedFlaws()
  ) {
    self.title = title
    self.episodes = episodes
    self.unusable = unusable
    self.completeness = completeness
    self.flaws = flaws
  }
}

/// Whether a source was read to its end. Only a whole one may let items go.
package enum Completeness: Hashable, Sendable {
  case whole
  /// It was cut or broken; what was read up to there counts, nothing is missing because of it.
  case partial(SourceProblem)
}

/// Why a source could not be read whole. Facts; sentences live in the words folder.
package enum SourceProblem: Error, Hashable, Sendable {
  /// The request for it failed.
  case unreachable(Failure)
  case unreadableFile(path: String, ErrnoCode)
  /// A web page where a feed was expected.
  case webPage
  case empty
  /// Well-formed, but no RSS: the root element's name.
  case notAFeed(root: String)
  /// Not well-formed, or ended before its root element was closed.
  case malformed(line: Int, detail: String)
  /// More than the reader accepts: bytes, attributes, nesting, or a declared entity.
  case excessive(String)
  /// It has no item, and had this many before.
  case suddenlyEmpty(before: Int)
  /// It has so many entries, and none of them has anything that could be fetched.
  case nothingUsable(entries: Int)
  /// The library that reads feeds is missing on this machine: the system's own text.
  case noReader(detail: String)
}

package enum FeedNote: Hashable, Sendable {
  /// An item without an enclosure that could be fetched: its title.
  case withoutEnclosure(title: String)
  /// An item with nothing but an image, which nobody asked for: its title.
  case onlyImage(title: String)
  /// An enclosure's URL that is none: its text.
  case badURL(String)
  /// A date that could not be read: its text.
  case badDate(String)
  /// A reference that XML does not know, as written: `&nbsp;`, or `&` alone.
  case unknownReference(String)
  /// The text was not in its declared encoding, or had control characters.
  case repairedEncoding
}

/// One entry of a feed from which nothing can be fetched: it has no enclosure, or none that can be used.
package struct UnusableEntry: Equatable, Sendable {
  package var guid: String?
  package var title: String?
  package var published: Timestamp?
  package var duration: Duration?
  package init() {}
}

/// One entry of a feed with something to fetch.
package struct Episode: Equatable, Sendable {
  package var guid: String?
  package var title: String?
  /// From the item, else from the channel.
  package var author: String?
  package var url: RemoteURL
  package var traits = EpisodeTraits()
  /// The enclosure's `length`: a hint only; nil when absent, zero or no number.
  package var length: ByteCount?
  package var published: Timestamp?
  package var duration: Duration?
  package init(url: RemoteURL) { self.url = url }
}
