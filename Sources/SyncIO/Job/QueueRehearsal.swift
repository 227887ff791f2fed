// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// The queue as edits would leave it: nothing is locked, and nothing is written.
package struct QueueRehearsal: QueueView {
  package private(set) var queue: Queue
  package let copies: SourceCopyReading
  /// What was out of order when it was read.
  package let warnings: [Warning]

  /// As `QueueEditor.apply`, on paper.
  package mutating func apply(_ edit: QueueEdit, to ids: [ItemID], now: Timestamp) {
    let passedOver = edit == .pin ? passedOver(ids, now: now) : [:]
    for id in ids {
      guard let item = queue[id] ?? passedOver[id] else { continue }
      do throws(QueueEdit.Refusal) { queue[id] = try edit.applied(to: item, now: now) ?? item } catch { continue }
    }
  }

  /// Finished items whose files `QueueEditor.remove` would leave alone: they are not what was fetched.
  package func notOurs(now: Timestamp) throws(JobError) -> Set<ItemID> {
    let observer = LibraryObserver(
      library: copies.library, manifest: copies.manifest, trustsPartialLengths: false, now: now)
    do throws(FileError) { return try observer.changedByOthers(queue) } catch { throw .file(error) }
  }
}

extension Job {
  /// For edits on paper.
  package func rehearseEdit() throws(JobError) -> QueueRehearsal {
    let (library, opened) = try look()
    return QueueRehearsal(
      queue: opened.queue,
      copies: SourceCopyReading(library: library, manifest: manifest, clockDoubt: clockDoubt(opened)),
      warnings: opened.allWarnings)
  }

  /// What `QueueEditor.undo` would bring back.
  package func rehearseUndo() throws(JobError) -> Undoing {
    let (library, opened) = try look()
    do throws(FileError) {
      return try Restorer(
        library: library, queue: opened.queue, trashKeep: manifest.storage.trashKeep, now: steadyClock(opened).now(),
        isRehearsal: true
      ).restore()
    } catch { throw .file(error) }
  }

  /// What `initialise` would make of the library.
  package func rehearseInitialisation() throws(JobError) -> Initialisation {
    let (library, opened) = try look(for: .initialise)
    guard !opened.isNew else { return .made }
    guard let owner = try marker(of: library)?.manifest, owner != manifest.name else { return .known }
    return .takenOver(from: owner)
  }

  /// What `importState` would do, or why it would refuse.
  package func rehearseImport(
    _ reading: StateExport.Reading, isReplacing: Bool
  ) throws(JobError) -> ImportedState {
    let (library, opened) = try look(for: .restore)
    if !isReplacing { try checkImport(reading.export, into: opened.queue) }
    let (queue, contradicted) = reading.believed(by: library)
    return ImportedState(reading, queue, replacing: opened.queue, contradicted: contradicted)
  }

  /// The plan of an order, which is refused as `run` would refuse it.
  package func planOrder() async throws(JobError) -> Plan {
    try checkOrder()
    let (library, opened) = try look(for: .run)
    try options.order?.check(try heard(opened, library).queue)
    return try await plan()
  }
}
