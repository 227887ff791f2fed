// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The lines of the queue file that a new one replaces. An item that has not changed since keeps its line.
package struct EarlierLines {
  private static let opening = Array("{\"id\":\"".utf8)

  private let bytes: [UInt8]
  private let index: QueueIndex
  private let changed: Set<ItemID>
  /// The line that is expected next: nearly all items stay in their order.
  private var next = 0

  /// - Parameters:
  ///   - bytes: A queue file that this program wrote.
  ///   - index: The index of these bytes.
  ///   - changed: The items that differ from those in the file, or are not in it.
  package init(_ bytes: [UInt8], _ index: QueueIndex, changed: Set<ItemID>) {
    (self.bytes, self.index, self.changed) = (bytes, index, changed)
  }

  /// The line of an item, with its check. Nil if the item has changed, or if the line is not found by the item's id.
  mutating func line(of id: ItemID) -> ArraySlice<UInt8>? {
    guard !changed.contains(id) else { return nil }
    let found = begins(next, id) ? next : index.lines(of: id).first { begins($0, id) }
    guard let number = found else { return nil }
    next = number + 1
    return bytes[index.range(ofLine: number)]
  }

  /// True if this line begins with this id. An id that would be written with an escape is not compared.
  private func begins(_ line: Int, _ id: ItemID) -> Bool {
    guard line < index.count else { return false }
    let range = index.range(ofLine: line)
    let id = id.text.utf8
    let start = range.lowerBound + Self.opening.count
    guard range.count > Self.opening.count + id.count, bytes[range.lowerBound..<start].elementsEqual(Self.opening),
      bytes[start + id.count] == UInt8(ascii: "\"")
    else { return false }
    var position = start
    for byte in id {
      guard byte == bytes[position], byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "\"") else { return false }
      position += 1
    }
    return true
  }
}

/// A queue file that was just made.
package struct EncodedQueue {
  package let bytes: [UInt8]
  /// The positions of the items whose lines were not copied from an earlier file.
  package let rewritten: [Int]
}
