// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// The state as it was read when it was opened.
package struct LoadedQueue: Equatable, Sendable {
  package var queue: Queue
  package var recovery: RecoveryReport
  /// True if the previous run did not complete.
  package var isInterrupted: Bool
  /// True if the machine has not been down since that run: everything that it wrote is there, even without a flush.
  package var isSameBoot: Bool
  /// The items that the journal of that run mentions.
  package var recorded: Set<ItemID> = []
  /// The paths in the library that these items have before or after each record of the journal.
  package var recordedPaths: Set<LibraryPath> = []

  package init(
    queue: Queue, recovery: RecoveryReport, isInterrupted: Bool, isSameBoot: Bool, recorded: Set<ItemID> = [],
    recordedPaths: Set<LibraryPath> = []
  ) {
    self.queue = queue
    self.recovery = recovery
    self.isInterrupted = isInterrupted
    self.isSameBoot = isSameBoot
    self.recorded = recorded
    self.recordedPaths = recordedPaths
  }
}

/// A flush of the journal, to be run where it may wait for a disk.
package struct JournalFlush: Sendable {
  fileprivate let file: any OpenFile
  /// Nil when the journal's name is on the disk already.
  fileprivate let folder: StateFolder?

  fileprivate init(file: any OpenFile, folder: StateFolder?) {
    self.file = file
    self.folder = folder
  }

  /// Flushes the journal.
  /// - Returns: the error; after one, nothing may be written any more.
  package func run() -> FileError? {
    do throws(FileError) {
      try file.sync()
      try folder?.sync()
      return nil
    } catch { return error }
  }
}

/// The queue and its files. Every change is in the journal before anything depends on it. A run that ends well leaves
/// one queue file and no journal. A command that changes few items of a long queue leaves the queue file as it is, and a
/// closed journal.
///
/// Not Sendable: one actor owns it. It waits for nothing but the disk. It reads no clock: records are flushed at most a
/// second or 64 records later if the owner flushes when it `isDue`.
package final class QueueStore {
  /// The number of records that may be unflushed at one time.
  package static let unflushedLimit = 64
  /// The time for which a record may be unflushed.
  package static let flushDelay = Duration.seconds(1)

  private static let pieceSize = 256 << 10

  package private(set) var queue: Queue
  /// The state as it was found; `opened.queue` is the queue before any change of this run.
  package let opened: LoadedQueue
  /// The time when unflushed records must be flushed; nil when there are none.
  package private(set) var syncDue: ContinuousClock.Instant?

  /// The decisions of a person, as their file holds them.
  package private(set) var decisions: Decisions
  /// True if decisions about items that the queue does not know are to be dropped.
  private var isReplaced = false

  private let folder: StateFolder
  private let lock: StateLock
  private let bootID: String?
  private var journal: OpenJournal?
  /// The journal of earlier commands, until something is recorded.
  private var closedJournal: ClosedJournal?
  /// The size of the queue file at the opening, in bytes.
  private let queueSize: Int
  /// The entries that differ from the queue file.
  private var changed = ChangedEntries()
  private var unflushed = 0
  private var hasQueueFile: Bool
  private var failure: FileError?
  private let indexes: QueueIndexStore?
  /// The key of the index of the queue file from which `queue` differs by `changed`. Nil if there is none.
  private var indexKey: SHA256Digest?

  /// Reads the state for a command that changes nothing, without a lock; nil when there is no state.
  package static func read(
    _ folder: StateFolder, libraryID: String? = nil, bootID: String?
  ) throws(StateError) -> LoadedQueue? {
    LoadedQueue(try StateReading(folder, libraryID: libraryID, bootID: bootID, rebuilds: false))
  }

  /// Writes the first queue file of a library, without an item. From then on, a library without a queue file is one
  /// that lost it.
  package static func found(_ folder: StateFolder, libraryID: String, now: Timestamp) throws(FileError) {
    let queue = Queue(libraryID: libraryID, savedAt: now)
    try SnapshotSequence(folder: folder).run(QueueFile.encode(queue), keeping: .none)
  }

  /// Opens the queue to change it, and repairs any damage: afterwards there is a good queue file with a closed journal
  /// or none, or neither.
  /// - Parameters:
  ///   - lock: the proof that no other process changes the queue.
  ///   - libraryID: the marker's; a new queue gets it.
  ///   - bootID: `BootID.current`.
  ///   - indexes: where an index of each long queue file is kept.
  ///   - now: names the files that are kept aside, and dates a repaired queue file.
  package convenience init(
    _ folder: StateFolder, lock: StateLock, libraryID: String, bootID: String?, indexes: QueueIndexStore? = nil,
    now: Timestamp
  ) throws(StateError) {
    let reading = try StateReading(folder, libraryID: libraryID, bootID: bootID, rebuilds: false, indexes: indexes)
    try self.init(folder, lock: lock, reading, libraryID: libraryID, bootID: bootID, now: now)
  }

  /// - Parameter reading: a reading of that folder, made since it was locked.
  package init(
    _ folder: StateFolder, lock: StateLock, _ reading: StateReading, libraryID: String, bootID: String?, now: Timestamp
  ) throws(StateError) {
    let opening = StateRepair(folder, reading, now: now)
    var found: LoadedQueue
    let decided = try DecisionsStore(folder: folder).read()
    do throws(FileError) {
      found = try opening.run(libraryID: libraryID)
      if let problem = decided?.problem {
        let name = try AsideFiles(folder, now: now).keep(.decisions)
        found.recovery.decisionsProblem = problem
        found.recovery.decisionsAside = name
      }
    } catch { throw .file(error) }
    decisions = decided?.decisions ?? Decisions()
    opened = found
    queue = found.queue
    hasQueueFile = reading.hasQueueFile || found.queue.generation > 0
    closedJournal = reading.closedJournal
    queueSize = reading.queueSize
    changed.add(closedJournal?.reading.changes ?? [])
    self.folder = folder
    self.lock = lock
    self.bootID = bootID
    indexes = reading.indexes
    indexKey = found.queue.generation == reading.queue?.generation ? reading.indexKey : nil
  }

  /// The entries that differ from those at the opening.
  package var changes: QueueDifferences { changed.differences(from: opened.queue, to: queue) }

  /// Applies the changes and appends them to the journal, by one write. A change that changes nothing is not recorded.
  /// - Parameter now: the moment from which the delay of the flush counts.
  package func record(_ changes: [QueueChange], now: ContinuousClock.Instant) throws(StateWriteError) {
    try checkUsable()
    let news = queue.apply(changes)
    guard !news.isEmpty else { return }
    try guarded { () throws(FileError) in
      var journal = if let open = self.journal { open } else { try openJournal() }
      try journal.append(news)
      self.journal = journal
    }
    changed.add(news)
    unflushed += news.count
    syncDue = syncDue ?? now + Self.flushDelay
  }

  /// Replaces this state by another, and forgets this one. The library's id stays.
  /// - Precondition: nothing has been recorded yet.
  package func replace(by other: Queue, now: Timestamp) throws(StateWriteError) {
    precondition(journal == nil, "what was recorded would be lost")
    try checkUsable()
    try guarded { () throws(FileError) in
      try lock.check()
      var next = other
      next.libraryID = queue.libraryID
      // The generation stays in sequence, since the journals here depend on it; the number of another state is
      // arbitrary.
      next.generation = queue.generation + 1
      next.savedAt = now
      try SnapshotSequence(folder: folder).run(QueueFile.encode(next), keeping: .copy)
      queue = next
      isReplaced = true
      (closedJournal, changed, indexKey) = (nil, ChangedEntries(), nil)
    }
    hasQueueFile = true
  }

  /// True if it is time to flush.
  package func isDue(now: ContinuousClock.Instant) -> Bool {
    guard let syncDue else { return false }
    return unflushed >= Self.unflushedLimit || now >= syncDue
  }

  /// Makes everything that was recorded survive a power cut. Called before a file is removed, before the report, and
  /// before the end.
  package func sync() throws(StateWriteError) {
    guard let flush = try beginFlush() else { return }
    try end(flush, flush.run())
  }

  /// The flush that `sync` would do, for an owner that does not want to keep the store locked during it. Each flush
  /// must end before the next begins. Nil when everything is durable.
  package func beginFlush() throws(StateWriteError) -> JournalFlush? {
    try checkUsable()
    guard unflushed > 0, let journal else { return nil }
    // Before anything in the library depends on the records.
    try guarded { () throws(FileError) in try lock.check() }
    defer {
      unflushed = 0
      syncDue = nil
    }
    return JournalFlush(file: journal.file, folder: journal.isNameDurable ? nil : folder)
  }

  /// - Parameter error: the result of `flush`.
  package func end(_ flush: JournalFlush, _ error: FileError?) throws(StateWriteError) {
    try guarded { () throws(FileError) in if let error { throw error } }
    journal?.isNameDurable = true
  }

  /// As `save`, and releases the lock. After a failure it only releases the lock, and throws.
  package func close(now: Timestamp, closingJournalFrom longQueue: ByteCount? = nil) throws(StateWriteError) {
    defer { release() }
    try save(now: now, closingJournalFrom: longQueue)
  }

  /// Writes the queue file if anything changed since it was written. Nothing may be recorded after that.
  /// - Parameter longQueue: if the queue file has at least this size and the journal is short, the journal is closed
  ///   instead. Nil to write the queue file in any case.
  package func save(now: Timestamp, closingJournalFrom longQueue: ByteCount? = nil) throws(StateWriteError) {
    try sync()
    try guarded { () throws(FileError) in
      try keepDecisions()
      if let longQueue, try closeJournal(from: longQueue) { return }
      if journal != nil {
        try writeQueueFile(now: now)
      } else if closedJournal != nil {
        // The journal says the same: a full disk is no reason to fail.
        do throws(FileError) { try writeQueueFile(now: now) } catch {
          guard error.isStorageFull else { throw error }
          try SnapshotSequence(folder: folder).clearUnfinished()
        }
      }
    }
  }

  /// Leaves the changes in the journal.
  /// - Returns: false if they belong in a new queue file.
  private func closeJournal(from longQueue: ByteCount) throws(FileError) -> Bool {
    guard var journal else { return closedJournal != nil }
    guard hasQueueFile, ByteCount(Int64(queueSize)) >= longQueue,
      ClosedJournal.isShort(journal.length, besides: queueSize)
    else {
      return false
    }
    try lock.check()
    try journal.seal()
    try journal.file.close()
    self.journal = nil
    return true
  }

  private func writeQueueFile(now: Timestamp) throws(FileError) {
    try lock.check()
    try journal?.file.close()
    journal = nil
    let isRepetitive = changed.isRepetitive
    if isRepetitive { try writeShortJournal() }
    var next = queue
    next.generation += 1
    next.savedAt = now
    let lines = indexKey.flatMap { indexes?.lines(in: folder, $0, changed: changed.items) }
    let file = QueueFile.encode(next, copying: lines)
    try SnapshotSequence(folder: folder).run(
      file.bytes, keeping: hasQueueFile ? .current : .none, hasShortJournal: isRepetitive)
    indexes?.write(file, next, in: folder)
    (queue, closedJournal, hasQueueFile, indexKey) = (next, nil, true, nil)
  }

  /// Saves the decisions that are in the queue by now, so that they outlive the loss of the queue. A run that was cut off
  /// may have written the queue file and not yet the decisions, so that each run compares the two.
  private func keepDecisions() throws(FileError) {
    let known = isReplaced ? Decisions(unknownFields: decisions.unknownFields) : decisions
    let current = known.updated(by: queue, before: opened.queue)
    if current != decisions || opened.recovery.decisionsProblem != nil {
      try DecisionsStore(folder: folder).write(current)
      decisions = current
    }
  }

  /// Writes the journal of this run in as few lines as possible.
  private func writeShortJournal() throws(FileError) {
    let place = folder.place(.newPreviousJournal)
    try folder.files.removeFileIfPresent(place)
    let file = try folder.files.open(place, for: .creating(.privateFile))
    var writer = JournalWriter()
    var length: Int64 = 0
    func write() throws(FileError) {
      try file.write(writer.bytes, at: length)
      length += Int64(writer.bytes.count)
      writer.removeAll()
    }
    writer.append(JournalHeader(generation: queue.generation, libraryID: queue.libraryID, bootID: bootID))
    try changed.forEachChange(to: queue) { change throws(FileError) in
      writer.append(change)
      if writer.bytes.count >= Self.pieceSize { try write() }
    }
    try write()
    try file.sync()
    try file.close()
  }

  private func openJournal() throws(FileError) -> OpenJournal {
    defer { closedJournal = nil }
    if let closedJournal { return try .continuing(closedJournal, in: folder, bootID: bootID) }
    let header = JournalHeader(generation: queue.generation, libraryID: queue.libraryID, bootID: bootID)
    return try .creating(header, in: folder)
  }

  private func checkUsable() throws(StateWriteError) {
    if let failure { throw .stopped(after: failure) }
  }

  /// After one failure nothing is written any more: there is no way to know what reached the disk.
  private func guarded(_ body: () throws(FileError) -> Void) throws(StateWriteError) {
    do throws(FileError) { try body() } catch {
      failure = error
      throw .file(error)
    }
  }

  /// Releases the lock.
  package func release() {
    // The lock is gone with the descriptor, whatever `close` returns.
    do throws(FileError) { try lock.release() } catch { failure = failure ?? error }
  }
}

extension LoadedQueue {
  /// Nil when there is no state.
  package init?(_ reading: StateReading) {
    guard let queue = reading.queue else { return nil }
    self.init(
      queue: queue, recovery: reading.recovery,
      isInterrupted: reading.hasRecords || reading.recovery.interruptedItems > 0, isSameBoot: reading.isSameBoot,
      recorded: reading.recordedItems, recordedPaths: reading.recordedPaths)
  }
}
