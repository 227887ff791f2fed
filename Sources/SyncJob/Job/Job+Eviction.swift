// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

extension Job {
  /// The result that `QueueEditor.evict` would have.
  package func rehearseEviction(_ goal: RoomGoal) throws(JobError) -> EvictResult {
    let (library, opened) = try look()
    if let doubt = clockDoubt(opened) { throw .clockDoubted(doubt) }
    return EvictResult(try manifest.eviction(goal, in: library, opened.queue, now: now), nil)
  }
}

extension QueueEditor {
  /// Evicts files to make room and does nothing else.
  /// - Parameter tell: called for each file as soon as it is gone.
  package func evict(
    _ goal: RoomGoal, now: Timestamp, emitting emit: @escaping @Sendable (RunEvent) -> Void
  ) throws(JobError) -> (room: EvictResult, warnings: [Warning]) {
    if let clockDoubt { throw .clockDoubted(clockDoubt) }
    let eviction = try manifest.eviction(goal, in: library, ledger.queue, now: now)
    let recorder = ReportRecorder(name: manifest.name, startedAt: now)
    recorder.emit(.planned(eviction.plan))
    if eviction.needed > .zero {
      var action = PlanAction(
        plan: eviction.plan, manifest: manifest, library: library, ledger: ledger, clock: clock,
        emit: { event in
          recorder.emit(event)
          emit(event)
        })
      _ = action.beforeFetching()
      if let failure = recorder.current.storageFailure { throw .failed(failure) }
    }
    return (EvictResult(eviction, recorder.current), recorder.current.warnings)
  }
}

extension Manifest {
  fileprivate func eviction(
    _ goal: RoomGoal, in library: Library, _ queue: Queue, now: Timestamp
  ) throws(JobError) -> EvictionPlan {
    let observer = LibraryObserver(library: library, manifest: self, trustsPartialLengths: false, now: now)
    do throws(FileError) {
      let seen = try observer.observe(queue, desired: DesiredState())
      return EvictionPlan(goal, queue: queue, seen: seen, manifest: self, now: now)
    } catch { throw .file(error) }
  }
}
