// SPDX-License-Identifier: Apache-2.0

/// A flaw of a feed, and where in the document it is.
package struct FeedFlaw: Hashable, Sendable {
  package var note: FeedNote
  /// From 1; nil when it is not known.
  package var line: Int?
  /// The entry that has it, from 1 in the order of the document; nil when it is not an entry's.
  package var entry: Int?
  package init(_ note: FeedNote, line: Int? = nil, entry: Int? = nil) {
    self.note = note
    self.line = line
    self.entry = entry
  }
}

/// The flaws of a feed in the order in which they were found, as many as a report holds.
package struct FeedFlaws: Equatable, Sendable {
  /// A feed may have a flaw in each of its entries.
  package static let maximum = 1000

  /// The first `maximum`.
  package private(set) var listed: [FeedFlaw] = []
  /// All of them.
  package private(set) var count = 0

  package init() {}

  package var notes: [FeedNote] { listed.map(\.note) }

  package mutating func append(_ note: FeedNote, line: Int? = nil, entry: Int? = nil) {
    count += 1
    if listed.count < Self.maximum {
      listed.append(FeedFlaw(note.cut(to: FeedNote.longestText), line: line, entry: entry))
    }
  }

  /// With other texts.
  package mutating func update(_ change: (FeedNote) -> FeedNote) {
    for index in listed.indices { listed[index].note = change(listed[index].note) }
  }
}

extension FeedNote {
  /// Characters of a text that are kept, many more than are shown: secrets are found in it before it is shortened.
  fileprivate static let longestText = 8 << 10
  /// Characters of a text that a person wants to read.
  private static let longestQuote = 200

  /// As it is shown.
  package var shortened: FeedNote { cut(to: Self.longestQuote) }

  fileprivate func cut(to limit: Int) -> FeedNote {
    let cut = { (text: String) in text.utf8.count <= limit ? text : "\(text.prefix(limit))…" }
    return switch self {
    case .withoutEnclosure(let title): .withoutEnclosure(title: cut(title))
    case .onlyImage(let title): .onlyImage(title: cut(title))
    case .badURL(let text): .badURL(cut(text))
    case .badDate(let text): .badDate(cut(text))
    case .unknownReference(let text): .unknownReference(cut(text))
    case .repairedEncoding: self
    }
  }
}
