// SPDX-License-Identifier: Apache-2.0

/// A flaw of a feed and its place in the document.
package struct FeedFlaw: Hashable, Sendable {
  package var note: FeedNote
  /// The line, from 1. Nil if unknown.
  package var line: Int?
  /// The entry with the flaw, from 1 in the order of the document. Nil if the flaw is not in an entry.
  package var entry: Int?
  package init(_ note: FeedNote, line: Int? = nil, entry: Int? = nil) {
    self.note = note
    self.line = line
    self.entry = entry
  }
}

/// The flaws of a feed in the order in which they were found, limited to the number that a report holds.
package struct FeedFlaws: Equatable, Sendable {
  /// The largest number of listed flaws. Limited because a feed may have a flaw in each of its entries.
  package static let maximum = 1000

  /// The first `maximum` flaws.
  package private(set) var listed: [FeedFlaw] = []
  /// The number of all flaws, listed or not.
  package private(set) var count = 0

  package init() {}

  package var notes: [FeedNote] { listed.map(\.note) }

  package mutating func append(_ note: FeedNote, line: Int? = nil, entry: Int? = nil) {
    count += 1
    if listed.count < Self.maximum {
      listed.append(FeedFlaw(note.cut(to: FeedNote.longestText), line: line, entry: entry))
    }
  }

  /// Adds a flaw that has to be read first.
  package mutating func prepend(_ note: FeedNote, line: Int? = nil) {
    count += 1
    if listed.count == Self.maximum { listed.removeLast() }
    listed.insert(FeedFlaw(note.cut(to: FeedNote.longestText), line: line), at: 0)
  }

  /// Replaces the texts of the listed flaws.
  package mutating func update(_ change: (FeedNote) -> FeedNote) {
    for index in listed.indices { listed[index].note = change(listed[index].note) }
  }
}

extension FeedNote {
  /// The number of characters kept of a text. It is much larger than what is shown, because secrets are masked before
  /// the text is shortened.
  fileprivate static let longestText = 8 << 10
  /// The number of characters of a text that are shown.
  private static let longestQuote = 200

  /// The form that is shown.
  package var shortened: FeedNote { cut(to: Self.longestQuote) }

  fileprivate func cut(to limit: Int) -> FeedNote {
    let cut = { (text: String) in text.utf8.count <= limit ? text : "\(text.prefix(limit))…" }
    return switch self {
    case .withoutEnclosure(let title): .withoutEnclosure(title: cut(title))
    case .onlyImage(let title): .onlyImage(title: cut(title))
    case .badURL(let text): .badURL(cut(text))
    case .badDate(let text): .badDate(cut(text))
    case .unknownReference(let text): .unknownReference(cut(text))
    case .repairedEncoding, .contentAfterEnd: self
    }
  }
}
