// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats

/// What was found in the state folder.
struct OpenedState {
  var queue: Queue
  /// What was repaired on the way.
  var notes: [RecoveryNote] = []
  /// An earlier run did not come to its end.
  var isInterrupted = false
  /// The machine was not down since: what was written is on the disk or in its cache.
  var isSameBoot = false
  /// The library was never initialised.
  var isNew = false
}

extension Job {
  /// Opens the library for looking only: nothing is created, nothing is locked.
  /// - Parameter mayInitialise: the user says that this is the place.
  func look(mayInitialise: Bool = false) throws(JobError) -> (Library, OpenedState) {
    let files = POSIXFileSystem()
    let library = try Library.look(manifest.library, files)
    let marker = try marker(of: library)
    let opened = try peek(library, marker, files)
    try checkMemory(library, opened)
    if !mayInitialise { try checkMounted(library, marker, opened?.queue) }
    let queue = opened?.queue ?? Queue(libraryID: marker?.id ?? "", savedAt: now)
    return (
      library,
      OpenedState(
        queue: queue, notes: opened?.recovery.notes ?? [], isInterrupted: opened?.isInterrupted ?? false,
        isSameBoot: opened?.isSameBoot ?? false, isNew: marker == nil)
    )
  }

  /// Opens the library to change it: locked, marked, recovered. Nothing is created where a disk should be mounted.
  /// - Parameter mayInitialise: the user says that this is the place.
  func open(mayInitialise: Bool = false) async throws(JobError) -> (Library, OpenedState, Ledger) {
    let files = POSIXFileSystem()
    let before = try Library.look(manifest.library, files)
    let seen = try marker(of: before)
    let known = try peek(before, seen, files)
    if !mayInitialise { try checkMounted(before, seen, known?.queue) }
    try checkMemory(before, known)
    let library = try Library.open(manifest.library, files)
    let lock = try await lock(library)
    do throws(FileError) { try library.prepare() } catch { throw .file(error) }
    let marker = if let known = try self.marker(of: library) { known } else { try mark(library) }
    try settleInterruptedRun(library, marker)
    let store: QueueStore
    do throws(StateError) {
      store = try QueueStore(
        library.state, lock: lock, libraryID: marker.id, bootID: BootID.current(files), now: now)
    } catch { throw .state(error) }
    let opened = store.opened
    let state = OpenedState(
      queue: opened.queue, notes: opened.recovery.notes, isInterrupted: opened.isInterrupted,
      isSameBoot: opened.isSameBoot, isNew: seen == nil)
    return (library, state, Ledger(store))
  }

  private func peek(
    _ library: Library, _ marker: LibraryMarker?, _ files: POSIXFileSystem
  ) throws(JobError) -> OpenedQueue? {
    guard let folder = library.stateFolder else { return nil }
    do throws(StateError) {
      return try QueueStore.read(folder, libraryID: marker?.id, bootID: BootID.current(files))
    } catch { throw .state(error) }
  }

  /// What a run that was killed left half done in the folders, as its journal tells; before the journal is put away.
  private func settleInterruptedRun(_ library: Library, _ marker: LibraryMarker) throws(JobError) {
    do throws(FileError) {
      try library.clearUnfinished()
      guard try library.files.status(of: library.state.place(.journal)) != nil else { return }
    } catch { throw .file(error) }
    let files = POSIXFileSystem()
    guard let found = try peek(library, marker, files), !found.recorded.isEmpty else { return }
    let removals = InterruptedRemovals(library: library, trashKeep: manifest.storage.trashKeep, now: now)
    do throws(FileError) { try removals.finish(found) } catch { throw .file(error) }
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
    let known = try peek(library, nil, POSIXFileSystem())?.queue.libraryID
    let marker =
      known.flatMap { LibraryMarker(id: $0, createdAt: now) } ?? LibraryMarker(createdAt: now, using: &generator)
    do throws(FileError) { try marker.create(library.files, in: library.root) } catch {
      throw .file(error)
    }
    return marker
  }
}

extension StateLock.Holder {
  fileprivate var words: String { "process \(pid), since \(since.rfc3339)" }
}
