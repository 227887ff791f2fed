// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// The part of the state that is lost although its files may still be in the library.
package struct StateLoss: Equatable {
  /// The time since which files may be unrecorded. Nil if all of them may be.
  var since: Timestamp?
}

/// Reads the state of a library and decides if it is complete.
package struct StateLoader {
  private let library: Library
  private let marker: LibraryMarker?
  private let bootID: String?
  /// True if there is no marker but the library has a file that syncjob wrote.
  private let wasOurs: Bool
  private let indexes: QueueIndexStore?

  package init(
    _ library: Library, _ marker: LibraryMarker?, bootID: String?, wasOurs: Bool = false,
    indexes: QueueIndexStore? = nil
  ) {
    self.wasOurs = wasOurs
    self.indexes = indexes
    self.library = library
    self.marker = marker
    self.bootID = bootID
  }

  /// Reads the state. An unreadable state is an error, except for a run on a library from which it can be rebuilt.
  package func read(_ purpose: OpeningPurpose) throws(JobError) -> StateReading? {
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
    try StateReading(
      folder, libraryID: marker?.id, bootID: bootID, rebuilds: rebuilds, indexes: indexes, holds: library.holds)
  }

  /// The loss of state, if there is media that the lost part may have recorded.
  package func loss(_ opened: LoadedQueue?) throws(JobError) -> StateLoss? {
    guard let loss = try suspicion(opened) else { return nil }
    let stored = (opened?.queue.items ?? []).compactMap(\.state.storedFile)
    let owned = Set(stored.flatMap { [$0.path, $0.movingTo].compactMap(\.self) })
    return try hasMedia(besides: owned, since: loss.since) ? loss : nil
  }

  private func suspicion(_ opened: LoadedQueue?) throws(JobError) -> StateLoss? {
    // The queue file of a library is written before its marker.
    guard let opened else { return marker == nil && !wasOurs ? nil : StateLoss() }
    if let left = try leftByAnotherRun() { return left }
    switch opened.recovery.loss {
    case .everything?: return StateLoss()
    // Files that the last run put into the library are younger than the queue file from which it began.
    case .lastRun?: return StateLoss(since: opened.queue.savedAt)
    case .lines?: return StateLoss()
    case nil: return nil
    }
  }

  /// The loss that an interrupted run began to rebuild.
  private func leftByAnotherRun() throws(JobError) -> StateLoss? {
    guard let folder = library.stateFolder else { return nil }
    do throws(FileError) {
      guard let bytes = try library.files.read(folder.place(.rebuilding), limit: ByteCount(4096)) else { return nil }
      return StateLoss(since: Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self)))
    } catch { throw .file(error) }
  }

  private func hasMedia(besides owned: Set<LibraryPath>, since: Timestamp? = nil) throws(JobError) -> Bool {
    do throws(FileError) { return try LibraryWalk(library: library, since: since).hasMedia(besides: owned) } catch {
      throw .file(error)
    }
  }

  package func notes(_ opened: LoadedQueue?, isRebuilding: Bool) -> [RecoveryNote] {
    guard let opened else {
      return isRebuilding ? [.restored(from: .library, problem: nil, keptAside: nil)] : []
    }
    var notes = opened.recovery.notes
    if isRebuilding, opened.recovery.loss == .lastRun {
      notes.append(opened.recovery.restoration == .previous ? .runForgotten : .journalUnreadable)
    } else if isRebuilding, opened.recovery.loss == nil {
      notes.append(.stockResumed)
    }
    return notes
  }

  // MARK: The marker of an incomplete state

  /// Call this before any repair. If a run is killed during the rebuild, the next one continues.
  package func beginRebuilding(_ loss: StateLoss) throws(JobError) {
    let folder = library.state
    do throws(FileError) {
      guard try library.files.status(of: folder.place(.rebuilding)) == nil else { return }
      let since = Array((loss.since?.rfc3339 ?? "").utf8)
      try library.files.replace(folder.place(.rebuilding), since, mode: .privateFile)
    } catch { throw .file(error) }
  }

  /// Ends a rebuild that an earlier run completed but could not record as complete.
  package func endRebuilding() throws(JobError) {
    do throws(FileError) {
      guard try library.files.status(of: library.state.place(.rebuilding)) != nil else { return }
      try library.endRebuilding()
    } catch { throw .file(error) }
  }
}

extension Library {
  /// True if the file is in its place and has its size and content. False if it cannot be read.
  package func holds(_ file: StoredFile) -> Bool {
    guard let place = mediaRoot?[file.path] else { return false }
    do throws(FileError) {
      guard let status = try files.status(of: place), status.kind == .file, status.linkCount == 1,
        status.size == file.size
      else { return false }
      return try SHA256Digest(of: place, in: files) == file.sha256
    } catch { return false }
  }

  /// Records on the disk that the state is complete again.
  package func endRebuilding() throws(FileError) {
    try files.removeFileIfPresent(state.place(.rebuilding))
    try state.sync()
  }
}

extension LoadedQueue {
  /// Nil if every line of the journal was read. A torn end counts as a lapse: a truncated journal looks the same as one
  /// whose last line was being written when the run was killed.
  package var lapse: StateLoss? {
    let isDamaged = recovery.damagedLines + recovery.missingRecords > 0 || recovery.isTailTorn
    return isDamaged || recovery.restoration != nil ? StateLoss(since: queue.savedAt) : nil
  }
}

/// The purpose for which a library is opened.
package enum OpeningPurpose {
  /// A run, which can rebuild a lost state.
  case run
  /// Any other command. It refuses a library whose state is lost.
  case edit
  /// As `edit`, to move files back into the library. This works even on a full disk.
  case undo
  /// As `edit`, to delete or remove files. A full disk is the reason for it and does not prevent it.
  case makeRoom
  /// As `edit`. The user confirms that this is the place.
  case initialise
  /// To replace the state by another one, whatever is left of it.
  case restore

  package var namesThePlace: Bool { self == .initialise || self == .restore }
}
