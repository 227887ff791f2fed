// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// What the job remembers of a library, and whether that is all that it ever knew.
struct MemoryReading {
  private let library: Library
  private let marker: LibraryMarker?
  private let bootID: String?

  init(_ library: Library, _ marker: LibraryMarker?, bootID: String?) {
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
    try StateReading(folder, libraryID: marker?.id, bootID: bootID, rebuilds: rebuilds)
  }

  /// Whether something was forgotten, and media is there that may have been ours.
  func hasLostFiles(_ opened: OpenedQueue?) throws(JobError) -> Bool {
    guard try hasLoss(opened) else { return false }
    return try hasMedia(besides: Set(opened?.queue.items.compactMap { $0.state.storedFile?.path } ?? []))
  }

  private func hasLoss(_ opened: OpenedQueue?) throws(JobError) -> Bool {
    // A library has a queue file before it has a marker.
    guard let opened else { return marker != nil }
    if opened.recovery.loss != nil { return true }
    guard let folder = library.stateFolder else { return false }
    do throws(FileError) { return try library.files.status(of: folder.place(.rebuilding)) != nil } catch {
      throw .file(error)
    }
  }

  private func hasMedia(besides owned: Set<LibraryPath>) throws(JobError) -> Bool {
    do throws(FileError) { return try LibraryWalk(library: library).hasMedia(besides: owned) } catch {
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
    }
    return notes
  }

  // MARK: The mark of a memory that is not whole yet

  /// Before anything is repaired: a run that is killed while it takes stock leaves the rest to the next one.
  func beginRebuilding() throws(JobError) {
    let folder = library.state
    do throws(FileError) {
      guard try library.files.status(of: folder.place(.rebuilding)) == nil else { return }
      try library.files.create(folder.place(.rebuilding), [], mode: .privateFile)
      try folder.sync()
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
  /// The memory is whole again, and on the disk.
  func endRebuilding() throws(FileError) {
    try files.removeFileIfPresent(state.place(.rebuilding))
    try state.sync()
  }
}
