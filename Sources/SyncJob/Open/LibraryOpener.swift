// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import SyncFormats

/// Opens a library, to inspect it or to change it.
struct LibraryOpener {
  let context: JobContext
  /// False for a command that looks into few items.
  let decodesAll: Bool

  init(_ context: JobContext, decodesAll: Bool = true) { (self.context, self.decodesAll) = (context, decodesAll) }

  var manifest: Manifest { context.manifest }
  var options: JobOptions { context.options }
  var files: any FileSystem { context.files }
  var now: Timestamp { context.now }

  /// Opens the library to inspect it. Nothing is created and nothing is locked.
  func look(for purpose: OpeningPurpose = .edit) throws(JobError) -> LibraryView {
    readItemsAhead()
    let library = try Library.look(manifest.library, files)
    let marker = try marker(of: library)
    let loader = StateLoader(
      library, marker, bootID: BootID.current(files), wasOurs: try wasOurs(library, marker),
      indexes: options.queueIndexes)
    var reading = try loader.read(purpose)
    if decodesAll { reading?.decodeAll(sharing: KnownItems(manifest)) }
    if let whole = reading { reading = try countPartials(whole, library, flushing: false) }
    let opened = reading.flatMap(LoadedQueue.init)
    try checkStateFolder(library, opened)
    if !purpose.namesThePlace {
      try checkMounted(library, marker, opened?.queue)
      try checkOwner(marker, opened?.queue)
    }
    var queue = opened?.queue ?? Queue(libraryID: marker?.id ?? "", savedAt: now)
    try checkKeys(marker, library) { opened == nil ? nil : queue }
    do throws(FileError) {
      let moved = try InterruptedMoves(library: library).settled(queue)
      for item in try moved + InterruptedUpgrades(library: library).settled(queue) { queue[item.id] = item }
    } catch { throw .file(error) }
    var state = OpenedState(queue: queue)
    state.loss = try loader.loss(opened)
    state.lapse = opened?.lapse
    // A command that inspects an incomplete state would take it for the whole one.
    guard purpose != .edit || state.loss == nil else { throw .stateLost(library: manifest.library.path) }
    state.notes = loader.notes(opened, isRebuilding: state.loss != nil)
    if opened?.isInterrupted ?? false, let run = try runUnderWay(library) {
      // The run that seems interrupted is still active.
      state.notes = []
      if purpose == .run { state.warnings = [.runUnderWay(holder: run.holder?.words)] }
    }
    try seeDecisions(library, opened, &state)
    state.notes += playNotes(library)
    try seePlaybacks(library, &state)
    state.isSameBoot = opened?.isSameBoot ?? false
    state.isNew = marker == nil
    state.clockMark = try clockMark(library)
    return LibraryView(context: context, library: library, state: state)
  }

  /// Has the manifest's items decoded while the state is read, for a caller that looks into most of them. It begins with
  /// the last ones, because the caller needs the first ones first, and then decodes them itself.
  private func readItemsAhead() {
    guard decodesAll else { return }
    let sources = manifest.playlists.map(\.source)
    Task.detached { for source in sources.reversed() { _ = source.inlineItems } }
  }

  private func runUnderWay(_ library: Library) throws(JobError) -> StateLock.Look? {
    do throws(FileError) { return try library.stateFolder.flatMap(StateLock.look) } catch { throw .file(error) }
  }

  /// Opens the library to change it: locked, with a marker, and recovered. Nothing is created where a disk should be
  /// mounted.
  /// - Parameter id: The id for a library without a marker. Nil for a new one.
  func open(
    for purpose: OpeningPurpose, markingAs id: String? = nil
  ) async throws(JobError) -> OpenLibrary {
    readItemsAhead()
    let bootID = BootID.current(files)
    let before = try Library.look(manifest.library, files)
    let seen = try marker(of: before)
    try checkPlace(before, seen, for: purpose, bootID)
    try checkSealedFiles(seen, before, for: purpose)
    let library = try Library.open(manifest.library, files)
    let lock = try await lock(library)
    let aside = try putStrangersAside(library)
    let cleaned = try prepare(library, for: purpose, bootID)
    try noteOrphanedLibrary(library, for: purpose)
    let marker = if let known = try self.marker(of: library) { known } else { try mark(library, as: id) }
    try recordKeys(marker, library)
    let loader = StateLoader(library, marker, bootID: bootID, indexes: options.queueIndexes)
    var reading = try loader.read(purpose)
    if decodesAll { reading?.decodeAll(sharing: KnownItems(manifest)) }
    let found = reading.flatMap(LoadedQueue.init)
    if !purpose.namesThePlace { try checkOwner(marker, found?.queue) }
    let loss = purpose == .restore ? nil : try loader.loss(found)
    if let loss {
      // The first `init` of a library leaves the rebuild to the run.
      guard purpose == .run || purpose == .initialise && seen == nil else {
        throw .stateLost(library: manifest.library.path)
      }
      try loader.beginRebuilding(loss)
    }
    let interrupted = try finishInterruptedRun(library, found)
    if purpose != .restore, let whole = reading { reading = try countPartials(whole, library, flushing: true) }
    let store = try openStore(library, lock, found == nil ? nil : reading, marker, bootID)
    if loss == nil, purpose != .restore { try loader.endRebuilding() }
    let opened = store.opened
    let journal = JournaledQueue(store, naming: library.rules.naming)
    // A state that is about to be replaced is not updated first.
    if purpose != .restore {
      try putBack(interrupted.stuck, journal)
      try finishInterruptedMoves(library, journal)
      if opened.recovery.isLossy { try apply(journal.decisions.restored(in: journal.queue).map { .item($0) }, journal) }
    }
    var state = OpenedState(queue: journal.queue)
    state.loss = loss
    state.lapse = found?.lapse
    state.decisions = journal.decisions
    // An unmarked library that has lost its state has an empty one by now.
    let isRemembered = found != nil && (seen != nil || loss == nil)
    state.notes = aside + loader.notes(isRemembered ? opened : nil, isRebuilding: loss != nil)
    if !isRemembered { state.notes += opened.recovery.decisionNotes }
    try settlePlays(library, journal, for: purpose, &state)
    if interrupted.finished > 0 { state.notes.append(.removalsFinished(interrupted.finished)) }
    state.isSameBoot = opened.isSameBoot
    state.warnings = try warnings(of: library)
    state.warnings += interrupted.stuck.map { .notRemoved(path: $0.file.path, $0.error) }
    state.cleaned = cleaned
    state.isNew = seen == nil
    state.clockMark = try clockMark(library)
    return OpenLibrary(view: LibraryView(context: context, library: library, state: state), journal: journal)
  }

  /// Checks that this is the right place. Another run may be writing what is read here, so it serves for nothing else.
  private func checkPlace(
    _ before: Library, _ marker: LibraryMarker?, for purpose: OpeningPurpose, _ bootID: String?
  ) throws(JobError) {
    try checkKeys(marker, before) { () throws(JobError) in
      try StateLoader(before, marker, bootID: bootID).read(purpose).flatMap(LoadedQueue.init)?.queue
    }
    guard marker == nil || manifest.library.hasStateElsewhere else { return }
    let known = try StateLoader(before, marker, bootID: bootID).read(purpose).flatMap(LoadedQueue.init)
    if !purpose.namesThePlace { try checkMounted(before, marker, known?.queue) }
    // If the disk is not mounted, the imported state would describe an empty folder.
    if purpose == .restore, marker == nil, manifest.library.requireMount {
      throw .notInitialised(library: manifest.library.path)
    }
    try checkStateFolder(before, known)
  }

  func apply(_ changes: [QueueChange], _ journal: JournaledQueue) throws(JobError) {
    do throws(Failure) { try journal.apply(changes) } catch { throw .failed(error) }
  }

  func clockMark(_ library: Library) throws(JobError) -> Timestamp? {
    guard let folder = library.stateFolder else { return nil }
    do throws(FileError) { return try ClockMark(folder).readIfOurs() } catch { throw .file(error) }
  }

  private func warnings(of library: Library) throws(JobError) -> [Warning] {
    let folder = library.state.root
    do throws(FileError) {
      let privacy = try library.files.makePrivate(folder)
      var warnings: [Warning] = try SharedDisk.warnings(for: library)
      switch privacy {
      case .isPrivate: break
      case .wasReadable: warnings.append(.stateReadableByOthers(path: folder.path))
      case .wasOpen, .isOpen:
        warnings.append(.stateOpenToOthers(path: folder.path, isClosed: privacy == .wasOpen))
      }
      return warnings
    } catch { throw .file(error) }
  }

  /// - Parameter reading: Nil if there is no state yet.
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

  /// Finishes in the folders the work of a killed run, according to its journal. Call this before the journal is put
  /// away.
  private func finishInterruptedRun(
    _ library: Library, _ found: LoadedQueue?
  ) throws(JobError) -> InterruptedRemovals.Outcome {
    do throws(FileError) {
      try UnfinishedFiles(library: library).remove()
      guard let found, !found.recorded.isEmpty,
        try library.files.status(of: library.state.place(.journal)) != nil
      else { return InterruptedRemovals.Outcome() }
      try UnflushedNames(library: library).flush(found)
      return try InterruptedRemovals(library: library, trashKeep: manifest.storage.trashKeep).finish(found)
    } catch { throw .file(error) }
  }

  /// Records that files that could not be removed are still present and belong to their items.
  private func putBack(_ stuck: [InterruptedRemovals.Stuck], _ journal: JournaledQueue) throws(JobError) {
    do throws(Failure) { try journal.complete(stuck.map { ($0.id, $0.file) }, at: now) } catch {
      throw .failed(error)
    }
  }

  /// Counts the bytes of partials written since the machine started. The journal proves that it has not restarted
  /// since, and this opening puts the journal away. The bytes are therefore flushed and counted now.
  /// - Parameter flushing: False if nothing may be changed. The result is then the one that the next opening will
  ///   count.
  private func countPartials(
    _ reading: StateReading, _ library: Library, flushing: Bool
  ) throws(JobError) -> StateReading {
    let items = reading.unflushedPartials
    guard reading.hasRecords, !items.isEmpty, let folder = library.partialsIfPresent else { return reading }
    var (counted, present) = (reading, [String: ByteCount]())
    do throws(FileError) {
      let files = try folder.list()
      for partial in items.compactMap(\.partial) {
        guard let file = files[partial.name], file.size > partial.received else { continue }
        if flushing { try library.files.flush(library.partial(partial.name)) }
        present[partial.name] = file.size
      }
    } catch { throw .file(error) }
    counted.count(present)
    return counted
  }

  /// True if a library without a marker belonged to syncjob once, because it contains a playlist file that syncjob
  /// wrote.
  private func wasOurs(_ library: Library, _ marker: LibraryMarker?) throws(JobError) -> Bool {
    guard marker == nil, library.mediaRoot != nil else { return false }
    do throws(FileError) {
      for format in PlaylistFormat.allCases {
        if try PlaylistFiles(library: library, playlists: manifest.playlists, format: format).hasOwn() { return true }
      }
      return false
    } catch { throw .file(error) }
  }

  /// Call this before the library gets a marker and looks like a new one.
  private func noteOrphanedLibrary(_ library: Library, for purpose: OpeningPurpose) throws(JobError) {
    let marker = try marker(of: library)
    guard purpose != .restore, try wasOurs(library, marker) else { return }
    let loader = StateLoader(library, nil, bootID: nil, wasOurs: true)
    guard let loss = try loader.loss(try loader.read(.run).flatMap(LoadedQueue.init)) else { return }
    guard purpose == .run || purpose == .initialise else { throw .stateLost(library: manifest.library.path) }
    try loader.beginRebuilding(loss)
  }

  func marker(of library: Library) throws(JobError) -> LibraryMarker? {
    guard let root = library.mediaRoot else { return nil }
    do throws(StateError) { return try LibraryMarker.read(library.files, in: root) } catch { throw .state(error) }
  }

  /// Uses the marker to tell the library from the empty directory where its disk should be mounted.
  private func checkMounted(_ library: Library, _ marker: LibraryMarker?, _ queue: Queue?) throws(JobError) {
    guard marker == nil else { return }
    if manifest.library.requireMount { throw .notInitialised(library: manifest.library.path) }
    let finished = queue?.items.count { $0.state.name == .completed } ?? 0
    // A state outside the library was created together with the marker.
    let isKnown = manifest.library.hasStateElsewhere && queue.map { !$0.items.isEmpty } ?? false
    guard finished > 0 || isKnown else { return }
    // If the state inside the library could be read, the library is mounted.
    guard manifest.library.hasStateElsewhere else {
      throw .markLost(library: manifest.library.path, finished: finished)
    }
    throw .notMounted(library: manifest.library.path, finished: finished)
  }

  /// Refuses the library of another manifest, because each would take the other's items for orphans. A manifest that
  /// was only renamed still has its playlists.
  private func checkOwner(_ marker: LibraryMarker?, _ queue: Queue?) throws(JobError) {
    guard let owner = marker?.manifest, owner != manifest.name else { return }
    let own = Set(manifest.playlists.map(\.name))
    let finished = (queue?.items ?? []).filter { $0.state.name == .completed }
    let named = Set(finished.flatMap { $0.memberships.map(\.playlist.declared) })
    guard !named.isEmpty || queue == nil && manifest.library.hasStateElsewhere, named.isDisjoint(with: own) else {
      return
    }
    throw .ofAnotherManifest(library: manifest.library.path, owner: owner, name: manifest.name)
  }

  /// Refuses to start without the state inside the library after the manifest names another state folder. Everything
  /// would be fetched again.
  private func checkStateFolder(_ library: Library, _ opened: LoadedQueue?) throws(JobError) {
    guard opened == nil, manifest.library.hasStateElsewhere, let work = library.workFolder else { return }
    let place = work.place(.queue)
    do throws(FileError) {
      guard try library.files.status(of: place) != nil else { return }
    } catch { throw .file(error) }
    throw .stateElsewhere(found: place.parent.text, wanted: manifest.library.state)
  }

  /// Locks the state folder. If it is outside the library, the library is locked too, because another manifest may have
  /// another state for it. `options.lockWait` is the limit for both together.
  func lock(_ library: Library) async throws(JobError) -> StateLock {
    let stopwatch = Stopwatch()
    guard manifest.library.hasStateElsewhere, let work = library.workFolder else {
      return try await lock(library.state, with: nil, since: stopwatch)
    }
    return try await lock(
      library.state, with: try await lock(work, with: nil, since: stopwatch), since: stopwatch)
  }

  private func lock(
    _ folder: StateFolder, with other: StateLock?, since stopwatch: Stopwatch
  ) async throws(JobError) -> StateLock {
    let wait = max(.zero, options.lockWait - stopwatch.elapsed)
    let holder = StateLock.Holder(pid: getpid(), since: now)
    let path = folder.place(.lock).text
    if Task.isCancelled { throw .interrupted(.terminated) }
    let outcome: StateLock.Outcome
    do throws(FileError) {
      outcome = try await StateLock.acquire(
        folder, as: holder, waiting: wait, with: other,
        sleep: { pause in
          do { try await Task.sleep(for: pause) } catch { return false }
          return true
        },
        waits: { options.onLockWait(LockWait(path: path, holder: $0?.words, wait: wait)) })
    } catch { throw .file(error) }
    switch outcome {
    case .acquired(let lock): return lock
    case .held(let other):
      if Task.isCancelled { throw .interrupted(.terminated) }
      throw .locked(path: path, holder: other?.words, waited: options.lockWait)
    }
  }

  /// Keeps the id of an existing queue.
  private func mark(_ library: Library, as id: String?) throws(JobError) -> LibraryMarker {
    var generator = SystemRandomNumberGenerator()
    let known = try StateLoader(library, nil, bootID: nil).read(.run)?.queue?.libraryID
    var marker =
      (known ?? id).flatMap { LibraryMarker(id: $0, createdAt: now) }
      ?? LibraryMarker(createdAt: now, using: &generator)
    marker.manifest = manifest.name
    do throws(FileError) {
      // The queue file comes first, because a library with a marker but without a queue file has lost its state.
      if known == nil { try QueueStore.found(library.state, libraryID: marker.id, now: now) }
      try marker.create(library.files, in: library.root)
    } catch { throw .file(error) }
    return marker
  }
}

extension StateLock.Holder {
  fileprivate var words: String { "process \(pid), since \(since.rfc3339)" }
}
