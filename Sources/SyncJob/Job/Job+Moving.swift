// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// The result of an import.
package struct ImportedState: Equatable, Sendable {
  package var items: Int
  package var completed: Int
  /// The number of items that the import replaced.
  package var replaced: Int
  /// Items whose lines were edited in the export. The edits are accepted.
  package var edited: [ItemID] = []
  /// True if the export was edited outside of its items, or an item was added or removed.
  package var isEditedOutside = false
  /// Edited items with another file in their place than the line describes. They are queued.
  package var contradicted: [ItemID] = []
}

/// Moves a library's state to another machine.
extension Job {
  /// Returns the present state, including the records of an interrupted run, and warnings about its damage.
  package func exportState() throws(JobError) -> (export: StateExport, warnings: [Warning]) {
    let (library, opened) = try look()
    let now = now
    do throws(FileError) {
      var log: PlayLog?
      if let folder = library.stateFolder { log = try PlayLogStore(folder).read()?.log }
      let export = StateExport(
        name: manifest.name, exportedAt: now, queue: opened.queue, plays: log?.folded(at: now) ?? [])
      return (export, opened.damage)
    } catch { throw .file(error) }
  }

  /// Replaces the state by an export.
  /// - Parameter isReplacing: True to replace a state that is not empty, or that of another library.
  package func importState(
    _ reading: StateExport.Reading, isReplacing: Bool
  ) async throws(JobError) -> ImportedState {
    let export = reading.export
    // A library without a marker becomes the library of the imported state.
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

  /// Without `--replace`, no state is lost and no library becomes another one.
  func checkImport(_ export: StateExport, into known: Queue) throws(JobError) {
    guard known.items.isEmpty else {
      throw .stateNotEmpty(library: manifest.library.path, items: known.items.count)
    }
    guard known.libraryID.isEmpty || known.libraryID == export.queue.libraryID else {
      throw .stateOfAnother(library: manifest.library.path, found: export.queue.libraryID, own: known.libraryID)
    }
  }
}

extension StateExport.Reading {
  /// The part of the export that is imported. An edited line is accepted unless its file contradicts the library. A
  /// missing file contradicts nothing, because media may be copied after the state.
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
  /// True if something other than this file is in its place.
  fileprivate func hasAnother(than file: StoredFile) -> Bool {
    guard let place = mediaRoot?[file.path] else { return false }
    do throws(FileError) { return try files.status(of: place) != nil && !holds(file) } catch { return true }
  }
}

extension ImportedState {
  /// - Parameter queue: The part of the export that is imported.
  init(_ reading: StateExport.Reading, _ queue: Queue, replacing known: Queue, contradicted: [ItemID]) {
    self.init(
      items: queue.items.count, completed: queue.items.count { $0.state.name == .completed },
      replaced: known.items.count, edited: reading.edited, isEditedOutside: reading.isEditedOutside,
      contradicted: contradicted)
  }
}
