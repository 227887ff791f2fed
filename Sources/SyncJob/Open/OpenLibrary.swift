// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// A library that was read, and the contents of its state folder.
struct LibraryView: Sendable {
  let context: JobContext
  let library: Library
  var state: OpenedState
  /// This device and the content keys of licences. Nil if no item needs a licence, or has had one.
  var licenses: LicenseStore?

  var queue: Queue { state.queue }

  /// Nil if the clock can be trusted.
  var clockDoubt: Warning? {
    let (now, latest) = (context.now, state.latestSeen)
    return ClockRule.isPlausible(now, latestSeen: latest) ? nil : .implausibleClock(now: now, latestSeen: latest)
  }

  /// The clock that dates all files that are put into the library or taken out of it.
  var clock: SteadyClock {
    SteadyClock(clock: context.clock, earliest: max(state.latestSeen, ClockRule.earliest))
  }

  /// The bytes on disk that the job owns, and the free space.
  /// - Parameters:
  ///   - queue: the present queue.
  ///   - notOurs: items whose finished file has been replaced by another file.
  func storage(of queue: Queue, notOurs: Set<ItemID>) throws(JobError) -> StorageSummary {
    let observer = LibraryObserver(
      library: library, manifest: context.manifest, trustsPartialLengths: false, now: context.now)
    do throws(FileError) {
      let bytes = try observer.bytes()
      let finished = queue.items.compactMap { notOurs.contains($0.id) ? nil : $0.state.storedFile?.size }.sum()
      return StorageSummary(
        budget: context.manifest.storage.budget, used: finished + bytes.partial + bytes.trash, partial: bytes.partial,
        trash: bytes.trash, trashFiles: bytes.trashFiles, free: bytes.free)
    } catch { throw .file(error) }
  }
}

/// A library that is locked, with a queue that records every change.
struct OpenLibrary: Sendable {
  /// The state as it was when the library was opened.
  var view: LibraryView
  let journal: JournaledQueue

  /// Marks the rebuild as complete. The files that were adopted are durable before.
  func endRebuilding(_ recorder: ReportRecorder) {
    guard !Task.isCancelled, recorder.current.storageFailure == nil else { return }
    do throws(Failure) {
      try journal.sync()
      do throws(FileError) { try view.library.endRebuilding() } catch { throw error.failure }
    } catch { recorder.emit(.storageFailed(error)) }
  }
}

/// The contents of the state folder after opening.
struct OpenedState {
  var queue: Queue
  /// The repairs that were made.
  var notes: [RecoveryNote] = []
  /// The latest time that any run has seen, apart from the times in the queue.
  var clockMark: Timestamp?
  /// Other facts about the place that a person should know.
  var warnings: [Warning] = []
  /// The trash that was deleted because the disk was too full to write at all.
  var cleaned = TrashFolder.Emptied()
  /// True if the machine has not restarted since, so all written bytes are on the disk or in its cache.
  var isSameBoot = false
  /// True if the library was never initialised.
  var isNew = false
  /// The state or a part of it is lost, so this run only adopts the files in the library.
  var loss: StateLoss?
  /// Lines of the journal are lost. The files that they recorded can be found in the library.
  var lapse: StateLoss?
  /// The log of plays with those that `play` has recorded and that are not counted yet. Nil if there are none.
  var playLog: PlayLog?
  /// The decisions of a person. Some may concern items that the queue does not know.
  var decisions = Decisions()

  var allWarnings: [Warning] { warnings + notes.map { .recovered($0) } }

  /// The latest time in the state.
  var latestSeen: Timestamp { max(queue.latestTime, clockMark ?? queue.savedAt) }

  /// Defects in the state, for commands that only inspect it.
  var damage: [Warning] { notes.filter(\.isDoubt).map { .recovered($0) } }
}
