// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// What the job does not remember any more, although it may be in the library.
struct MemoryLoss: Equatable {
  /// Only what was put there from that time on; nil: all of it.
  var since: Timestamp?
}

/// What the job remembers of a library, and whether that is all that it ever knew.
struct MemoryReading {
  private let library: Library
  private let marker: LibraryMarker?
  private let bootID: String?
  /// There is no marker, but something of ours in the library.
  private let wasOurs: Bool

  init(_ library: Library, _ marker: LibraryMarker?, bootID: String?, wasOurs: Bool = false) {
    self.wasOurs = wasOurs
    self.library = library
    self.marker = marker
    self.bootID = bootID
  }

  /// What there is. What cannot be read at all stops everything but a run on a library that can make up for it.
  func read(_ purpose: OpeningPurpose) throws(JobError) -> StateReading? {
    guard let folder = library.stateFolder else { return nil }
    do throws(StateError) { return try read(folder, rebuilds: false) } catch {
      guard case .nothingToRebuildFrom = error else { throw .state(error) }
      if purpose != .restore {
        guard purpose == .run, try hasMedia(besides: []) else { throw .state(error) }
      }
    }
    do throws(StateError) { return try read(folder, rebuilds: true) } catch { throw .state(error) }
  }

  private func read(_ folder: StateFolder, rebuilds: Bool) throws(StateError) -> StateReading {
    try StateReading(folder, libraryID: marker?.id, bootID: bootID, rebuilds: rebuilds, holds: library.holds)
  }

  /// What was forgotten, if media is there that may have been ours.
  func loss(_ opened: OpenedQueue?) throws(JobError) -> MemoryLoss? {
    guard let loss = try suspicion(opened) else { return nil }
    let stored = (opened?.queue.items ?? []).compactMap(\.state.storedFile)
    let owned = Set(stored.flatMap { [$0.path, $0.movingTo].compactMap(\.self) })
    return try hasMedia(besides: owned, since: loss.since) ? loss : nil
  }

  private func suspicion(_ opened: OpenedQueue?) throws(JobError) -> MemoryLoss? {
    // A library has a queue file before it has a marker.
    guard let opened else { return marker == nil && !wasOurs ? nil : MemoryLoss() }
    if let left = try leftByAnotherRun() { return left }
    switch opened.recovery.loss {
    case .everything?: return MemoryLoss()
    // What that run put into the library is younger than the queue file that it began from.
    case .lastRun?: return MemoryLoss(since: opened.queue.savedAt)
    case .lines?: return MemoryLoss()
    case nil: return nil
    }
  }

  /// What a run that was stopped had set out to make up for.
  private func leftByAnotherRun() throws(JobError) -> MemoryLoss? {
    guard let folder = library.stateFolder else { return nil }
    do throws(FileError) {
      guard let bytes = try library.files.read(folder.place(.rebuilding), limit: ByteCount(4096)) else { return nil }
      return MemoryLoss(since: Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self)))
    } catch { throw .file(error) }
  }

  private func hasMedia(besides owned: Set<LibraryPath>, since: Timestamp? = nil) throws(JobError) -> Bool {
    do throws(FileError) { return try LibraryWalk(library: library, since: since).hasMedia(besides: owned) } catch {
      throw .file(error)
    }
  }

  func notes(_ opened: OpenedQueue?, takesStock: Bool) -> [RecoveryNote] {
    guard let opened else {
      return takesStock ? [.restored(from: .library, problem: nil, keptAside: nil)] : []
    }
    var notes = opened.recovery.notes
    if takesStock, opened.recovery.loss == .lastRun {
      notes.append(opened.recovery.restoration == .previous ? .runForgotten : .journalUnreadable)
    } else if takesStock, opened.recovery.loss == nil {
      notes.append(.stockResumed)
    }
    return notes
  }

  // MARK: The mark of a memory that is not whole yet

  /// Before anything is repaired: a run that is killed while it takes stock leaves the rest to the next one.
  func beginRebuilding(_ loss: MemoryLoss) throws(JobError) {
    let folder = library.state
    do throws(FileError) {
      guard try library.files.status(of: folder.place(.rebuilding)) == nil else { return }
      let since = Array((loss.since?.rfc3339 ?? "").utf8)
      try library.files.replace(folder.place(.rebuilding), since, mode: .privateFile)
    } catch { throw .file(error) }
  }

  /// A run before took over everything, and was stopped before it could say so.
  func endRebuilding() throws(JobError) {
    do throws(FileError) {
      guard try library.files.status(of: library.state.place(.rebuilding)) != nil else { return }
      try library.endRebuilding()
    } catch { throw .file(error) }
  }
}

extension Library {
  /// Whether that file is in its place, with its size and content. One that cannot be read is not.
  func holds(_ file: StoredFile) -> Bool {
    guard let place = mediaRoot?[file.path] else { return false }
    do throws(FileError) {
      guard let status = try files.status(of: place), status.kind == .file, status.linkCount == 1,
        status.size == file.size
      else { return false }
      return try SHA256Digest(of: place, in: files) == file.sha256
    } catch { return false }
  }

  /// The memory is whole again, and on the disk.
  func endRebuilding() throws(FileError) {
    try files.removeFileIfPresent(state.place(.rebuilding))
    try state.sync()
  }
}

extension OpenedQueue {
  /// Nil when every line of the journal was read. A torn end counts: a journal that was cut off looks the same as one
  /// whose last line was being written when the run was killed.
  var lapse: MemoryLoss? {
    let isDamaged = recovery.damagedLines + recovery.missingRecords > 0 || recovery.isTailTorn
    return isDamaged || recovery.restoration != nil ? MemoryLoss(since: queue.savedAt) : nil
  }
}
