// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// The plan that a run may carry out: any, or only the one that was saved. A saved plan is compared with the state, the
/// library and the new plan, each as soon as it is known.
struct RunMode {
  /// The time by which the clocks of two commands may differ.
  private static let tolerance = Duration.minutes(5)

  private let context: JobContext
  private let saved: SavedPlanRequest?

  init(_ context: JobContext) {
    self.context = context
    saved = context.options.savedPlan
  }

  /// The new items that the sources are searched for. Nil for all.
  var considered: Set<ItemID>? { saved?.plan.record.considered }

  /// The time for which the plan is made. If the clock cannot be trusted, nothing may become younger than it was for an
  /// earlier run and be fetched again.
  func time(_ view: LibraryView) -> Timestamp {
    saved?.plan.generatedAt ?? (view.clockDoubt == nil ? context.now : view.clock.now())
  }

  /// Checks before anything is opened: a library other than the one that was planned for is not even marked.
  func checkBeforeOpening() throws(JobError) {
    guard let saved else { return }
    if let reason = saved.plan.refusal { throw .refusedPlan(path: saved.path, reason: reason) }
    let view = try LibraryOpener(context).look(for: .run)
    // If the clock is behind, a plan is made for the latest time that the library has seen.
    let now = view.clockDoubt == nil ? context.now : view.clock.now()
    guard saved.plan.generatedAt <= now + Self.tolerance else {
      throw saved.stale(.fromTheFuture(saved.plan.generatedAt))
    }
    guard view.state.loss == nil else { throw .stateLost(library: context.manifest.library.path) }
    // A library that was made since then has an empty queue, or one that the plan did not know.
    guard let id = saved.plan.record.basis.libraryID else { return }
    guard view.queue.libraryIDIfAny == id else { throw saved.stale(.anotherLibrary) }
  }

  /// Compares the queue, including the plays that the manifest's histories hold by now.
  func check(_ view: LibraryView) throws(JobError) {
    guard let saved else { return }
    guard try view.withImportedPlays().queue.digest == saved.plan.record.basis.queue else { throw saved.stale(.queue) }
  }

  func check(_ seen: LibraryObservation) throws(JobError) {
    guard let saved else { return }
    guard seen.digest == saved.plan.record.basis.library else { throw saved.stale(.library) }
  }

  /// Compares the plan with a new one. The same rules and facts give the same plan, unless a source, the free space or
  /// the clock has changed.
  func accept(_ plan: Plan, _ view: LibraryView, _ resolution: Resolution) throws(JobError) {
    guard let saved, let difference = saved.plan.outline.difference(to: PlanOutline(plan)) else { return }
    if let doubt = view.clockDoubt { throw .clockDoubted(doubt) }
    let unread = resolution.playlists.compactMap(\.reading?.unread).sorted { $0.playlist < $1.playlist }
    throw saved.stale(unread.isEmpty ? .difference(difference) : .unread(unread, difference))
  }
}

extension SavedPlanRequest {
  fileprivate func stale(_ reason: PlanStaleness) -> JobError { .stalePlan(path: path, reason) }
}

extension SourceReading {
  /// Nil when the source was read completely.
  fileprivate var unread: UnreadSource? {
    guard case .partial(let problem) = listing.completeness else { return nil }
    return UnreadSource(playlist: playlist, problem: problem)
  }
}

extension Queue {
  var libraryIDIfAny: String? { libraryID.isEmpty ? nil : libraryID }

  /// A digest of the sources and items, wherever they are recorded: in the queue file, in its journal or, for recent
  /// plays, in a history file. Their times of writing are excluded.
  var digest: SHA256Digest {
    let dateless = items.map { item in
      var item = item
      item.updatedAt = item.queuedAt
      return item
    }
    let contents = Queue(
      libraryID: "", savedAt: Timestamp(secondsSince1970: 0), sources: sources, items: dateless,
      unknownFields: unknownFields)
    return SHA256Digest(of: QueueFile.encode(contents))
  }
}

/// A run that finds everything as it was when a run found nothing to do. It only checks that the manifest, the queue,
/// the disk and the clock are unchanged. Its manifest needs no playlists.
package struct UpToDateRun: Sendable {
  /// The events, for a caller that follows the run.
  package let events: [RunEvent]
  package let report: RunReport

  /// - Parameter inputs: a digest of everything that the program was given.
  /// - Returns: nil when anything differs or cannot be checked: then a full run is needed, which reports the reason.
  package static func perform(_ inputs: SHA256Digest, in context: JobContext) async throws(JobError) -> UpToDateRun? {
    let library = try Library.look(context.manifest.library, context.files)
    guard library.stateFolder != nil, library.mediaRoot != nil,
      let reader = found(library), reader.fingerprint.inputs == inputs,
      reader.fingerprint.histories == SHA256Digest(of: context.manifest.history.fingerprint.utf8)
    else { return nil }
    let lock = try await LibraryOpener(context).lock(library)
    let run = whileLocked(library, reader, context)
    do throws(FileError) { try lock.release() } catch { return nil }
    return run
  }

  /// A problem with a cache is ignored: the full run needs no cache.
  private static func found(_ library: Library) -> RunFingerprintReader? {
    do throws(FileError) { return try RunFingerprintStore(library: library).read() } catch { return nil }
  }

  private static func whileLocked(
    _ library: Library, _ reader: RunFingerprintReader, _ context: JobContext
  ) -> UpToDateRun? {
    let (manifest, now) = (context.manifest, context.now)
    let recorder = ReportRecorder(context)
    let check = UpToDateCheck(library: library, minimumFree: manifest.storage.minFree, now: now)
    // The full run meets the same problem and reports it.
    do throws(FileError) {
      guard let free = try check.freeSpaceIfNothingChanged(reader) else { return nil }
      let (budget, used) = (manifest.storage.budget, reader.fingerprint.used)
      let plan = Plan(reader.fingerprint, budget: budget, free: free, now: now)
      recorder.emit(.planned(plan))
      let report = recorder.close(
        at: context.now, storage: StorageSummary(budget: budget, used: used, partial: .zero, trash: .zero, free: free),
        interruption: nil)
      let files = ReportFiles(library, context)
      // A time given by `--now` is not a time that was seen.
      if context.options.now == nil { try ClockMark(library.state).advance(to: context.now) }
      try files.writeCopy(report)
      try files.write(report)
      return UpToDateRun(events: [.began(runID: report.runID, name: report.name), .planned(plan)], report: report)
    } catch { return nil }
  }
}

/// The fingerprint that a run leaves if it has nothing to do, for the `UpToDateRun` that comes next.
struct UpToDateRecord: Sendable {
  private let context: JobContext
  /// Shows whether the histories changed. Taken before they are read.
  private let histories: SHA256Digest
  /// The empty plan of the run. Nil for any other plan.
  private var draft: (inputs: SHA256Digest, unchanged: Int)?

  init(_ context: JobContext) {
    self.context = context
    histories = SHA256Digest(of: context.manifest.history.fingerprint.utf8)
  }

  /// - Parameter view: must have no notes, so that a repair is reported again if the damage comes back.
  mutating func expect(_ plan: Plan, _ view: LibraryView) {
    let (manifest, options) = (context.manifest, context.options)
    guard let inputs = options.inputs, options.scope == nil, options.plan.mayDownload,
      options.plan.mayEvict == manifest.features.eviction, plan.isUpToDate, view.state.notes.isEmpty,
      !manifest.playlists.contains(where: \.isListing), manifest.historyServers.isEmpty,
      // The page and the metrics are about the items, too.
      manifest.report.html == nil, manifest.report.metrics == nil,
      manifest.hooks.run == nil,
      // Licences end by the clock, and so do the items that playlists drop.
      !manifest.playlists.contains(where: \.retain.drops), view.licenses == nil
    else {
      draft = nil
      return
    }
    draft = (inputs, plan.count(.keep))
  }

  /// Writes the fingerprint, or deletes an earlier one. A problem is ignored: it is a cache. Call this while the lock is
  /// held, because the facts may change as soon as it is released.
  func save(_ library: Library, _ queue: Queue, _ report: RunReport) {
    let store = RunFingerprintStore(library: library)
    do throws(FileError) {
      guard let draft, report.status == .ok, report.warnings.isEmpty, let used = report.storage?.used,
        let digest = try SHA256Digest(of: library.state.place(.queue), in: library.files)
      else { return try store.remove() }
      let fingerprint = RunFingerprint(
        inputs: draft.inputs, histories: histories, queue: digest, libraryID: queue.libraryID,
        madeAt: context.now, unchanged: draft.unchanged, used: used, playlistFiles: try playlistFiles(library))
      try store.write(
        fingerprint, files: queue.items.compactMap { item in item.state.storedFile.map { ($0.path, $0.size) } })
    } catch { return }
  }

  private func playlistFiles(_ library: Library) throws(FileError) -> [String: SHA256Digest] {
    let formats = context.manifest.report.playlistFormats
    guard !formats.isEmpty else { return [:] }
    var digests: [String: SHA256Digest] = [:]
    let entries = try library.files.list(FilePlace(library.root)) { name in
      formats.contains { name.hasSuffix(".\($0.rawValue)") }
    }
    for entry in entries where entry.isNameExact && entry.status.kind == .file {
      guard let place = FilePlace(library.root).child(entry.name) else { continue }
      digests[entry.name] = try SHA256Digest(of: place, in: library.files)
    }
    return digests
  }
}

extension Manifest {
  /// True if the other manifest has the same settings, whatever their playlists.
  package func hasSettings(of other: Manifest) -> Bool {
    func text(_ manifest: Manifest) -> String {
      var settings = manifest
      settings.playlists = []
      return EffectiveManifest.text(settings)
    }
    return text(self) == text(other)
  }
}
