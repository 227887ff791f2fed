// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Repairs the folder after a run that was killed or a disk that lost data: damaged files are kept aside, and
/// everything that could be read is written as a new queue file.
struct StateRepair {
  private let folder: StateFolder
  private let reading: StateReading
  private let now: Timestamp

  init(_ folder: StateFolder, _ reading: StateReading, now: Timestamp) {
    self.folder = folder
    self.reading = reading
    self.now = now
  }

  func run(libraryID: String) throws(FileError) -> LoadedQueue {
    let sequence = SnapshotSequence(folder: folder)
    try sequence.clearUnfinished()
    var opened =
      LoadedQueue(reading)
      ?? LoadedQueue(
        queue: Queue(libraryID: libraryID, savedAt: now), recovery: RecoveryReport(), isInterrupted: false,
        isSameBoot: false)
    opened.recovery.keptAside = try keepAside()
    if reading.hasRecords || reading.isPutTogether {
      opened.queue.generation += 1
      opened.queue.savedAt = now
      try sequence.run(QueueFile.encode(opened.queue), keeping: previous)
    } else if reading.closedJournal != nil {
      // The queue file and the journal together are in order.
    } else if let journal = reading.journal.reading {
      // Everything in this journal is also in the queue file. It is kept only if it led up to that file.
      if journal.generation < opened.queue.generation, !journal.changes.isEmpty {
        // The killed run may not have flushed the name of that queue file.
        try folder.sync()
        try sequence.retireJournal()
      } else {
        try folder.files.removeFile(folder.place(.journal))
        try folder.sync()
      }
    } else if reading.isUnchecked {
      // The same queue of the same generation, so that the earlier files still lead up to it.
      try sequence.run(QueueFile.encode(opened.queue), keeping: .none)
    }
    return opened
  }

  private var previous: SnapshotSequence.Previous {
    if reading.isPutTogether { return .copy }
    return reading.hasQueueFile ? .current : .none
  }

  /// Keeps copies of the damaged files and returns their names.
  private func keepAside() throws(FileError) -> [String] {
    let aside = AsideFiles(folder, now: now)
    var names: [String] = []
    for (file, found) in [(StateFolder.File.journal, reading.journal), (.previousJournal, reading.previousJournal)] {
      guard case .present(let bytes, let journal) = found else { continue }
      if !journal.damagedLines.isEmpty || journal.missingRecords > 0 {
        names.append(try aside.keepCopy(of: file, bytes))
      } else if !journal.tornTail.isEmpty {
        names.append(try aside.keep(journal.tornTail, of: file))
      }
    }
    if reading.recovery.restoration != nil, reading.recovery.problem != nil {
      names.append(try aside.keep(.queue))
    } else if let lines = reading.recovery.lines, !lines.keepsAll || reading.recovery.loss == .lines,
      let bytes = try folder.files.read(folder.place(.queue), limit: StateReading.limit)
    {
      names.append(try aside.keepCopy(of: .queue, bytes))
    }
    if reading.isPreviousDamaged { names.append(try aside.keep(.previous)) }
    if !names.isEmpty { try aside.prune() }
    return names
  }
}
