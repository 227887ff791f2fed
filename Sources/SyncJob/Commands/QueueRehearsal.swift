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

  /// Opens the queue to rehearse edits.
  package static func begin(_ context: JobContext) throws(JobError) -> QueueRehearsal {
    let view = try LibraryOpener(context, decodesAll: false).look()
    return QueueRehearsal(
      queue: view.queue,
      copies: SourceCopyReading(library: view.library, manifest: context.manifest, clockDoubt: view.clockDoubt),
      warnings: view.state.allWarnings)
  }

  /// The files that `QueueEditor.undo` would restore.
  package static func undo(_ context: JobContext) throws(JobError) -> UndoResult {
    let view = try LibraryOpener(context).look()
    do throws(FileError) {
      return try Restorer(
        library: view.library, queue: view.queue, trashKeep: context.manifest.storage.trashKeep, now: view.clock.now(),
        isRehearsal: true
      ).restore()
    } catch { throw .file(error) }
  }

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
