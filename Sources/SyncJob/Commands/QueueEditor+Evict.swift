// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

extension QueueRehearsal {
  /// The result that `QueueEditor.evict` would have.
  package static func evict(_ goal: RoomGoal, _ context: JobContext) throws(JobError) -> EvictResult {
    let view = try LibraryOpener(context).look()
    if let doubt = view.clockDoubt { throw .clockDoubted(doubt) }
    return EvictResult(try context.manifest.eviction(goal, in: view.library, view.queue, now: context.now), nil)
  }
}

extension QueueEditor {
  /// Evicts files to make room and does nothing else.
  /// - Parameter emit: called for each file as soon as it is gone.
  package func evict(
    _ goal: RoomGoal, now: Timestamp, emitting emit: @escaping @Sendable (RunEvent) -> Void
  ) throws(JobError) -> (room: EvictResult, warnings: [Warning]) {
    if let clockDoubt { throw .clockDoubted(clockDoubt) }
    let eviction = try manifest.eviction(goal, in: library, journal.queue, now: now)
    let recorder = ReportRecorder(opened.view.context)
    recorder.emit(.planned(eviction.plan))
    if eviction.needed > .zero {
      var executor = Executor(
        plan: eviction.plan, manifest: manifest, library: library, journal: journal, clock: clock,
        emit: { event in
          recorder.emit(event)
          emit(event)
        })
      _ = executor.beforeFetching()
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
