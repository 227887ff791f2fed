// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// The queue as edits would leave it. Nothing is locked and nothing is written.
package struct QueueRehearsal: QueueView {
  package private(set) var queue: Queue
  package let copies: SourceCopyReading
  /// The defects found when it was read.
  package let warnings: [Warning]

  /// As `QueueEditor.apply`, without changing the library.
  package mutating func apply(_ edit: QueueEdit, to ids: [ItemID], now: Timestamp) {
    let passedOver = edit == .pin ? passedOver(ids, now: now) : [:]
    for id in ids {
      guard let item = queue[id] ?? passedOver[id] else { continue }
      do throws(QueueEdit.Refusal) { queue[id] = try edit.applied(to: item, now: now) ?? item } catch { continue }
    }
  }

  /// The files that `QueueEditor.remove` would keep, with the reasons that can be seen without trying.
  package func kept(_ items: [QueueItem], now: Timestamp) throws(JobError) -> [ItemID: KeptFile] {
    guard let root = copies.library.mediaRoot else { return [:] }
    let trashKeep = copies.manifest.storage.trashKeep
    let removal = FileRemoval(library: copies.library, trashKeep: trashKeep, now: now)
    var kept: [ItemID: KeptFile] = [:]
    do throws(FileError) {
      var ways = try FolderWays(below: root, copies.library.files)
      for item in items {
        guard let file = item.state.storedFile else { continue }
        kept[item.id] = try reasonToKeep(file, removal, &ways)
      }
    } catch { throw .file(error) }
    return kept
  }

  private func reasonToKeep(
    _ file: StoredFile, _ removal: FileRemoval, _ ways: inout FolderWays
  ) throws(FileError) -> KeptFile? {
    do throws(FileError) {
      switch try removal.look(at: file) {
      case .notOurs: return .notOurs(file.path)
      case .missing: return nil
      case .taken: break
      }
    } catch {
      guard error.isOfOneFile else { throw error }
      return .refused(file.path, error)
    }
    guard removal.trashKeep > .zero else { return nil }
    return try ways.obstacle(toTrashing: file.path).map { .refused(file.path, $0) }
  }
}

extension Job {
  /// Opens the queue to rehearse edits.
  package func rehearseEdit() throws(JobError) -> QueueRehearsal {
    let (library, opened) = try look()
    return QueueRehearsal(
      queue: opened.queue,
      copies: SourceCopyReading(library: library, manifest: manifest, clockDoubt: clockDoubt(opened)),
      warnings: opened.allWarnings)
  }

  /// The files that `QueueEditor.undo` would restore.
  package func rehearseUndo() throws(JobError) -> UndoResult {
    let (library, opened) = try look()
    do throws(FileError) {
      return try Restorer(
        library: library, queue: opened.queue, trashKeep: manifest.storage.trashKeep, now: steadyClock(opened).now(),
        isRehearsal: true
      ).restore()
    } catch { throw .file(error) }
  }

  /// The result that `initialise` would have for the library.
  package func rehearseInitialisation() throws(JobError) -> Initialisation {
    let (library, opened) = try look(for: .initialise)
    guard !opened.isNew else { return .made }
    guard let owner = try marker(of: library)?.manifest, owner != manifest.name else { return .known }
    return .takenOver(from: owner)
  }

  /// The result of `importState`, or the error that it would throw.
  package func rehearseImport(
    _ reading: StateExport.Reading, isReplacing: Bool
  ) throws(JobError) -> ImportedState {
    let (library, opened) = try look(for: .restore)
    if !isReplacing { try checkImport(reading.export, into: opened.queue) }
    let (queue, contradicted) = reading.believed(by: library)
    return ImportedState(reading, queue, replacing: opened.queue, contradicted: contradicted)
  }

  /// The plan of an order. It is refused if `run` would refuse it.
  package func planOrder() async throws(JobError) -> Plan {
    try checkSavedPlan()
    let (library, opened) = try look(for: .run)
    try options.savedPlan?.check(try played(opened, library).queue)
    return try await plan()
  }
}
