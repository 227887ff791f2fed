// SPDX-License-Identifier: Apache-2.0

/// The items of a source that should be fetched.
package struct Selection: Equatable, Sendable {
  package enum Initial: Equatable, Sendable {
    case all
    case count(Int)
  }
  /// The order of a source's items, both for `initial` and for fetching.
  package enum Order: String, CaseIterable, Sendable { case newest, oldest }
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
    playlists.contains { $0.select.asksForImages && names.contains($0.name) }
  }
}
