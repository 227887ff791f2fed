// SPDX-License-Identifier: Apache-2.0

/// The items of a source that should be fetched.
package struct Selection: Equatable, Sendable {
  package enum Initial: Equatable, Sendable {
    case all
    case count(Int)
  }
  /// The order of a source's items, both for `initial` and for fetching.
  package enum Order: String, CaseIterable, Sendable { case newest, oldest }
  /// The pages of a feed that are read.
  package enum Pages: Equatable, Sendable {
    /// All of them, as far as they are followed.
    case all
    case count(Int)

    /// The largest number of pages that are followed.
    package static let maximum = 100

    package var limit: Int {
      switch self {
      case .all: Self.maximum
      case .count(let count): count
      }
    }
  }
  /// The date from which items are selected.
  package enum Since: Equatable, Sendable {
    case date(Timestamp)
    /// An age, counted back from now.
    case age(Duration)

    package func date(at now: Timestamp) -> Timestamp {
      switch self {
      case .date(let date): date
      case .age(let age): now - age
      }
    }
  }

  /// The number of items to select from those present at the first reading. Nil, while a manifest is read, for the
  /// default of the kind of source.
  package var initial: Initial? = .all
  /// Selects at most this number of the newest items. Nil for no limit.
  package var latest: Int?
  /// Selects nothing published before this date. Nil for no limit. An item without a date passes.
  package var since: Since?
  /// An item must meet all of these conditions.
  package var match = ItemFilter()
  /// An item must meet none of these conditions.
  package var exclude = ItemFilter()
  package var order: Order = .newest
  package var pages: Pages = .count(1)
  package init() {}
}

/// The reason why an item of a source is not fetched.
package enum Unselected: Hashable, Sendable {
  /// The item was present before the first reading, and `select.initial` skipped it.
  case beforeFirstReading
  /// `select.latest` selects this number of newer items.
  case beyondLatest(Int)
  /// The item is older than `select.since`.
  case publishedBefore(Timestamp)
  /// The item does not meet this condition of `select.match`, or has no data for it.
  case unmatched(ItemFilter.Criterion)
  /// The item meets this condition of `select.exclude`.
  case excluded(ItemFilter.Criterion)
  /// `retain` would remove the item at once.
  case wouldBeDropped(RetentionRule)
}

extension Selection {
  /// True if a condition of `match` asks for images.
  package var asksForImages: Bool {
    match.types.contains { type in
      guard case .media(let glob) = type else { return false }
      return ["jpeg", "png", "gif", "webp", "heic", "heif", "avif", "jp2", "jxl"].contains {
        glob.matches("image/\($0)")
      }
    }
  }
}

extension Manifest {
  /// True if one of these playlists asks for images, so that an image is what its items may be.
  package func asksForImages(_ names: [PlaylistName]) -> Bool {
    playlists.contains { playlist in
      playlist.select.asksForImages && names.contains { $0 == playlist.name || $0.declared == playlist.name }
    }
  }
}

/// A pattern for titles: either a glob for the whole title, ignoring case, or `/a regular expression/` for any part of
/// it. A trailing `i` makes the expression ignore case.
package struct TitlePattern: Hashable, Sendable {
  /// The pattern as written.
  package let text: String
  private let form: Form

  private enum Form: Hashable {
    case glob(Glob)
    case expression(RegularExpression)
  }

  /// The reason why a text is not a pattern.
  package enum Problem: Error, Hashable, Sendable {
    case empty
    /// A `[` without a closing `]`.
    case openSet
    /// Neither a glob nor a complete regular expression: a slash is missing, or other letters follow it.
    case halfExpression
    case expression(ExpressionProblem)
  }

  package init(_ text: String) throws(Problem) {
    guard !text.isEmpty, text != "//" else { throw .empty }
    self.text = text
    let ignoresCase = text.hasSuffix("/i")
    let body = text.dropLast(ignoresCase ? 1 : 0)
    guard text.hasPrefix("/"), body.hasSuffix("/"), body.utf8.count > 2 else {
      guard !text.hasPrefix("/"), !Self.ends.contains(where: text.hasSuffix) else { throw .halfExpression }
      let glob = Glob(text, ignoringCase: true)
      guard !glob.hasOpenSet else { throw .openSet }
      form = .glob(glob)
      return
    }
    let source = String(body.dropFirst().dropLast())
    do throws(ExpressionProblem) {
      form = .expression(try RegularExpression(source, ignoringCase: ignoresCase))
    } catch { throw .expression(error) }
  }

  /// The endings of expressions, here and in other languages.
  private static let ends = ["/", "/i", "/I", "/g", "/gi", "/ig", "/m", "/s", "/u", "/x"]

  /// True if the title matches.
  /// The time is bounded by the lengths of both for every title, because titles come from strangers.
  func matches(_ title: String) -> Bool {
    switch form {
    case .glob(let glob): glob.matches(title)
    case .expression(let expression): expression.matches(in: title)
    }
  }
}
