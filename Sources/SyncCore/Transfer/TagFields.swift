// SPDX-License-Identifier: Apache-2.0

/// The tags of an item as names and values. The names are those of TagLib's property map, which has a place for each of
/// them in every format.
package struct TagFields: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package var name: String
    package var value: String
  }

  package private(set) var fields: [Field] = []

  package init(_ item: Item, _ mode: TagPolicy.Mode) {
    guard mode != .off else { return }
    add("TITLE", item.title)
    add("ARTIST", item.artist)
    add("ALBUM", item.album)
    add("TRACKNUMBER", item.details?.number.map(String.init))
    add("DATE", item.published.map { CivilTime($0).date })
    add("PODCASTID", item.details?.guid)
    for code in item.recordings {
      switch code {
      case .musicBrainz(let id): add("MUSICBRAINZ_TRACKID", id)
      case .isrc(let id): add("ISRC", id)
      }
    }
  }

  /// Adds a front cover, which an own name stands for.
  /// - Parameter path: That of the picture.
  package mutating func add(picture path: String) { add("PICTURE", path) }

  /// Adds chapters, in the order of their beginnings.
  package mutating func add(chapters: [ChapterMark]) {
    for chapter in chapters {
      fields.append(Field(name: "CHAPTER", value: "\(chapter.start.milliseconds) \(chapter.title)"))
    }
  }

  /// The first code of a kind counts.
  private mutating func add(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty, !fields.contains(where: { $0.name == name }) else { return }
    fields.append(Field(name: name, value: value))
  }
}

extension CivilTime {
  /// As `2026-01-05`.
  fileprivate var date: String { "\(padded(year, 4))-\(padded(month))-\(padded(day))" }
}
