// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Replacements that a run announced and did not live to record. The item has its new file if the bytes of that are in its
/// place, else the old one, and what was fetched is a partial as before.
struct InterruptedUpgrades {
  let library: Library

  /// The items as they are to be recorded. Changes nothing.
  func settled(_ queue: Queue) throws(FileError) -> [QueueItem] {
    var settled: [QueueItem] = []
    for index in queue.items.indices {
      guard let (item, new) = announced(queue, index) else { continue }
      var known = item
      if try hasArrived(item, new) {
        known.replaceFile(by: new)
      } else {
        known.upgrade?.state = .queued(Pending(partial: item.upgrade?.state.partial))
      }
      settled.append(known)
    }
    return settled
  }

  /// Takes away the old files of those that have their new one under another name; before that is recorded, so that no old
  /// file is left behind.
  func finish(_ queue: Queue) throws(FileError) {
    for index in queue.items.indices {
      guard let (item, new) = announced(queue, index), try hasArrived(item, new), let old = item.state.storedFile
      else { continue }
      if let status = try status(library.root[new.path]), let partial = try partial(besides: status, of: item) {
        try library.files.removeFile(partial)
        try library.files.syncFolder(partial.parent)
      }
      guard old.path != new.path, FileDigest.isContent(library.root[old.path], old.sha256, in: library.files) else {
        continue
      }
      guard let name = item.upgrade?.state.partial?.name else { continue }
      do throws(FileError) { try library.removeReplaced(old, by: new, from: name) } catch {
        // The old file stays, and the next attempt reports why.
        guard error.isDenied else { throw error }
      }
    }
  }

  private func announced(_ queue: Queue, _ index: Int) -> (QueueItem, StoredFile)? {
    guard queue.items[index].$upgrade != nil, let new = queue.items[index].upgrade?.publishing else { return nil }
    return (queue.items[index], new)
  }

  private func hasArrived(_ item: QueueItem, _ new: StoredFile) throws(FileError) -> Bool {
    guard let root = library.mediaRoot, let status = try status(root[new.path]), status.size == new.size else {
      return false
    }
    if try partial(besides: status, of: item) != nil { return true }
    return status.linkCount == 1 && FileDigest.isContent(root[new.path], new.sha256, in: library.files)
  }

  /// The partial, where it is the same file as the new one: a file system that knows no move without overwriting gives the
  /// new name before it takes the old one.
  private func partial(besides new: FileStatus, of item: QueueItem) throws(FileError) -> FilePlace? {
    guard new.linkCount == 2, let name = item.upgrade?.state.partial?.name, library.workFolder != nil else {
      return nil
    }
    let place = library.partial(name)
    guard let other = try status(place), other.identity == new.identity else { return nil }
    return place
  }

  /// Of a plain file; nil for anything else.
  private func status(_ place: FilePlace) throws(FileError) -> FileStatus? {
    do throws(FileError) {
      let status = try library.files.status(of: place)
      return status?.kind == .file ? status : nil
    } catch {
      guard error.isObstructed else { throw error }
      return nil
    }
  }
}
