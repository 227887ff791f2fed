// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
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
