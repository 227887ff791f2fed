// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats
import Synchronization

/// The queue of a run, in memory and in the journal. A change is written before the call returns and durable after
/// `sync`.
package final class JournaledQueue: Sendable {
  private struct Contents {
    let store: QueueStore
    /// The paths of all finished files in the queue, whether they are on disk or not, and the paths to which they move.
    /// The value is the number of owners. Built on demand, because a run that publishes nothing does not need it.
    var taken: [NameKey: Int]?
  }

  private let contents: Mutex<Contents>
  /// Held during a flush. If a flush fails, this must be known before the next one begins.
  private let flushing = Mutex(())

  private let naming: FileNaming

  package init(_ store: sending QueueStore, naming: FileNaming) {
    self.naming = naming
    contents = Mutex(Contents(store: store))
  }

  package var queue: Queue { contents.withLock { $0.store.queue } }

  /// The decisions of a person, as they were at the opening.
  package var decisions: Decisions { contents.withLock { $0.store.decisions } }

  /// The changes of this run.
  package var changes: QueueDifferences { contents.withLock { $0.store.changes } }

  package func item(_ id: ItemID) -> QueueItem? { contents.withLock { $0.store.queue[id] } }

  /// The next operation among those that removed something at that time.
  func operation(at time: Timestamp) -> Removal.Operation {
    contents.withLock { contents in
      var last = 0
      contents.store.queue.items.forEach { item in
        guard case .removed(let removal) = item.state, removal.at == time, removal.isForTrash else { return }
        last = max(last, removal.turn)
      }
      return Removal.Operation(at: time, turn: last + 1)
    }
  }

  func isTaken(_ path: LibraryPath) -> Bool {
    contents.withLock { contents in
      let taken = contents.taken ?? naming.owned(by: contents.store.queue)
      contents.taken = taken
      return taken[naming.key(path)] != nil
    }
  }

  /// Records the states of transfers with one write.
  /// - Parameter told: The size of the file as stated by a server.
  package func record(
    _ transfers: [(ItemID, TransferState)], told: ByteCount? = nil, at now: Timestamp
  ) throws(Failure) {
    try change(transfers, at: now) { item, transfer throws(IllegalTransition) in
      try item.advance(to: transfer, told: told)
    }
  }

  /// Records the state of the second transfer of a finished item. The item itself is unchanged.
  /// - Parameter told: The size of the new file as stated by a server.
  func record(
    upgrade id: ItemID, to goal: Upgrade.Goal, _ transfer: TransferState, told: ByteCount? = nil, at now: Timestamp
  ) throws(Failure) {
    try change([(id, transfer)], at: now) { item, transfer throws(IllegalTransition) in
      try item.advanceUpgrade(to: goal, transfer, told: told)
    }
  }

  /// Records that the new file has replaced the old one.
  func replaceFile(of id: ItemID, by file: StoredFile, at now: Timestamp) throws(Failure) {
    try change([(id, file)], at: now) { item, file in item.replaceFile(by: file) }
  }

  /// Records the files of items with one write.
  package func complete(_ files: [(ItemID, StoredFile)], at now: Timestamp) throws(Failure) {
    try change(files, at: now) { item, file in item.complete(file) }
  }

  /// Puts items back into the queue with one write.
  package func requeue(_ ids: [ItemID], _ pending: Pending, at now: Timestamp) throws(Failure) {
    try change(ids.map { ($0, pending) }, at: now) { item, pending in item.requeue(pending) }
  }

  /// Puts an evicted item back into the queue, so that it may be fetched again. Until it is present, it waits for spare
  /// room.
  package func requeueEvicted(_ id: ItemID, at now: Timestamp) throws(Failure) {
    guard case .removed? = item(id)?.state else { return }
    try requeue([id], Pending(isDeferred: true), at: now)
  }

  func remove(_ id: ItemID, _ removal: Removal, at now: Timestamp) throws(Failure) {
    try change([(id, removal)], at: now) { item, removal in item.remove(removal) }
  }

  /// Records what is known about the licences of items with one write.
  package func license(_ records: [ItemID: LicenseRecord], at now: Timestamp) throws(Failure) {
    try change(records.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, at: now) { item, record in
      item.license = record
    }
  }

  /// Changes items with one write, so that nobody else changes them meanwhile. An item that the queue does not have is
  /// left out.
  private func change<Facts>(
    _ changes: [(ItemID, Facts)], at now: Timestamp,
    _ change: (inout QueueItem, Facts) throws(IllegalTransition) -> Void
  ) throws(Failure) {
    var refusal: Failure?
    try locked { contents throws(StateWriteError) in
      var items: [QueueChange] = []
      for (id, facts) in changes {
        guard var item = contents.store.queue[id] else { continue }
        // The queue is not what the plan was made for. The run stops, and nothing is recorded.
        do throws(IllegalTransition) { try change(&item, facts) } catch {
          refusal = .io(operation: "record \(error.to) for the \(error.from) item", path: id.text, .einval)
          return
        }
        item.updatedAt = now
        items.append(.item(item))
      }
      try record(items, in: &contents)
    }
    if let refusal { throw refusal }
  }

  package func apply(_ changes: [QueueChange]) throws(Failure) {
    guard !changes.isEmpty else { return }
    try locked { contents throws(StateWriteError) in try record(changes, in: &contents) }
  }

  private func record(_ changes: [QueueChange], in contents: inout Contents) throws(StateWriteError) {
    guard !changes.isEmpty else { return }
    if contents.taken != nil {
      for case .item(let item) in changes {
        if let file = contents.store.queue[item.id]?.state.storedFile { naming.count(file, -1, in: &contents.taken) }
        if let file = item.state.storedFile { naming.count(file, 1, in: &contents.taken) }
      }
    }
    try contents.store.record(changes, now: .now)
  }

  /// Makes all recorded changes durable. Changes may be recorded meanwhile, because nobody else waits for the disk.
  package func sync() throws(Failure) {
    var failure: Failure?
    flushing.withLock { _ in
      do throws(Failure) { try flush() } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func flush() throws(Failure) {
    guard let flush = try locked({ contents throws(StateWriteError) in try contents.store.beginFlush() }) else {
      return
    }
    let error = flush.run()
    try locked { contents throws(StateWriteError) in try contents.store.end(flush, error) }
  }

  /// True if changes are not yet durable and are older than a second or many.
  package var isDue: Bool { contents.withLock { $0.store.isDue(now: .now) } }

  /// Writes the snapshot if anything changed since it was written, and releases the lock.
  /// - Parameters:
  ///   - longQueue: The size from which the journal of few changes is closed instead. Nil to write the snapshot.
  ///   - ending: Called in between.
  package func close(
    at now: Timestamp, closingJournalFrom longQueue: ByteCount? = nil, _ ending: (Queue) -> Void = { _ in }
  ) throws(JobError) {
    var problem: StateWriteError?
    contents.withLock { contents in
      do throws(StateWriteError) { try contents.store.save(now: now, closingJournalFrom: longQueue) } catch {
        problem = error
      }
    }
    if problem == nil { ending(queue) }
    contents.withLock { $0.store.release() }
    if let problem { throw .state(StateError(problem)) }
  }

  /// Replaces this queue by another one, at once.
  package func replace(by queue: Queue, at now: Timestamp) throws(JobError) {
    var problem: StateWriteError?
    contents.withLock { contents in
      do throws(StateWriteError) {
        try contents.store.replace(by: queue, now: now)
        contents.taken = nil
      } catch { problem = error }
    }
    if let problem { throw .state(StateError(problem)) }
  }

  /// As `close`, but throws a `Failure`.
  package func close(orStopping now: Timestamp, closingJournalFrom longQueue: ByteCount) throws(Failure) {
    try locked { contents throws(StateWriteError) in
      try contents.store.close(now: now, closingJournalFrom: longQueue)
    }
  }

  @discardableResult
  private func locked<Value>(_ body: (inout Contents) throws(StateWriteError) -> sending Value) throws(Failure) -> Value
  {
    var problem: StateWriteError?
    let value = contents.withLock { contents -> sending Value? in
      do throws(StateWriteError) { return try body(&contents) } catch {
        problem = error
        return nil
      }
    }
    if let problem { throw problem.failure }
    guard let value else { preconditionFailure("neither a value nor an error") }
    return value
  }
}

extension FileNaming {
  fileprivate func owned(by queue: Queue) -> [NameKey: Int] {
    var taken: [NameKey: Int]? = [:]
    queue.items.forEach { item in if let file = item.state.storedFile { count(file, 1, in: &taken) } }
    return taken ?? [:]
  }

  fileprivate func count(_ file: StoredFile, _ change: Int, in taken: inout [NameKey: Int]?) {
    for path in [file.path, file.movingTo].compactMap(\.self) {
      let count = (taken?[key(path)] ?? 0) + change
      taken?[key(path)] = count > 0 ? count : nil
    }
  }
}

extension StateWriteError {
  /// The same error as the failure of an item's transfer.
  fileprivate var failure: Failure {
    switch self {
    case .file(let cause), .stopped(let cause): cause.failure
    }
  }
}
