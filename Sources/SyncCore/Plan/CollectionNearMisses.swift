// SPDX-License-Identifier: Apache-2.0

/// The files that no rule has given to an item although their names are nearly those of one.
extension CollectionMatch {
  /// The difference that keeps a file from being taken for an item.
  package enum Gap: Hashable, Sendable {
    /// Its bytes do not have the item's checksum.
    case checksum
    case size(ByteCount, declared: ByteCount)
    case title
    case artist
    case duration(Duration, declared: Duration)
    /// Its tags name another album, and not both the artist and the duration agree.
    case album
    /// Nothing in its tags agrees but the title.
    case titleAlone
    /// The names differ in a number or in spaces, and no tag decides.
    case name
  }

  /// Both are positions.
  package struct NearMiss: Equatable, Sendable {
    package var item: Int
    package var file: Int
    package var gap: Gap
  }

  /// Nobody reads more of them.
  private static let mostMisses = 1000
  private static let mostFilesOfItem = 3

  /// In the order of the items, after all rules were applied.
  package func nearMisses() -> [NearMiss] {
    var index: [String: [Int]] = [:]
    for file in undecided {
      var keys = LooseName.keys(of: files[file].path.stem.split(separator: "/").last ?? "")
      if let title = candidates.fileNames[file]?.title { keys.insert(title) }
      for key in Set(keys.map(Self.squeezed)) where index[key]?.count ?? 0 < Self.mostMisses {
        index[key, default: []].append(file)
      }
    }
    var misses: [NearMiss] = []
    for item in openItems.sorted() {
      let keys = Set(items[item].nameKeys.map(Self.squeezed))
      let found = Set(keys.flatMap { index[$0]?.prefix(Self.mostFilesOfItem) ?? [] })
      misses += found.sorted().prefix(Self.mostFilesOfItem).map {
        NearMiss(item: item, file: $0, gap: gap(item, $0))
      }
      if misses.count >= Self.mostMisses { break }
    }
    return misses
  }

  private static func squeezed(_ key: String) -> String { key.filter { $0 != " " } }

  private func gap(_ number: Int, _ file: Int) -> Gap {
    let item = items[number].item
    if let size = item.exactSize, size != files[file].size { return .size(files[file].size, declared: size) }
    if item.checksum != nil { return .checksum }
    return candidates.fileNames[file].flatMap { candidates.itemNames[number].difference(in: $0) } ?? .name
  }
}
