// SPDX-License-Identifier: Apache-2.0

/// Matches the files of a library without state to the items of the manifest.
///
/// A file belongs to an item by its place and name, with any media extension. Names with the item's own tag are tried
/// first, since no other item has that tag. A file in another place is matched by its declared size; its content is
/// checked later.
package struct RebuildMatch: Sendable {
  package struct Candidate: Equatable, Sendable {
    package var item: Item
    package var path: LibraryPath
    package var size: ByteCount
    /// True if the file was found in its layout place, not by its size alone.
    package var isInPlace: Bool
  }

  /// In the order of the manifest. No path occurs twice.
  package private(set) var candidates: [Candidate] = []
  /// Selected items without a match, in the order of the manifest.
  package private(set) var lacking: [DesiredItem] = []

  /// The attempts to try: the item's tag, the tag with a number, no tag.
  private static let attempts = [1, 2, 3, 0]

  private let naming: FileNaming
  private let files: [LibraryPath: ByteCount]
  private let byStem: [Substring: [LibraryPath]]
  private var taken: Set<LibraryPath> = []

  /// - Parameters:
  ///   - wanted: Items without a file, selected or not.
  ///   - files: Media files that belong to no item.
  package init(_ wanted: [DesiredItem], files: [LibraryPath: ByteCount], naming: FileNaming) {
    self.naming = naming
    self.files = files
    byStem = Dictionary(grouping: files.keys.sorted(), by: \.stem)
    var rest: [DesiredItem] = []
    var found: [ItemID: Candidate] = [:]
    for item in wanted {
      if let candidate = inPlace(item) { found[item.id] = candidate } else { rest.append(item) }
    }
    for candidate in bySize(rest) { found[candidate.item.id] = candidate }
    for item in wanted {
      if let candidate = found[item.id] {
        candidates.append(candidate)
      } else if item.isSelected {
        lacking.append(item)
      }
    }
  }

  private mutating func inPlace(_ desired: DesiredItem) -> Candidate? {
    let expected = desired.item.expectedExtension
    for attempt in Self.attempts {
      let place = desired.layout.path(desired.fields, fileExtension: expected, naming: naming, attempt: attempt)
      let known = (byStem[place.stem] ?? []).filter { !taken.contains($0) && isPossible(desired.item, $0) }
      guard let path = known.contains(place) ? place : known.first else { continue }
      return take(desired.item, path, isInPlace: true)
    }
    return locked(desired.item)
  }

  /// A file whose licence is over is named after its item.
  private mutating func locked(_ item: Item) -> Candidate? {
    for attempt in 0...2 {
      let place = LibraryPath.locked(item.id, fileExtension: item.expectedExtension, attempt: attempt)
      let known = (byStem[place.stem] ?? []).filter { !taken.contains($0) && isPossible(item, $0) }
      if let path = known.first { return take(item, path, isInPlace: true) }
    }
    return nil
  }

  /// Matches items with an exact size to files of that size, if both are unique.
  private mutating func bySize(_ rest: [DesiredItem]) -> [Candidate] {
    let free = Dictionary(grouping: files.filter { !taken.contains($0.key) }.keys, by: { files[$0] ?? .zero })
    let wanted = Dictionary(grouping: rest.filter { $0.item.exactSize != nil }, by: { $0.item.exactSize ?? .zero })
    return wanted.compactMap { size, items -> (DesiredItem, LibraryPath)? in
      guard items.count == 1, let paths = free[size], paths.count == 1 else { return nil }
      return (items[0], paths[0])
    }.compactMap { take($0.0.item, $0.1, isInPlace: false) }
  }

  private mutating func take(_ item: Item, _ path: LibraryPath, isInPlace: Bool) -> Candidate? {
    guard let size = files[path] else { return nil }
    taken.insert(path)
    return Candidate(item: item, path: path, size: size, isInPlace: isInPlace)
  }

  private func isPossible(_ item: Item, _ path: LibraryPath) -> Bool {
    // A sealed file has another size than its media. It shows itself whose it is.
    path.isSealed || item.exactSize.map { $0 == files[path] } ?? true
  }
}

extension LibraryPath {
  /// The path without a media extension, sealed or not. The whole path if it has none.
  var stem: Substring {
    let text = unsealed.text
    guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")),
      MediaType(fileExtension: text[text.utf8.index(after: dot)...]) != nil
    else { return text[...] }
    return text[..<dot]
  }

  /// True if the name ends in a media extension.
  package var isMedia: Bool { stem.utf8.count != text.utf8.count }
}
