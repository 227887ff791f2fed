// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// What an import did.
package struct ImportedState: Equatable, Sendable {
  package var items: Int
  package var completed: Int
  /// Items that were forgotten for it.
  package var replaced: Int
  /// Items whose lines of the export were edited, and are taken as they are.
  package var edited: [ItemID] = []
  /// The export was edited outside of its items, or an item was added or taken out.
  package var isEditedOutside = false
  /// Edited items whose place has a file that is not the described one: they are queued.
  package var contradicted: [ItemID] = []
}

/// Moving a library's memory to another machine.
extension Job {
  /// The memory as it is now, with what an interrupted run recorded.
  package func exportState() throws(JobError) -> StateExport {
    let (library, opened) = try look()
    let now = now
    do throws(FileError) {
      var log: PlayLog?
      if let folder = library.stateFolder { log = try PlayLogStore(folder).read()?.log }
      return StateExport(
        name: manifest.name, exportedAt: now, queue: opened.queue, plays: log?.folded(at: now) ?? [])
    } catch { throw .file(error) }
  }

  /// Puts an export into the place of what is remembered.
  /// - Parameter isReplacing: also where something is remembered already, or the library is another one.
  package func importState(
    _ reading: StateExport.Reading, isReplacing: Bool
  ) async throws(JobError) -> ImportedState {
    let export = reading.export
    // An unmarked library becomes the one that the memory is of.
    let (library, opened, ledger) = try await open(for: .restore, markingAs: export.queue.libraryID)
    let known = opened.queue
    do throws(JobError) { if !isReplacing { try checkImport(export, into: known) } } catch {
      try ledger.close(at: now)
      throw error
    }
    let (queue, contradicted) = reading.believed(by: library)
    try ledger.replace(by: queue, at: now)
    do throws(FileError) {
      try PlayLogStore(library.state).replace(export.plays)
      try library.endRebuilding()
    } catch { throw .file(error) }
    try ledger.close(at: now)
    return ImportedState(reading, queue, replacing: known, contradicted: contradicted)
  }

  /// Without `--replace` nothing is forgotten, and no library becomes another one.
  func checkImport(_ export: StateExport, into known: Queue) throws(JobError) {
    guard known.items.isEmpty else {
      throw .memoryNotEmpty(library: manifest.library.path, items: known.items.count)
    }
    guard known.libraryID.isEmpty || known.libraryID == export.queue.libraryID else {
      throw .memoryOfAnother(library: manifest.library.path, found: export.queue.libraryID, own: known.libraryID)
    }
  }
}

extension StateExport.Reading {
  /// What is taken over: an edited line is believed, but for a file that the library contradicts. What is not there yet
  /// contradicts nothing, since media may be copied after its memory.
  func believed(by library: Library) -> (queue: Queue, contradicted: [ItemID]) {
    var queue = export.queue
    let contradicted = edited.filter { id in
      queue[id]?.state.storedFile.map { library.hasAnother(than: $0) } ?? false
    }
    for id in contradicted { queue[id]?.state = .queued(Pending()) }
    return (queue, contradicted)
  }
}

extension Library {
  /// Whether something else than that file is in its place.
  fileprivate func hasAnother(than file: StoredFile) -> Bool {
    guard let place = mediaRoot?[file.path] else { return false }
    do throws(FileError) { return try files.status(of: place) != nil && !holds(file) } catch { return true }
  }
}

extension ImportedState {
  /// - Parameter queue: what is taken over of the export.
  init(_ reading: StateExport.Reading, _ queue: Queue, replacing known: Queue, contradicted: [ItemID]) {
    self.init(
      items: queue.items.count, completed: queue.items.count { $0.state.name == .completed },
      replaced: known.items.count, edited: reading.edited, isEditedOutside: reading.isEditedOutside,
      contradicted: contradicted)
  }
}
