// SPDX-License-Identifier: Apache-2.0

/// A flaw of a listing and its place in the document.
package struct ListingFlaw: Hashable, Sendable {
  package var note: ListingNote
  /// The line, from 1. Nil if unknown.
  package var line: Int?
  /// The entry with the flaw, from 1 in the order of the document. Nil if the flaw is not in an entry.
  package var entry: Int?
  package init(_ note: ListingNote, line: Int? = nil, entry: Int? = nil) {
    self.note = note
    self.line = line
    self.entry = entry
  }
}

/// A defect of a document that was repaired or skipped.
package enum ListingNote: Hashable, Sendable {
  /// An entry without a usable enclosure. Holds its title.
  case withoutEnclosure(title: String)
  /// An entry with nothing but an image that no rule asks for. Holds its title.
  case onlyImage(title: String)
  /// A stream that is not over yet. Holds its title.
  case live(title: String)
  /// An enclosure with an invalid URL. Holds its text.
  case badURL(String)
  /// An entry of a list that names a file of another machine, or one of this machine in a list from a URL. Holds its
  /// text.
  case localFile(String)
  /// An entry of a list in a file that names a file outside the folders from which it may. Holds its text.
  case outsideRoots(String)
  /// An outline that should name a feed and has no `xmlUrl`. Holds its title.
  case withoutFeed(title: String)
  /// An outline with the feed of an earlier one. Holds its title, or the URL without credentials.
  case repeatedFeed(title: String)
  /// An outline that refers to another document (`type="include"` or `type="link"`). Holds its URL as written.
  case notFollowed(String)
  /// A pattern of this key of the manifest that matches no outline. Holds the names of folders and titles that the
  /// document has.
  case unmatchedPattern(key: String, String, names: [String])
  /// An unreadable date. Holds its text.
  case badDate(String)
  /// A reference that XML does not define, as written: `&nbsp;`, or `&` alone.
  case unknownReference(String)
  /// The text was not in its declared encoding, or contained control characters.
  case repairedEncoding
  /// Content other than white space, comments and processing instructions follows the root element, which XML does not
  /// allow (XML 1.0, 2.1, rule 1).
  case contentAfterEnd
  /// A page of a feed names an earlier page as the next one. Holds its number.
  case repeatedPage(Int)
  /// A feed has more pages than are followed. Holds the number of those that were read.
  case morePages(Int)
  /// A page of a feed names a next one at an address that cannot be requested.
  case badPage
}

/// The flaws of a listing in the order in which they were found, limited to the number that a report holds.
package struct ListingFlaws: Equatable, Sendable {
  /// The largest number of listed flaws. Limited because a source may have a flaw in each of its entries.
  package static let maximum = 1000

  /// The first `maximum` flaws.
  package private(set) var listed: [ListingFlaw] = []
  /// The number of all flaws, listed or not.
  package private(set) var count = 0

  package init() {}

  /// - Parameters:
  ///   - listed: At most `maximum` flaws.
  ///   - count: At least the number of those.
  package init(listed: [ListingFlaw], count: Int) { (self.listed, self.count) = (listed, count) }

  package var notes: [ListingNote] { listed.map(\.note) }

  package mutating func append(_ note: ListingNote, line: Int? = nil, entry: Int? = nil) {
    count += 1
    if listed.count < Self.maximum {
      listed.append(ListingFlaw(note.cut(to: ListingNote.longestText), line: line, entry: entry))
    }
  }

  /// Adds a flaw that has to be read first.
  package mutating func prepend(_ note: ListingNote, line: Int? = nil) {
    count += 1
    if listed.count == Self.maximum { listed.removeLast() }
    listed.insert(ListingFlaw(note.cut(to: ListingNote.longestText), line: line), at: 0)
  }

  /// Replaces the texts of the listed flaws.
  package mutating func update(_ change: (ListingNote) -> ListingNote) {
    for index in listed.indices { listed[index].note = change(listed[index].note) }
  }
}

extension ListingNote {
  /// The number of scalars kept of a text. It is much larger than what is shown, because secrets are masked before the
  /// text is shortened.
  fileprivate static let longestText = 8 << 10
  /// The number of names kept of a list. It is larger than what is shown, because the rest is counted.
  private static let longestList = 10_000
  /// The number of scalars of a text that are shown.
  private static let longestQuote = 200

  /// The form that is shown.
  package var shortened: ListingNote { cut(to: Self.longestQuote) }

  fileprivate func cut(to limit: Int) -> ListingNote {
    let cut = { (text: String) in text.cut(to: limit) }
    return switch self {
    case .withoutEnclosure(let title): .withoutEnclosure(title: cut(title))
    case .onlyImage(let title): .onlyImage(title: cut(title))
    case .live(let title): .live(title: cut(title))
    case .badURL(let text): .badURL(cut(text))
    case .localFile(let text): .localFile(cut(text))
    case .outsideRoots(let text): .outsideRoots(cut(text))
    case .withoutFeed(let title): .withoutFeed(title: cut(title))
    case .repeatedFeed(let title): .repeatedFeed(title: cut(title))
    case .notFollowed(let text): .notFollowed(cut(text))
    case .unmatchedPattern(let key, let pattern, let names):
      .unmatchedPattern(key: key, cut(pattern), names: names.prefix(Self.longestList).map(cut))
    case .badDate(let text): .badDate(cut(text))
    case .unknownReference(let text): .unknownReference(cut(text))
    case .repairedEncoding, .contentAfterEnd, .repeatedPage, .morePages, .badPage: self
    }
  }
}
