// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// What the state folder holds, put together without changing a byte of it.
///
/// Generation n of the queue file and the journal that begins at n make generation n + 1; the folder holds two links of
/// that chain. So `queue` and `journal` are the newest state, and when `queue` is lost, `previous` and both journals are.
struct StateReading {
  /// Nil: nothing was ever remembered here.
  private(set) var queue: Queue?
  private(set) var recovery = RecoveryReport()
  /// The journal's boot is the present one.
  private(set) var isSameBoot = false
  /// Records of a run that did not come to its end.
  private(set) var hasRecords = false
  /// The items of those records.
  private(set) var recordedItems: Set<ItemID> = []
  private(set) var journal = JournalFile.missing
  private(set) var hasQueueFile = false
  /// Read only when the queue file could not be.
  private(set) var previousJournal = JournalFile.missing
  private(set) var isPreviousDamaged = false

  enum JournalFile {
    case missing
    case present(bytes: [UInt8], JournalReading)

    var reading: JournalReading? {
      if case .present(_, let reading) = self { reading } else { nil }
    }
  }

  private enum Snapshot {
    case missing
    case damaged(QueueFileProblem)
    case queue(Queue)

    var problem: QueueFileProblem? {
      if case .damaged(let problem) = self { problem } else { nil }
    }
  }

  /// Larger files than any queue are refused before they fill the memory.
  private static let limit = ByteCount(4 << 30)

  private let folder: StateFolder
  private let rebuilds: Bool

  /// - Parameters:
  ///   - libraryID: the marker's, when there is one.
  ///   - rebuilds: the library itself will make up for what cannot be read; otherwise that is an error.
  init(_ folder: StateFolder, libraryID: String?, bootID: String?, rebuilds: Bool) throws(StateError) {
    self.folder = folder
    self.rebuilds = rebuilds
    journal = try readJournal(.journal)
    let snapshot = try readSnapshot(.queue)
    if case .queue(let current) = snapshot {
      hasQueueFile = true
      queue = current
      apply([journal.reading].compactMap { $0 })
    } else {
      try rebuild(insteadOf: snapshot, libraryID: libraryID)
    }
    guard let queue else { return }
    if let libraryID, queue.libraryID != libraryID {
      throw .anotherLibrary(path: folder.place(.queue).text, found: queue.libraryID, expected: libraryID)
    }
    isSameBoot = bootID != nil && journal.reading?.header?.bootID == bootID
    recovery.interruptedItems = queue.items.count { $0.state.name == .downloading || $0.state.name == .retrying }
  }

  /// The queue file is missing or damaged.
  private mutating func rebuild(insteadOf snapshot: Snapshot, libraryID: String?) throws(StateError) {
    if case .damaged(let problem) = snapshot {
      recovery.problem = problem
      hasQueueFile = true
    }
    previousJournal = try readJournal(.previousJournal)
    let journals = [previousJournal.reading, journal.reading].compactMap { $0 }
    let previous = try readSnapshot(.previous)
    isPreviousDamaged = previous.problem != nil
    if case .queue(let base) = previous {
      queue = base
      recovery.restoration = .previous
      // The changes between that file and the one that is lost.
      if !journals.contains(where: { $0.header?.generation == base.generation }) { recovery.loss = .lastRun }
    } else if let first = journals.first(where: { $0.generation == 0 && ($0.header != nil || !$0.changes.isEmpty) }) {
      // All that ever happened is in the journals, as before the first queue file is written.
      queue = empty(libraryID, journals)
      if first.header == nil { recovery.loss = .everything }
      if hasQueueFile || previousJournal.reading != nil { recovery.restoration = .journal }
    } else {
      try rebuild(from: journals, libraryID, previous.problem)
    }
    apply(journals)
  }

  /// There is nothing that the journals could be applied to: what they tell is some of it.
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

  /// Applies the journals that begin at the queue's generation or later. Those that begin earlier are in it already: a
  /// run ended between writing the queue file and putting its journal away.
  private mutating func apply(_ journals: [JournalReading]) {
    guard var result = queue else { return }
    let base = result.generation
    let news = journals.filter { ($0.header?.generation ?? base) >= base }
    for reading in news.sorted(by: { $0.generation < $1.generation }) {
      result.apply(reading.changes)
      for case .item(let item) in reading.changes { recordedItems.insert(item.id) }
      result.generation = max(result.generation, reading.generation)
      recovery.damagedLines += reading.damagedLines.count
      recovery.missingRecords += reading.missingRecords
      recovery.isTailTorn = recovery.isTailTorn || !reading.tornTail.isEmpty
      hasRecords = hasRecords || !reading.changes.isEmpty
      // A journal that is torn from its first byte on: most likely nothing of it was ever flushed, or else all is lost.
      if reading.isUnreadable { recovery.loss = recovery.loss ?? .lastRun }
    }
    if hasRecords { result.separateOwners() }
    queue = result
  }

  /// What a partial has beyond its record was written by the run that the journal tells of, in this uptime of the machine.
  /// The journal tells of that and is about to be put away.
  /// - Parameter present: partials by name, each on the disk as long as it says.
  mutating func count(_ present: [String: ByteCount]) {
    guard var result = queue else { return }
    for item in unflushedPartials {
      guard var changed = result[item.id], let partial = item.state.partial, let size = present[partial.name] else {
        continue
      }
      changed.state = item.state.receiving(size)
      result[item.id] = changed
    }
    queue = result
  }

  /// Items that a run was at in this uptime of the machine: what came for them may be more than what was recorded.
  var unflushedPartials: [QueueItem] {
    guard isSameBoot, let queue else { return [] }
    return queue.items.filter { $0.state.isUnderWay && $0.state.partial.map { $0.extents == nil } ?? false }
  }

  private func readSnapshot(_ file: StateFolder.File) throws(StateError) -> Snapshot {
    guard let bytes = try read(file) else { return .missing }
    do throws(QueueFileProblem) { return .queue(try QueueFile.decode(bytes)) } catch {
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
  /// A record that is lost may leave two items with one file. It is the one's that was recorded last; what became of the
  /// other's nobody knows.
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
      loser.state = .removed(Removal(cause: .lost, at: loser.updatedAt, file: loser.state.storedFile))
      self[loser.id] = loser
    }
  }
}

extension ItemState {
  /// A run ended while this was going on.
  fileprivate var isUnderWay: Bool {
    switch self {
    case .downloading, .retrying: true
    default: false
    }
  }

  fileprivate func receiving(_ size: ByteCount) -> ItemState {
    switch self {
    case .downloading(var attempt):
      attempt.partial?.received = size
      return .downloading(attempt)
    case .retrying(var attempt, let next):
      attempt.partial?.received = size
      return .retrying(attempt, nextAttemptAt: next)
    default: return self
    }
  }
}

extension JournalReading {
  /// Of the queue file that it begins at. A damaged header counts as that of the first journal: to apply records again
  /// that are in the queue already changes nothing, since each holds a whole entry.
  var generation: Int { header?.generation ?? 0 }

  fileprivate var isUnreadable: Bool { header == nil && changes.isEmpty && !tornTail.isEmpty }
}
