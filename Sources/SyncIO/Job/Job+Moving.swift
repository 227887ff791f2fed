// SPDX-License-Identifier: Apache-2.0
import SyncCore
package import SyncFormats

/// What an import did.
package struct ImportedState: Equatable, Sendable {
  package var items: Int
  package var completed: Int
  /// Items that were forgotten for it.
  package var replaced: Int
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
  package func importState(_ export: StateExport, isReplacing: Bool) async throws(JobError) -> ImportedState {
    // An unmarked library becomes the one that the memory is of.
    let (library, opened, ledger) = try await open(for: .restore, markingAs: export.queue.libraryID)
    let known = opened.queue
    do throws(JobError) { if !isReplacing { try checkImport(export, into: known) } } catch {
      try ledger.close(at: now)
      throw error
    }
    try ledger.replace(by: export.queue, at: now)
    do throws(FileError) {
      try PlayLogStore(library.state).replace(export.plays)
      try library.endRebuilding()
    } catch { throw .file(error) }
    try ledger.close(at: now)
    return ImportedState(export, replacing: known)
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

extension ImportedState {
  init(_ export: StateExport, replacing known: Queue) {
    self.init(
      items: export.queue.items.count, completed: export.queue.items.count { $0.state.name == .completed },
      replaced: known.items.count)
  }
}
