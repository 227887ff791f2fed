// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats

/// What was found in the state folder.
struct OpenedState {
  var queue: Queue
  /// What was repaired on the way.
  var notes: [RecoveryNote] = []
  /// The latest time that any run has seen, beyond what the queue tells.
  var clockMark: Timestamp?
  /// What else a person should know of the place.
  var warnings: [Warning] = []
  /// The trash that went because the disk was too full to write at all.
  var cleaned = TrashFolder.Cleaning()
  /// The machine was not down since: what was written is on the disk or in its cache.
  var isSameBoot = false
  /// The library was never initialised.
  var isNew = false
  /// The memory, or a part of it, is lost: this run only takes over what is in the library.
  var loss: MemoryLoss?
  /// Lines of the journal are lost: what they said of files can be seen in the library.
  var lapse: MemoryLoss?
  /// What a person decided, some of it about items that the queue does not know.
  var decisions = Decisions()

  var allWarnings: [Warning] { warnings + notes.map { .recovered($0) } }

  /// The latest moment that the memory tells of.
  var latestSeen: Timestamp { max(queue.latestTime, clockMark ?? queue.savedAt) }

  /// What is out of order in the memory, for whoever only looks at it.
  var damage: [Warning] { notes.filter(\.isDoubt).map { .recovered($0) } }
}

/// What a library is opened for.
enum OpeningPurpose {
  /// A run, which can make up for a lost memory.
  case run
  /// Anything else, which would go by a memory that is not there.
  case edit
  /// As `edit`, to move files back into the library: no disk is too full for that.
  case undo
  /// As `edit`; the user says that this is the place.
  case initialise
  /// To put another memory into the place of the one that is there, whatever is left of that.
  case restore

  fileprivate var namesThePlace: Bool { self == .initialise || self == .restore }
}

extension Job {
  /// Opens the library for looking only: nothing is created, nothing is locked.
  func look(for purpose: OpeningPurpose = .edit) throws(JobError) -> (Library, OpenedState) {
    let library = try Library.look(manifest.library, files)
    let marker = try marker(of: library)
    let memory = MemoryReading(library, marker, bootID: BootID.current(files), wasOurs: try wasOurs(library, marker))
    var reading = try memory.read(purpose)
    if let whole = reading { reading = try countPartials(whole, library, flushing: false) }
    let opened = reading.flatMap(OpenedQueue.init)
    try checkMemory(library, opened)
    if !purpose.namesThePlace {
      try checkMounted(library, marker, opened?.queue)
      try checkOwner(marker, opened?.queue)
    }
    var queue = opened?.queue ?? Queue(libraryID: marker?.id ?? "", savedAt: now)
    do throws(FileError) {
      let moved = try InterruptedMoves(library: library).settled(queue)
      for item in try moved + InterruptedUpgrades(library: library).settled(queue) { queue[item.id] = item }
    } catch { throw .file(error) }
    var state = OpenedState(queue: queue)
    state.loss = try memory.loss(opened)
    state.lapse = opened?.lapse
    // Whoever looks at what is left would take it for all there is.
    guard purpose != .edit || state.loss == nil else { throw .memoryLost(library: manifest.library.path) }
    state.notes = memory.notes(opened, takesStock: state.loss != nil)
    if opened?.isInterrupted ?? false, let run = try runUnderWay(library) {
      // What looks like a run that broke off goes on.
      state.notes = []
      if purpose == .run { state.warnings = [.runUnderWay(holder: run.holder?.words)] }
    }
    try seeDecisions(library, opened, &state)
    state.isSameBoot = opened?.isSameBoot ?? false
    state.isNew = marker == nil
    state.clockMark = try clockMark(library)
    return (library, state)
  }

  private func runUnderWay(_ library: Library) throws(JobError) -> StateLock.Look? {
    do throws(FileError) { return try library.stateFolder.flatMap(StateLock.look) } catch { throw .file(error) }
  }

  /// Opens the library to change it: locked, marked, recovered. Nothing is created where a disk should be mounted.
  /// - Parameter id: of the library that an unmarked one becomes; nil: one like no other.
  func open(
    for purpose: OpeningPurpose, markingAs id: String? = nil
  ) async throws(JobError) -> (Library, OpenedState, Ledger) {
    let bootID = BootID.current(files)
    let before = try Library.look(manifest.library, files)
    let seen = try marker(of: before)
    // What is read here may be another run's in the making; it is only to tell whether this is the place.
    if seen == nil || manifest.library.hasStateElsewhere {
      let known = try MemoryReading(before, seen, bootID: bootID).read(purpose).flatMap(OpenedQueue.init)
      if !purpose.namesThePlace { try checkMounted(before, seen, known?.queue) }
      // A memory that is put into the empty folder of a disk that is not there would be one of nothing.
      if purpose == .restore, seen == nil, manifest.library.requireMount {
        throw .notInitialised(library: manifest.library.path)
      }
      try checkMemory(before, known)
    }
    let library = try Library.open(manifest.library, files)
    let lock = try await lock(library)
    let cleaned = try prepare(library, for: purpose, bootID)
    try noteOrphanedLibrary(library, for: purpose)
    let marker = if let known = try self.marker(of: library) { known } else { try mark(library, as: id) }
    let memory = MemoryReading(library, marker, bootID: bootID)
    var reading = try memory.read(purpose)
    let found = reading.flatMap(OpenedQueue.init)
    if !purpose.namesThePlace { try checkOwner(marker, found?.queue) }
    let loss = purpose == .restore ? nil : try memory.loss(found)
    if let loss {
      // The first `init` of a library leaves what is to be made up for to the run.
      guard purpose == .run || purpose == .initialise && seen == nil else {
        throw .memoryLost(library: manifest.library.path)
      }
      try memory.beginRebuilding(loss)
    }
    let interrupted = try settleInterruptedRun(library, found)
    if purpose != .restore, let whole = reading { reading = try countPartials(whole, library, flushing: true) }
    let store = try openStore(library, lock, found == nil ? nil : reading, marker, bootID)
    if loss == nil, purpose != .restore { try memory.endRebuilding() }
    let opened = store.opened
    let ledger = Ledger(store, naming: library.rules.naming)
    // What is about to be replaced is not brought up to date first.
    if purpose != .restore {
      try putBack(interrupted.stuck, ledger)
      try settleMoves(library, ledger)
      if opened.recovery.isLossy { try apply(ledger.decisions.restored(in: ledger.queue).map { .item($0) }, ledger) }
    }
    var state = OpenedState(queue: ledger.queue)
    state.loss = loss
    state.lapse = found?.lapse
    state.decisions = ledger.decisions
    // An unmarked library that has lost its memory has an empty one by now.
    let isRemembered = found != nil && (seen != nil || loss == nil)
    state.notes = memory.notes(isRemembered ? opened : nil, takesStock: loss != nil)
    if !isRemembered { state.notes += opened.recovery.decisionNotes }
    if interrupted.finished > 0 { state.notes.append(.removalsFinished(interrupted.finished)) }
    state.isSameBoot = opened.isSameBoot
    state.warnings = try warnings(of: library)
    state.warnings += interrupted.stuck.map { .notRemoved(path: $0.file.path, $0.error) }
    state.cleaned = cleaned
    state.isNew = seen == nil
    state.clockMark = try clockMark(library)
    return (library, state, ledger)
  }

  func apply(_ changes: [QueueChange], _ ledger: Ledger) throws(JobError) {
    do throws(Failure) { try ledger.apply(changes) } catch { throw .failed(error) }
  }

  private func clockMark(_ library: Library) throws(JobError) -> Timestamp? {
    guard let folder = library.stateFolder else { return nil }
    do throws(FileError) { return try ClockMark(folder).read() } catch { throw .file(error) }
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
  private func settleInterruptedRun(
    _ library: Library, _ found: OpenedQueue?
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

  /// What may not be removed is still there, and the item's.
  private func putBack(_ stuck: [InterruptedRemovals.Stuck], _ ledger: Ledger) throws(JobError) {
    do throws(Failure) { try ledger.record(stuck.map { ($0.id, .completed($0.file)) }, at: now) } catch {
      throw .failed(error)
    }
  }

  /// The journal tells that the machine was not down since partials were written, and this opening puts it away: what they
  /// have is flushed and counted now.
  /// - Parameter flushing: false where nothing may be changed: who only looks sees what the next opening will count.
  private func countPartials(
    _ reading: StateReading, _ library: Library, flushing: Bool
  ) throws(JobError) -> StateReading {
    let items = reading.unflushedPartials
    guard reading.hasRecords, !items.isEmpty, let folder = library.workFolder?.partials else { return reading }
    var (counted, present) = (reading, [String: ByteCount]())
    do throws(FileError) {
      let files = try folder.list()
      for partial in items.compactMap(\.transfer.partial) {
        guard let file = files[partial.name], file.size > partial.received else { continue }
        if flushing { try library.files.flush(library.partial(partial.name)) }
        present[partial.name] = file.size
      }
    } catch { throw .file(error) }
    counted.count(present)
    return counted
  }

  /// Trouble with writing is said before any request is made. A disk that is full may owe that to the trash, which is the
  /// first thing to go when a run needs room; a command needs none of its own, and an order rests on what is there.
  private func prepare(
    _ library: Library, for purpose: OpeningPurpose, _ bootID: String?
  ) throws(JobError) -> TrashFolder.Cleaning {
    guard purpose != .undo else { return TrashFolder.Cleaning() }
    do throws(FileError) {
      try library.prepare()
      return TrashFolder.Cleaning()
    } catch {
      guard purpose == .run, options.order == nil, error.isStorageFull, try !isClockDoubtful(library, bootID) else {
        throw .file(error)
      }
      return try makeWritable(library, lacking: error)
    }
  }

  private func makeWritable(_ library: Library, lacking: FileError) throws(JobError) -> TrashFolder.Cleaning {
    do throws(FileError) {
      guard try library.sharesDiskWithTrash(lacking) else { throw lacking }
      let cleaned = try library.trash.empty()
      guard cleaned.files > 0 else { throw lacking }
      try library.prepare()
      return cleaned
    } catch { throw .file(error) }
  }

  private func isClockDoubtful(_ library: Library, _ bootID: String?) throws(JobError) -> Bool {
    let memory = MemoryReading(library, try marker(of: library), bootID: bootID)
    var seen = OpenedState(
      queue: try memory.read(.run)?.queue ?? Queue(libraryID: "", savedAt: Timestamp(secondsSince1970: 0)))
    seen.clockMark = try clockMark(library)
    return clockDoubt(seen) != nil
  }

  /// Whether an unmarked library was ours once: a list of ours lies in it.
  private func wasOurs(_ library: Library, _ marker: LibraryMarker?) throws(JobError) -> Bool {
    guard marker == nil, library.mediaRoot != nil else { return false }
    do throws(FileError) { return try PlaylistFiles(library: library, manifest: manifest).hasOwn() } catch {
      throw .file(error)
    }
  }

  /// Before it is marked, and looks like a new one from then on.
  private func noteOrphanedLibrary(_ library: Library, for purpose: OpeningPurpose) throws(JobError) {
    let marker = try marker(of: library)
    guard purpose != .restore, try wasOurs(library, marker) else { return }
    let memory = MemoryReading(library, nil, bootID: nil, wasOurs: true)
    guard let loss = try memory.loss(try memory.read(.run).flatMap(OpenedQueue.init)) else { return }
    guard purpose == .run || purpose == .initialise else { throw .memoryLost(library: manifest.library.path) }
    try memory.beginRebuilding(loss)
  }

  func marker(of library: Library) throws(JobError) -> LibraryMarker? {
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
    guard finished > 0 || isKnown else { return }
    // Who has read the memory in the library has the library.
    guard manifest.library.hasStateElsewhere else {
      throw .markLost(library: manifest.library.path, finished: finished)
    }
    throw .notMounted(library: manifest.library.path, finished: finished)
  }

  /// Two manifests with one library would take each other's items for orphans. A manifest that was only given another name
  /// has its playlists still.
  private func checkOwner(_ marker: LibraryMarker?, _ queue: Queue?) throws(JobError) {
    guard let owner = marker?.manifest, owner != manifest.name else { return }
    let own = Set(manifest.playlists.map(\.name))
    let finished = (queue?.items ?? []).filter { $0.state.name == .completed }
    let named = Set(finished.flatMap { $0.memberships.map(\.playlist) })
    guard !named.isEmpty || queue == nil && manifest.library.hasStateElsewhere, named.isDisjoint(with: own) else {
      return
    }
    throw .ofAnotherManifest(library: manifest.library.path, owner: owner, name: manifest.name)
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

  /// Where the memory lies elsewhere, the library itself is locked, too: another manifest may have another memory of it.
  /// Both together are waited for as long as was asked.
  func lock(_ library: Library) async throws(JobError) -> StateLock {
    let deadline = ContinuousClock.now + options.lockWait
    guard manifest.library.hasStateElsewhere, let work = library.workFolder else {
      return try await lock(library.state, with: nil, until: deadline)
    }
    return try await lock(
      library.state, with: try await lock(work, with: nil, until: deadline), until: deadline)
  }

  private func lock(
    _ folder: StateFolder, with other: StateLock?, until deadline: ContinuousClock.Instant
  ) async throws(JobError) -> StateLock {
    let wait = max(.zero, deadline - .now)
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
        waits: { options.tellWaiting(LockWait(path: path, holder: $0?.words, wait: wait)) })
    } catch { throw .file(error) }
    switch outcome {
    case .acquired(let lock): return lock
    case .held(let other):
      if Task.isCancelled { throw .interrupted(.terminated) }
      throw .locked(path: path, holder: other?.words, waited: options.lockWait)
    }
  }

  /// The id of a queue that is there already goes on.
  private func mark(_ library: Library, as id: String?) throws(JobError) -> LibraryMarker {
    var generator = SystemRandomNumberGenerator()
    let known = try MemoryReading(library, nil, bootID: nil).read(.run)?.queue?.libraryID
    var marker =
      (known ?? id).flatMap { LibraryMarker(id: $0, createdAt: now) }
      ?? LibraryMarker(createdAt: now, using: &generator)
    marker.manifest = manifest.name
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
