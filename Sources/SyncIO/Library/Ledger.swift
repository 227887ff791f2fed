// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats
import Synchronization

/// The queue of a run, in memory and in the journal: what is said here is written before the call returns, and durable
/// after `sync`.
package final class Ledger: Sendable {
  private struct Contents {
    var queue: Queue
    let store: QueueStore
    var taken: Set<LibraryPath>
    var hasChanges = false
  }

  private let contents: Mutex<Contents>

  init(_ queue: Queue, store: sending QueueStore) {
    let taken = Set(queue.items.compactMap { $0.state.storedFile?.path })
    contents = Mutex(Contents(queue: queue, store: store, taken: taken))
  }

  var queue: Queue { contents.withLock { $0.queue } }

  var hasChanges: Bool { contents.withLock { $0.hasChanges } }

  func item(_ id: ItemID) -> QueueItem? { contents.withLock { $0.queue[id] } }

  /// Another item's file belongs there, whether it is on disk now or not.
  func isTaken(_ path: LibraryPath) -> Bool { contents.withLock { $0.taken.contains(path) } }

  func record(_ id: ItemID, _ state: ItemState, at now: Timestamp) throws(Failure) {
    guard var item = item(id) else { return }
    item.state = state
    item.updatedAt = now
    try apply([.item(item)])
  }

  /// Puts what was removed back into the queue, so that it may be fetched again.
  func requeue(_ id: ItemID, at now: Timestamp) throws(Failure) {
    guard case .removed? = item(id)?.state else { return }
    try record(id, .queued(Pending()), at: now)
  }

  func apply(_ changes: [QueueChange]) throws(Failure) {
    guard !changes.isEmpty else { return }
    try locked { contents throws(Failure) in
      try contents.store.record(changes)
      contents.hasChanges = true
      for change in changes {
        if case .item(let item) = change {
          if let path = contents.queue[item.id]?.state.storedFile?.path { contents.taken.remove(path) }
          if let path = item.state.storedFile?.path { contents.taken.insert(path) }
        }
      }
      contents.queue.apply(changes)
    }
  }

  func sync() throws(Failure) { try locked { contents throws(Failure) in try contents.store.sync() } }

  /// Writes the snapshot if anything was said, and lets the lock go.
  func close(at now: Timestamp) throws(JobError) {
    var problem: JobError?
    contents.withLock { contents in
      do throws(JobError) { try contents.store.close(&contents.queue, at: now) } catch { problem = error }
    }
    if let problem { throw problem }
  }

  private func locked(_ body: (inout Contents) throws(Failure) -> Void) throws(Failure) {
    var failure: Failure?
    contents.withLock { contents in
      do throws(Failure) { try body(&contents) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

extension Queue {
  /// Several changes; dropping many costs one pass.
  mutating func apply(_ changes: [QueueChange]) {
    var dropped: Set<ItemID> = []
    for change in changes {
      if case .itemDropped(let id) = change { dropped.insert(id) } else { apply(change) }
    }
    remove(dropped)
  }
}
