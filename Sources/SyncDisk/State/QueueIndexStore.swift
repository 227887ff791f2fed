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

  /// The items of a queue file that this program has read whole before.
  func read(_ bytes: [UInt8], in folder: StateFolder) -> QueueFileItems? {
    guard bytes.count >= Self.threshold,
      let index = cache.read(name(folder), limit: ByteCount(Int64(bytes.count))).flatMap({
        QueueIndex($0, key: key(bytes), fileSize: bytes.count)
      })
    else { return nil }
    return QueueFileItems(bytes, index)
  }

  /// Keeps the index of a queue file, if each of its lines reads as the item of the queue at that position.
  func write(_ bytes: [UInt8], _ queue: Queue, in folder: StateFolder) {
    guard bytes.count >= Self.threshold, let index = QueueIndex(bytes, queue.items),
      index.notable.count <= Self.notableLimit, queue.hasOneOwnerPerFile,
      QueueFileItems.decode(bytes, index)?.items == queue.items
    else { return }
    cache.write(name(folder), index.encode(key: key(bytes)), minimumFree: minimumFree)
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
