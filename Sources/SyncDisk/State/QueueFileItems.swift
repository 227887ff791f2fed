// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Synchronization

/// The items of a queue file that is known to be sound, some of which a command has replaced.
final class QueueFileItems: StoredItems {
  private let file: IndexedQueueFile
  private let replaced: [ItemID: QueueItem]
  private let merged = Mutex<PositionedItems?>(nil)

  /// - Parameter index: The index of these bytes.
  convenience init(_ bytes: [UInt8], _ index: QueueIndex) {
    self.init(IndexedQueueFile(bytes, index), [:])
  }

  private init(_ file: IndexedQueueFile, _ replaced: [ItemID: QueueItem]) {
    (self.file, self.replaced) = (file, replaced)
  }

  var index: QueueIndex { file.index }

  var latestUpdate: Timestamp? { replaced.values.reduce(index.latestUpdate) { max($0 ?? $1.updatedAt, $1.updatedAt) } }

  var notable: [QueueItem] {
    file.items(inLines: index.notable).filter { replaced[$0.id] == nil } + replaced.values.filter(\.isNotable)
  }

  var areDecoded: Bool { file.isDecoded }

  var all: PositionedItems {
    if replaced.isEmpty { return file.all }
    return merged.withLock { merged in
      if let merged { return merged }
      var all = file.all
      for item in replaced.values {
        if let position = all.position(of: item.id) { all.replace(at: position, with: item) }
      }
      merged = all
      return all
    }
  }

  func decodeAll(sharing known: KnownItems) { file.decodeAll(sharing: known) }

  func item(_ id: ItemID) -> QueueItem? { replaced[id] ?? file.item(id) }

  func replacing(with item: QueueItem) -> (any StoredItems)? {
    guard self.item(item.id) != nil else { return nil }
    var replaced = replaced
    replaced[item.id] = item
    return QueueFileItems(file, replaced)
  }

  /// Reads all lines. Nil if one of them is not an item.
  /// - Parameter known: Items to share where they are the same.
  static func decode(_ bytes: [UInt8], _ index: QueueIndex, sharing known: KnownItems? = nil) -> PositionedItems? {
    // Among few known items the others would be sought in vain.
    let known = known.flatMap { $0.count >= index.count / 2 ? $0 : nil }
    let read = ParallelParts().run(upTo: index.count) { lines in
      var reader = QueueLineReader(bytes, sharing: known.map { KnownItemFinder($0, expecting: lines.lowerBound) })
      return lines.map { reader.item(in: index.range(ofLine: $0)).map { PositionedItems.Entry($0) } }
    }
    var all = PositionedItems(capacity: index.count)
    for line in read.joined() {
      guard let line else { return nil }
      all.append(line)
    }
    return all
  }
}

/// The bytes of a queue file until all of its items are decoded, then the items.
private final class IndexedQueueFile: Sendable {
  let index: QueueIndex

  private enum Contents {
    case written([UInt8])
    case decoded(PositionedItems)
  }

  private let contents: Mutex<Contents>

  init(_ bytes: [UInt8], _ index: QueueIndex) {
    self.index = index
    contents = Mutex(.written(bytes))
  }

  var isDecoded: Bool {
    contents.withLock { if case .decoded = $0 { true } else { false } }
  }

  var all: PositionedItems { all(sharing: nil) }

  func decodeAll(sharing known: KnownItems) { _ = all(sharing: known) }

  private func all(sharing known: KnownItems?) -> PositionedItems {
    contents.withLock { contents in
      switch contents {
      case .decoded(let all): return all
      case .written(let bytes):
        guard let all = QueueFileItems.decode(bytes, index, sharing: known) else { Self.stop() }
        contents = .decoded(all)
        return all
      }
    }
  }

  func item(_ id: ItemID) -> QueueItem? {
    contents.withLock { contents in
      switch contents {
      case .decoded(let all): all.position(of: id).map { all.items[$0] }
      case .written(let bytes): index.lines(of: id).lazy.map { self.item(bytes, $0) }.first { $0.id == id }
      }
    }
  }

  func items(inLines lines: [Int]) -> [QueueItem] {
    contents.withLock { contents in
      switch contents {
      case .decoded(let all): lines.map { all.items[$0] }
      case .written(let bytes): lines.map { item(bytes, $0) }
      }
    }
  }

  private func item(_ bytes: [UInt8], _ line: Int) -> QueueItem {
    guard let item = QueueFile.item(bytes, in: index.range(ofLine: line)) else { Self.stop() }
    return item
  }

  private static func stop() -> Never { preconditionFailure("the index is of a queue file that was read whole") }
}
