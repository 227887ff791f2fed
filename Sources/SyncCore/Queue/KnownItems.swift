// SPDX-License-Identifier: Apache-2.0

/// The inline items of a manifest, for the reader of a queue file, which records most of them as they are declared. An
/// item that is the same is shared instead of made again.
package struct KnownItems: Sendable {
  private let lists: [BoxedArray<Item>]
  /// The number of items before each list.
  private let starts: [Int]
  package let count: Int

  package init(_ manifest: Manifest) {
    lists = manifest.playlists.map(\.source.inlineItems).filter { !$0.isEmpty }
    var starts: [Int] = []
    var count = 0
    for list in lists {
      starts.append(count)
      count += list.count
    }
    (self.starts, self.count) = (starts, count)
  }

  /// - Precondition: There is an item at this position.
  fileprivate func box(at position: Int) -> Boxed<Item> {
    let list = list(of: position)
    return lists[list].box(at: position - starts[list])
  }

  fileprivate func table() -> PositionTable {
    var table = PositionTable(capacity: count)
    for list in lists.indices {
      for index in lists[list].indices {
        table.insert(hash: lists[list][index].id.hashValue, position: starts[list] + index)
      }
    }
    return table
  }

  private func list(of position: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}

/// Finds known items. Those of a file mostly follow each other as in the manifest.
package struct KnownItemFinder: Sendable {
  private let known: KnownItems
  private var next: Int
  /// Nil until an item is not where it was expected.
  private var positions: PositionTable?

  /// - Parameter position: The position of the item that is expected first.
  package init(_ known: KnownItems, expecting position: Int) { (self.known, next) = (known, position) }

  /// The id of the item that follows the one that was found last.
  package var expectedID: ItemID? { next < known.count ? known.box(at: next).box.value.id : nil }

  /// The expected item, which is found.
  /// - Precondition: There is one.
  package mutating func takeExpected() -> Boxed<Item> {
    next += 1
    return known.box(at: next - 1)
  }

  package mutating func find(_ id: ItemID) -> Boxed<Item>? {
    let table = positions ?? known.table()
    positions = table
    guard let position = table.position(hash: id.hashValue, where: { known.box(at: $0).wrappedValue.id == id }) else {
      return nil
    }
    next = position + 1
    return known.box(at: position)
  }
}

// For other targets, which would copy the whole item to read one field of it.
extension Boxed<Item> {
  package var title: String { box.value.title }
  package var artist: String? { box.value.artist }
  package var album: String? { box.value.album }
  package var url: RemoteURL { box.value.main.url }

  /// The box, if it holds the same item to the byte, otherwise a new one. Equal texts may differ in their Unicode form,
  /// and equal URLs in the user.
  package func shared(as item: Item) -> Boxed<Item> { box.value.isTwin(of: item) ? self : Boxed(item) }
}

extension Item {
  fileprivate func isTwin(of other: Item) -> Bool {
    guard recordings.isEmpty, alternatives.isEmpty, main.title == nil, main.url.login == nil, self == other else {
      return false
    }
    return id.text.utf8.elementsEqual(other.id.text.utf8) && title.utf8.elementsEqual(other.title.utf8)
      && (artist ?? "").utf8.elementsEqual((other.artist ?? "").utf8)
      && (album ?? "").utf8.elementsEqual((other.album ?? "").utf8)
      && main.url.text.utf8.elementsEqual(other.main.url.text.utf8)
  }
}
