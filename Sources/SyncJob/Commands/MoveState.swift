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
package struct MoveState: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// Returns the present state, including the records of an interrupted run, and warnings about its damage.
  package func export() throws(JobError) -> (export: StateExport, warnings: [Warning]) {
    let view = try LibraryOpener(context).look()
    let (library, now) = (view.library, context.now)
    do throws(FileError) {
      var log = view.state.playLog
      if log == nil, let folder = library.stateFolder { log = try PlayLogStore(folder).read()?.log }
      let export = StateExport(
        name: context.manifest.name, exportedAt: now, queue: view.queue, plays: log?.folded(at: now) ?? [])
      return (export, view.state.damage)
    } catch { throw .file(error) }
  }

  /// Replaces the state by an export.
  /// - Parameter isReplacing: True to replace a state that is not empty, or that of another library.
  package func importing(
    _ reading: StateExport.Reading, isReplacing: Bool
  ) async throws(JobError) -> ImportedState {
    let export = reading.export
    // A library without a marker becomes the library of the imported state.
    let opened = try await LibraryOpener(context).open(for: .restore, markingAs: export.queue.libraryID)
    let (library, journal, known, now) = (opened.view.library, opened.journal, opened.view.queue, context.now)
    do throws(JobError) {
      if !isReplacing { try checkImport(export, into: known) }
      try checkSeals(export, into: known)
    } catch {
      try journal.close(at: now)
      throw error
    }
    let (queue, contradicted) = reading.believed(by: library)
    try journal.replace(by: queue, at: now)
    do throws(FileError) {
      try PlayLogStore(library.state).replace(export.plays)
      try library.endRebuilding()
    } catch { throw .file(error) }
    try journal.close(at: now)
    return ImportedState(reading, queue, replacing: known, contradicted: contradicted)
  }

  /// The result of `importing`, or the error that it would throw. Nothing is changed.
  package func rehearseImport(
    _ reading: StateExport.Reading, isReplacing: Bool
  ) throws(JobError) -> ImportedState {
    let view = try LibraryOpener(context).look(for: .restore)
    if !isReplacing { try checkImport(reading.export, into: view.queue) }
    try checkSeals(reading.export, into: view.queue)
    let (queue, contradicted) = reading.believed(by: view.library)
    return ImportedState(reading, queue, replacing: view.queue, contradicted: contradicted)
  }

  /// Sealed files are bound to the id of their library, and open in no other.
  private func checkSeals(_ export: StateExport, into known: Queue) throws(JobError) {
    guard export.queue.libraryID != known.libraryID, !known.libraryID.isEmpty,
      export.queue.items.contains(where: { $0.state.storedFile?.sealed != nil })
    else { return }
    throw .sealedForAnother(library: context.manifest.library.path, found: export.queue.libraryID)
  }

  /// Without `--replace`, no state is lost and no library becomes another one.
  private func checkImport(_ export: StateExport, into known: Queue) throws(JobError) {
    guard known.items.isEmpty else {
      throw .stateNotEmpty(library: context.manifest.library.path, items: known.items.count)
    }
    guard known.libraryID.isEmpty || known.libraryID == export.queue.libraryID else {
      throw .stateOfAnother(library: context.manifest.library.path, found: export.queue.libraryID, own: known.libraryID)
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
    for id in contradicted { queue[id]?.forgetFiles() }
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
