// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats

/// What was found in the state folder.
struct OpenedState {
  var queue: Queue
  /// What was repaired on the way.
  var notes: [RecoveryNote] = []
  /// What else a person should know of the place.
  var warnings: [Warning] = []
  /// The machine was not down since: what was written is on the disk or in its cache.
  var isSameBoot = false
  /// The library was never initialised.
  var isNew = false
  /// The memory is lost: this run only takes over what is in the library.
  var takesStock = false

  var allWarnings: [Warning] { warnings + notes.map { .recovered($0) } }
}

/// What a library is opened for.
enum OpeningPurpose {
  /// A run, which can make up for a lost memory.
  case run
  /// Anything else, which would go by a memory that is not there.
  case edit
  /// As `edit`; the user says that this is the place.
  case initialise
}

extension Job {
  /// Opens the library for looking only: nothing is created, nothing is locked.
  func look(for purpose: OpeningPurpose = .edit) throws(JobError) -> (Library, OpenedState) {
    let files = POSIXFileSystem()
    let library = try Library.look(manifest.library, files)
    let marker = try marker(of: library)
    let memory = MemoryReading(library, marker, bootID: BootID.current(files))
    let opened = try memory.read(purpose).flatMap(OpenedQueue.init)
    try checkMemory(library, opened)
    if purpose != .initialise { try checkMounted(library, marker, opened?.queue) }
    var state = OpenedState(queue: opened?.queue ?? Queue(libraryID: marker?.id ?? "", savedAt: now))
    if purpose == .run { state.takesStock = try memory.hasLostFiles(opened) }
    state.notes = memory.notes(opened, takesStock: state.takesStock)
    state.isSameBoot = opened?.isSameBoot ?? false
    state.isNew = marker == nil
    return (library, state)
  }

  /// Opens the library to change it: locked, marked, recovered. Nothing is created where a disk should be mounted.
  func open(for purpose: OpeningPurpose) async throws(JobError) -> (Library, OpenedState, Ledger) {
    let files = POSIXFileSystem()
    let bootID = BootID.current(files)
    let before = try Library.look(manifest.library, files)
    let seen = try marker(of: before)
    // What is read here may be another run's in the making; it is only to tell whether this is the place.
    if seen == nil || manifest.library.hasStateElsewhere {
      let known = try MemoryReading(before, seen, bootID: bootID).read(purpose).flatMap(OpenedQueue.init)
      if purpose != .initialise { try checkMounted(before, seen, known?.queue) }
      try checkMemory(before, known)
    }
    let library = try Library.open(manifest.library, files)
    let lock = try await lock(library)
    do throws(FileError) { try library.prepare() } catch { throw .file(error) }
    let marker = if let known = try self.marker(of: library) { known } else { try mark(library) }
    let memory = MemoryReading(library, marker, bootID: bootID)
    let reading = try memory.read(purpose)
    let found = reading.flatMap(OpenedQueue.init)
    let takesStock = try memory.hasLostFiles(found)
    if takesStock {
      guard purpose == .run else { throw .memoryLost(library: manifest.library.path) }
      try memory.beginRebuilding()
    }
    let finished = try settleInterruptedRun(library, found)
    let store = try openStore(library, lock, found == nil ? nil : reading, marker, bootID)
    if !takesStock { try memory.endRebuilding() }
    var state = OpenedState(queue: store.opened.queue)
    state.takesStock = takesStock
    state.notes = memory.notes(found == nil ? nil : store.opened, takesStock: takesStock)
    if finished > 0 { state.notes.append(.removalsFinished(finished)) }
    state.isSameBoot = store.opened.isSameBoot
    state.warnings = try warnings(of: library)
    state.isNew = seen == nil
    return (library, state, Ledger(store))
  }

  private func warnings(of library: Library) throws(JobError) -> [Warning] {
    let folder = library.state.root
    do throws(FileError) {
      let privacy = try library.files.makePrivate(folder)
      return privacy == .isPrivate ? [] : [.stateOpenToOthers(path: folder.path, isClosed: privacy == .wasOpen)]
    } catch { throw .file(error) }
  }

  /// - Parameter reading: nil when there is nothing yet.
  private func openStore(
    _ library: Library, _ lock: StateLock, _ reading: StateReading?, _ marker: LibraryMarker, _ bootID: String?
  ) throws(JobError) -> QueueStore {
    do throws(FileError) {
      if reading == nil { try QueueStore.found(library.state, libraryID: marker.id, now: now) }
    } catch { throw .file(error) }
    do throws(StateError) {
      guard let reading else {
        return try QueueStore(library.state, lock: lock, libraryID: marker.id, bootID: bootID, now: now)
      }
      return try QueueStore(library.state, lock: lock, reading, libraryID: marker.id, bootID: bootID, now: now)
    } catch { throw .state(error) }
  }

  /// What a run that was killed left half done in the folders, as its journal tells; before the journal is put away.
  /// - Returns: removals that were finished.
  private func settleInterruptedRun(_ library: Library, _ found: OpenedQueue?) throws(JobError) -> Int {
    do throws(FileError) {
      try library.clearUnfinished()
      guard let found, !found.recorded.isEmpty,
        try library.files.status(of: library.state.place(.journal)) != nil
      else { return 0 }
      return try InterruptedRemovals(library: library, trashKeep: manifest.storage.trashKeep, now: now).finish(found)
    } catch { throw .file(error) }
  }

  private func marker(of library: Library) throws(JobError) -> LibraryMarker? {
    guard let root = library.mediaRoot else { return nil }
    do throws(StateError) { return try LibraryMarker.read(library.files, in: root) } catch { throw .state(error) }
  }

  /// The marker tells the library from the empty directory where its disk should be.
  private func checkMounted(_ library: Library, _ marker: LibraryMarker?, _ queue: Queue?) throws(JobError) {
    guard marker == nil else { return }
    if manifest.library.requireMount { throw .notInitialised(library: manifest.library.path) }
    let finished = queue?.items.count { $0.state.name == .completed } ?? 0
    // A memory that is kept elsewhere was made together with the marker.
    let isKnown = manifest.library.hasStateElsewhere && queue.map { !$0.items.isEmpty } ?? false
    if finished > 0 || isKnown { throw .notMounted(library: manifest.library.path, finished: finished) }
  }

  /// A memory in the library that the manifest does not name any more would be forgotten, and everything fetched again.
  private func checkMemory(_ library: Library, _ opened: OpenedQueue?) throws(JobError) {
    guard opened == nil, manifest.library.hasStateElsewhere, let work = library.workFolder else { return }
    let place = work.place(.queue)
    do throws(FileError) {
      guard try library.files.status(of: place) != nil else { return }
    } catch { throw .file(error) }
    throw .memoryElsewhere(found: place.parent.text, wanted: manifest.library.state)
  }

  func lock(_ library: Library) async throws(JobError) -> StateLock {
    let holder = StateLock.Holder(pid: getpid(), since: now)
    if Task.isCancelled { throw .interrupted(.terminated) }
    let outcome: StateLock.Outcome
    do throws(FileError) {
      outcome = try await StateLock.acquire(library.state, as: holder, waiting: options.lockWait) { pause in
        do { try await Task.sleep(for: pause) } catch { return false }
        return true
      }
    } catch { throw .file(error) }
    switch outcome {
    case .acquired(let lock): return lock
    case .held(let other):
      if Task.isCancelled { throw .interrupted(.terminated) }
      throw .locked(path: library.state.place(.lock).text, holder: other?.words)
    }
  }

  /// The id of a queue that is there already goes on.
  private func mark(_ library: Library) throws(JobError) -> LibraryMarker {
    var generator = SystemRandomNumberGenerator()
    let known = try MemoryReading(library, nil, bootID: nil).read(.run)?.queue?.libraryID
    let marker =
      known.flatMap { LibraryMarker(id: $0, createdAt: now) } ?? LibraryMarker(createdAt: now, using: &generator)
    do throws(FileError) {
      // First: a library with a marker and no queue file has lost it.
      if known == nil { try QueueStore.found(library.state, libraryID: marker.id, now: now) }
      try marker.create(library.files, in: library.root)
    } catch { throw .file(error) }
    return marker
  }
}

extension StateLock.Holder {
  fileprivate var words: String { "process \(pid), since \(since.rfc3339)" }
}
