// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

extension Job {
  /// The same as `plan`, with a record that shows later whether the plan still holds.
  /// - Parameter inputs: everything that the program was given.
  package func plan(recording inputs: PlanInputs) async throws(JobError) -> (plan: Plan, record: PlanRecord) {
    let (preparation, opened) = try await rehearse(namesAll: true)
    guard let seen = preparation.seen else { throw .stateLost(library: manifest.library.path) }
    let basis = PlanBasis(
      inputs: inputs, options: options.plan, scope: options.scope, libraryID: opened.queue.libraryIDIfAny,
      queue: opened.queue.digest, library: seen.digest)
    let unknown = preparation.desired.items.lazy.map(\.item.id).filter { opened.queue[$0] == nil }
    return (preparation.plan, PlanRecord(basis: basis, considered: Set(unknown).union(preparation.desired.unlistedIDs)))
  }

  /// Checks an order before anything is opened: a library other than the one that was planned for is not even marked.
  func checkSavedPlan() throws(JobError) {
    guard let order = options.savedPlan else { return }
    if let reason = order.plan.refusal { throw .refusedPlan(path: order.path, reason: reason) }
    let opened = try look(for: .run).1
    // If the clock is behind, a plan is made for the latest time that the library has seen.
    let now = clockDoubt(opened) == nil ? now : steadyClock(opened).now()
    guard order.plan.generatedAt <= now + SavedPlanRequest.tolerance else {
      throw order.stale(.fromTheFuture(order.plan.generatedAt))
    }
    guard opened.loss == nil else { throw .stateLost(library: manifest.library.path) }
    // A library that was made since then has an empty queue, or one that the plan did not know.
    guard let id = order.plan.record.basis.libraryID else { return }
    guard opened.queue.libraryIDIfAny == id else { throw order.stale(.anotherLibrary) }
  }
}

extension SavedPlanRequest {
  /// The time by which the clocks of two commands may differ.
  static let tolerance = Duration.minutes(5)

  func stale(_ reason: PlanStaleness) -> JobError { .stalePlan(path: path, reason) }

  /// - Parameter queue: the queue as read under the lock.
  func check(_ queue: Queue) throws(JobError) {
    guard queue.digest == plan.record.basis.queue else { throw stale(.queue) }
  }

  func check(_ seen: LibraryObservation) throws(JobError) {
    guard seen.digest == plan.record.basis.library else { throw stale(.library) }
  }

  /// Compares the plan with a new one. The same rules and facts give the same plan, unless a source, the free space or
  /// the clock has changed.
  /// - Parameters:
  ///   - clockDoubt: the reason why nothing may be judged by its age now.
  ///   - unread: the sources that could not be read completely.
  func check(_ anew: Plan, clockDoubt: Warning?, _ unread: [UnreadSource]) throws(JobError) {
    guard let difference = plan.outline.difference(to: PlanOutline(anew)) else { return }
    if let clockDoubt { throw .clockDoubted(clockDoubt) }
    let unread = unread.sorted { $0.playlist < $1.playlist }
    throw stale(unread.isEmpty ? .difference(difference) : .unread(unread, difference))
  }
}

extension SourceReading {
  /// Nil when the source was read completely.
  var unread: UnreadSource? {
    guard case .partial(let problem) = feed.completeness else { return nil }
    return UnreadSource(playlist: playlist, problem: problem)
  }
}

extension Queue {
  fileprivate var libraryIDIfAny: String? { libraryID.isEmpty ? nil : libraryID }

  /// A digest of the sources and items, wherever they are recorded: in the queue file, in its journal or, for recent
  /// plays, in a history file. Their times of writing are excluded.
  fileprivate var digest: SHA256Digest {
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
