// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The contents of the state folder, put together without changing a byte of it.
///
/// Generation n of the queue file and the journal that begins at n make generation n + 1. The folder holds two links of
/// that chain: `queue` and `journal` are the newest state. If `queue` is lost, `previous` and both journals are.
package struct StateReading {
  /// Nil if nothing was ever recorded here.
  package private(set) var queue: Queue?
  private(set) var recovery = RecoveryReport()
  /// True if the journal was written since the machine last started.
  private(set) var isSameBoot = false
  /// True if there are records of a run that did not end regularly.
  package private(set) var hasRecords = false
  /// The journal of commands that ended regularly and left the queue file as it was. Nil if there is none, or if
  /// anything is to be repaired.
  private(set) var closedJournal: ClosedJournal?
  /// The size of the queue file in bytes; zero if it could not be read.
  private(set) var queueSize = 0
  /// The key of the index of the queue file. Nil if it has none, or if the queue was not read from that file.
  private(set) var indexKey: SHA256Digest?
  /// The items of the records of a run that did not end regularly.
  private(set) var recordedItems: Set<ItemID> = []
  /// The paths that these items have before or after each record.
  private(set) var recordedPaths: Set<LibraryPath> = []
  private(set) var journal = JournalFile.missing
  private(set) var hasQueueFile = false
  /// Read only if the queue file could not be read.
  private(set) var previousJournal = JournalFile.missing
  private(set) var isPreviousDamaged = false
  /// True if the queue file was written by an earlier version of the program, which wrote no checks.
  private(set) var isUnchecked = false

  enum JournalFile {
    case missing
    case present(bytes: [UInt8], JournalReading)

    var reading: JournalReading? {
      if case .present(_, let reading) = self { reading } else { nil }
    }

    /// Nil unless it is closed and follows the queue file of that generation.
    func closed(at generation: Int) -> ClosedJournal? {
      guard case .present(let bytes, let reading) = self, reading.isClosed, reading.generation == generation else {
        return nil
      }
      return ClosedJournal(reading: reading, length: Int64(bytes.count))
    }
  }

  private enum Snapshot {
    case missing
    case damaged(QueueFileProblem)
    case read(QueueFileReading)

    /// The reason why it cannot be trusted as it is.
    var problem: QueueFileProblem? {
      switch self {
      case .missing: nil
      case .damaged(let problem): problem
      case .read(let reading): reading.firstProblem
      }
    }
  }

  /// The largest queue file. Larger files are refused before they fill the memory.
  static let limit = ByteCount(4 << 30)

  private let folder: StateFolder
  private let rebuilds: Bool
  private let holds: (StoredFile) -> Bool
  let indexes: QueueIndexStore?

  /// - Parameters:
  ///   - libraryID: The id in the marker, if there is one.
  ///   - rebuilds: True if the library itself will replace the parts that cannot be read. Otherwise they are an error.
  ///   - indexes: Where an index of the queue file may be, and where it is kept.
  ///   - holds: Returns true if the library has that file, with that size and content. Called if the queue file is in
  ///     doubt.
  init(
    _ folder: StateFolder, libraryID: String?, bootID: String?, rebuilds: Bool, indexes: QueueIndexStore? = nil,
    holds: @escaping (StoredFile) -> Bool = { _ in false }
  ) throws(StateError) {
    self.folder = folder
    self.rebuilds = rebuilds
    self.holds = holds
    self.indexes = indexes
    journal = try readJournal(.journal)
    var snapshot = try readSnapshot(.queue)
    if case .read(let current) = snapshot, try isOutdated(current.queue.generation) {
      snapshot = .damaged(.outdated(generation: current.queue.generation))
    }
    if case .read(let current) = snapshot, current.problem == nil || !current.isUnchecked {
      hasQueueFile = true
      isUnchecked = current.isUnchecked
      queueSize = current.size
      if current.isSound {
        (queue, indexKey) = (current.queue, current.indexKey)
        if !current.isUnchecked { closedJournal = journal.closed(at: current.queue.generation) }
        apply([journal.reading].compactMap { $0 })
      } else {
        try settle(current, libraryID: libraryID)
      }
    } else {
      try rebuild(insteadOf: snapshot, libraryID: libraryID)
    }
    guard let queue else { return }
    if let libraryID, queue.libraryID != libraryID {
      throw .anotherLibrary(path: folder.place(.queue).text, found: queue.libraryID, expected: libraryID)
    }
    // Commands that ended regularly left nothing that was not flushed.
    isSameBoot = bootID != nil && closedJournal == nil && journal.reading?.bootID == bootID
    recovery.interruptedItems = queue.notableItems.count { $0.transfer?.isUnderWay ?? false }
  }

  /// True if the queue file is an older copy that somebody put there. No step of `SnapshotSequence` leaves an intact
  /// file of a later generation beside it, except for a copy of the new queue file, which then is the right one.
  private func isOutdated(_ generation: Int) throws(StateError) -> Bool {
    if let claimed = claimedGeneration(.previousJournal), claimed >= generation {
      let journal = try readJournal(.previousJournal).reading
      if let header = journal?.header, header.generation >= generation { return true }
    }
    if let claimed = claimedGeneration(.previous), claimed > generation,
      case .read(let previous) = try readSnapshot(.previous)
    {
      return previous.isSound && previous.queue.generation > generation
    }
    return false
  }

  /// The generation in the first bytes of a file. Nil if they cannot be read or are others: a file that only serves as
  /// evidence must not stop a run whose queue file is intact.
  private func claimedGeneration(_ file: StateFolder.File) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 256)
    do throws(FileError) {
      let head = try folder.files.open(folder.place(file), for: .reading)
      var failure: FileError?
      bytes.withUnsafeMutableBytes { buffer in
        do throws(FileError) { _ = try head.read(into: buffer, at: 0) } catch { failure = error }
      }
      try head.close()
      if failure != nil { return nil }
    } catch { return nil }
    let key = Array("\"generation\":".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: key) }) else { return nil }
    let digits = bytes[(start + key.count)...].prefix { (0x30...0x39).contains($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// Handles a queue file that can be read but whose checks fail.
  private mutating func settle(_ current: QueueFileReading, libraryID: String?) throws(StateError) {
    let earlierJournal = try readJournal(.previousJournal).reading
    let snapshot = try readSnapshot(.previous)
    let previous: QueueFileReading? = if case .read(let previous) = snapshot, previous.isSound { previous } else { nil }
    let expected = ExpectedQueue(
      previous: previous?.queue, journals: [earlierJournal, journal.reading].compactMap { $0 }, present: current)
    let recorded = journal.reading?.itemIDs ?? []
    let doubtful = DoubtfulQueue(reading: current, recorded: recorded, holds: holds)
    if let expected, expected.accounts(for: current, besides: recorded) {
      // A file from which no item can be made is reported as such.
      if let problem = current.problem { return try rebuild(insteadOf: .damaged(problem), libraryID: libraryID) }
      (queue, recovery.lines) = doubtful.settled(by: expected.queue)
    } else {
      (queue, recovery.lines) = doubtful.resolvedAlone(earlier: previous?.queue)
      recovery.problem = current.problem
      recovery.loss = .lines
      // The damage may concern the generation, but the journal proves that it was not later than this.
      queue?.generation = min(current.queue.generation, journal.reading?.generation ?? .max)
    }
    apply([journal.reading].compactMap { $0 })
  }

  /// Restores the state if the queue file is missing or damaged.
  private mutating func rebuild(insteadOf snapshot: Snapshot, libraryID: String?) throws(StateError) {
    if let problem = snapshot.problem {
      recovery.problem = problem
      hasQueueFile = true
    }
    previousJournal = try readJournal(.previousJournal)
    let journals = [previousJournal.reading, journal.reading].compactMap { $0 }
    let previous = try readSnapshot(.previous)
    isPreviousDamaged = previous.problem != nil
    if case .read(let base) = previous, base.isSound {
      queue = base.queue
      recovery.restoration = .previous
      // The changes between that file and the lost one.
      if !journals.contains(where: { $0.header?.generation == base.queue.generation }) { recovery.loss = .lastRun }
    } else if case .read(let base) = previous, !base.isUnchecked {
      let recorded = journals.reduce(into: Set<ItemID>()) { $0.formUnion($1.itemIDs) }
      let doubtful = DoubtfulQueue(reading: base, recorded: recorded, holds: holds)
      (queue, recovery.lines) = doubtful.resolvedAlone(earlier: nil)
      recovery.restoration = .previous
      recovery.loss = .lines
    } else if let first = journals.first(where: { $0.generation == 0 && ($0.header != nil || !$0.changes.isEmpty) }) {
      // The journals contain everything that happened, as before the first queue file is written.
      queue = empty(libraryID, journals)
      if first.header == nil { recovery.loss = .everything }
      if hasQueueFile || previousJournal.reading != nil { recovery.restoration = .journal }
    } else {
      try rebuild(from: journals, libraryID, previous.problem)
    }
    apply(journals)
  }

  /// Restores the state without a queue to which the journals could be applied. They contain only a part of it.
  private mutating func rebuild(
    from journals: [JournalReading], _ libraryID: String?, _ previousProblem: QueueFileProblem?
  ) throws(StateError) {
    if !rebuilds, let problem = recovery.problem ?? previousProblem {
      throw .nothingToRebuildFrom(path: folder.place(hasQueueFile ? .queue : .previous).text, problem)
    }
    recovery.loss = .everything
    guard rebuilds || journals.contains(where: { !$0.changes.isEmpty }) else { return }
    queue = empty(libraryID, journals)
    recovery.restoration = rebuilds ? .library : .journal
  }

  private func empty(_ libraryID: String?, _ journals: [JournalReading]) -> Queue {
    let known = libraryID ?? journals.compactMap { $0.header?.libraryID }.first
    return Queue(libraryID: known ?? "", savedAt: Timestamp(secondsSince1970: 0))
  }

  /// Applies the journals that begin at the queue's generation or later. Earlier ones are in the queue already: a run
  /// ended between writing the queue file and putting its journal away.
  private mutating func apply(_ journals: [JournalReading]) {
    guard var result = queue else { return }
    let base = result.generation
    let news = journals.filter { ($0.header?.generation ?? base) >= base }
    for reading in news.sorted(by: { $0.generation < $1.generation }) {
      result.apply(reading.changes[..<reading.closedChanges])
      recordedPaths.formUnion(result.paths(in: reading.openChanges))
      result.apply(reading.openChanges)
      for case .item(let item) in reading.openChanges { recordedItems.insert(item.id) }
      result.generation = max(result.generation, reading.generation)
      recovery.damagedLines += reading.damagedLines.count
      recovery.missingRecords += reading.missingRecords
      recovery.isTailTorn = recovery.isTailTorn || !reading.tornTail.isEmpty
      hasRecords = hasRecords || !reading.changes.isEmpty && closedJournal == nil
      // The journal is torn from its first byte on. Most likely nothing of it was ever flushed. Otherwise all of it is
      // lost.
      if reading.isUnreadable { recovery.loss = recovery.loss ?? .lastRun }
    }
    if hasRecords { result.separateOwners() }
    queue = result
  }

  /// Decodes all items, for a caller that looks into most of them.
  /// - Parameter known: Items to share where they are the same.
  package mutating func decodeAll(sharing known: KnownItems) { queue?.decodeAll(sharing: known) }

  /// Counts the bytes that a partial has beyond its record. The run in the journal wrote them since the machine last
  /// started. Only the journal proves that, and it is about to be put away.
  /// - Parameter present: The lengths of partials by name. Each is on the disk with this length.
  package mutating func count(_ present: [String: ByteCount]) {
    guard var result = queue else { return }
    for item in unflushedPartials {
      guard var changed = result[item.id], let name = item.partial?.name, let size = present[name] else { continue }
      changed.updatePartial { partial in
        var counted = partial
        counted.received = size
        return counted
      }
      result[item.id] = changed
    }
    queue = result
  }

  /// True if the queue was not read from the queue file alone.
  var isPutTogether: Bool { recovery.restoration != nil || recovery.lines != nil }

  /// Items that a run was working on since the machine last started. They may have more bytes than were recorded.
  package var unflushedPartials: [QueueItem] {
    guard isSameBoot, let queue else { return [] }
    return queue.notableItems.filter { item in
      guard let transfer = item.transfer, let partial = transfer.partial else { return false }
      return transfer.isUnderWay && partial.extents == nil
    }
  }

  private func readSnapshot(_ file: StateFolder.File) throws(StateError) -> Snapshot {
    guard let bytes = try read(file) else { return .missing }
    do throws(QueueFileProblem) {
      if file == .queue, let (items, key) = indexes?.read(bytes, in: folder) {
        var reading = try QueueFile.read(bytes, by: items.index, items: items)
        reading.indexKey = key
        return .read(reading)
      }
      var reading = try QueueFile.read(bytes, in: ParallelParts())
      if file == .queue, reading.isSound, !reading.isUnchecked {
        reading.indexKey = indexes?.write(bytes, reading.queue, in: folder)
      }
      return .read(reading)
    } catch {
      if case .newerVersion(let found, let known) = error {
        throw .newerVersion(path: folder.place(file).text, found: found, known: known)
      }
      return .damaged(error)
    }
  }

  private func readJournal(_ file: StateFolder.File) throws(StateError) -> JournalFile {
    guard let bytes = try read(file) else { return .missing }
    do throws(QueueFileProblem) { return .present(bytes: bytes, try JournalReading(bytes)) } catch {
      guard case .newerVersion(let found, let known) = error else { return .missing }
      throw .newerVersion(path: folder.place(file).text, found: found, known: known)
    }
  }

  private func read(_ file: StateFolder.File) throws(StateError) -> [UInt8]? {
    do throws(FileError) { return try folder.files.read(folder.place(file), limit: Self.limit) } catch {
      throw .file(error)
    }
  }
}

extension Queue {
  /// Resolves the conflict of two items with one file, which the loss of a record may cause. The file belongs to the
  /// item that was recorded last. The fate of the other's file is unknown.
  fileprivate mutating func separateOwners() {
    var owners: [LibraryPath: QueueItem] = [:]
    for item in items {
      guard let file = item.state.storedFile else { continue }
      guard let other = owners[file.path] else {
        owners[file.path] = item
        continue
      }
      var loser = other.updatedAt > item.updatedAt ? item : other
      if loser.id == other.id { owners[file.path] = item }
      loser.remove(Removal(cause: .lost, at: loser.updatedAt, file: loser.state.storedFile))
      self[loser.id] = loser
    }
  }
}

extension JournalReading {
  /// The generation of the queue file at which the journal begins. A damaged header counts as that of the first
  /// journal. Applying records again changes nothing, because each holds a whole entry.
  var generation: Int { header?.generation ?? 0 }

  /// The items in its records.
  fileprivate var itemIDs: Set<ItemID> {
    Set(
      changes.compactMap { change in
        switch change {
        case .item(let item): item.id
        case .itemDropped(let id): id
        case .source, .sourceDropped: nil
        }
      })
  }

  fileprivate var isUnreadable: Bool { header == nil && changes.isEmpty && !tornTail.isEmpty }
}
