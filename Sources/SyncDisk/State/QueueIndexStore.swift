// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The indexes of long queue files, in the user's cache.
package struct QueueIndexStore: Sendable {
  /// A shorter queue file is read faster than it is worth an index.
  static let threshold = 1 << 20
  /// With more notable items, an opening looks into so many items that it may as well read all.
  private static let notableLimit = 1000

  private let cache: UserCache
  private let program: SHA256Digest
  private let minimumFree: ByteCount

  /// - Parameters:
  ///   - program: Identifies the build: another build may read the same file differently.
  ///   - minimumFree: The space that an index leaves free.
  package init(_ cache: UserCache, program: SHA256Digest, minimumFree: ByteCount) {
    (self.cache, self.program, self.minimumFree) = (cache, program, minimumFree)
  }

  /// The items of a queue file that this program has read whole before, and the key of its index.
  func read(_ bytes: [UInt8], in folder: StateFolder) -> (items: QueueFileItems, key: SHA256Digest)? {
    guard bytes.count >= Self.threshold else { return nil }
    let key = key(bytes)
    return index(of: bytes, key, in: folder).map { (QueueFileItems(bytes, $0), key) }
  }

  /// The lines of the queue file in this folder.
  /// - Parameters:
  ///   - key: The key of the index that the file had when it was opened.
  ///   - changed: The items that differ from those in the file.
  /// - Returns: Nil if the file cannot be read or is another one.
  func lines(in folder: StateFolder, _ key: SHA256Digest, changed: Set<ItemID>) -> EarlierLines? {
    do throws(FileError) {
      guard let bytes = try folder.files.read(folder.place(.queue), limit: StateReading.limit), self.key(bytes) == key
      else { return nil }
      return index(of: bytes, key, in: folder).map { EarlierLines(bytes, $0, changed: changed) }
    } catch {
      // All lines are written anew.
      return nil
    }
  }

  /// Keeps the index of a queue file, if each of its lines reads as the item of the queue at that position.
  /// - Returns: The key of the index; nil if none is kept.
  @discardableResult
  func write(_ bytes: [UInt8], _ queue: Queue, in folder: StateFolder) -> SHA256Digest? {
    write(bytes, queue, in: folder) { QueueFileItems.decode(bytes, $0)?.items == queue.items }
  }

  /// Keeps the index of a queue file that was just made, if each of its new lines reads as its item.
  func write(_ file: EncodedQueue, _ queue: Queue, in folder: StateFolder) {
    _ = write(file.bytes, queue, in: folder) { index in
      file.rewritten.count == queue.items.count
        ? QueueFileItems.decode(file.bytes, index)?.items == queue.items
        : file.rewritten.allSatisfy {
          QueueFile.item(file.bytes, in: index.range(ofLine: $0)) == queue.items[$0]
        }
    }
  }

  private func write(
    _ bytes: [UInt8], _ queue: Queue, in folder: StateFolder, _ isRight: (QueueIndex) -> Bool
  ) -> SHA256Digest? {
    guard bytes.count >= Self.threshold, let index = QueueIndex(bytes, queue.items),
      index.notable.count <= Self.notableLimit, queue.hasOneOwnerPerFile, isRight(index)
    else { return nil }
    let key = key(bytes)
    cache.write(name(folder), index.encode(key: key), minimumFree: minimumFree)
    return key
  }

  private func index(of bytes: [UInt8], _ key: SHA256Digest, in folder: StateFolder) -> QueueIndex? {
    cache.read(name(folder), limit: ByteCount(Int64(bytes.count))).flatMap {
      QueueIndex($0, key: key, fileSize: bytes.count)
    }
  }

  private func name(_ folder: StateFolder) -> String {
    "queue-\(SHA256Digest(of: folder.root.path.utf8).hex.prefix(16))"
  }

  private func key(_ bytes: [UInt8]) -> SHA256Digest {
    var digest = RunningDigest()
    Array(program.hex.utf8).withUnsafeBytes { digest.update($0) }
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finishHash()
  }
}

extension Queue {
  /// True if no two items have the same file, which a reader of the whole queue file checks.
  fileprivate var hasOneOwnerPerFile: Bool {
    var paths = PositionTable(capacity: items.count)
    for position in items.indices {
      guard let path = items[position].state.finishedPath else { continue }
      let hash = path.hashValue
      guard paths.position(hash: hash, where: { items[$0].state.finishedPath == path }) == nil else { return false }
      paths.insert(hash: hash, position: position)
    }
    return true
  }
}
