// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Replacements that a run announced and did not live to record. If the bytes of the new file are in its place, the
/// item has the new file. Otherwise it has the old one, and the fetched bytes are a partial as before.
package struct InterruptedUpgrades {
  let library: Library

  package init(library: Library) {
    self.library = library
  }

  /// The items as they are to be recorded. Changes nothing.
  package func settled(_ queue: Queue) throws(FileError) -> [QueueItem] {
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

  /// Removes the old files of items whose new file has another name. This happens before the new state is recorded, so
  /// that no old file is left behind.
  package func finish(_ queue: Queue) throws(FileError) {
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

  /// The place of the partial if it is the same file as the new one. A file system that cannot move without overwriting
  /// adds the new name before it removes the old one.
  private func partial(besides new: FileStatus, of item: QueueItem) throws(FileError) -> FilePlace? {
    guard new.linkCount == 2, let name = item.upgrade?.state.partial?.name, library.workFolder != nil else {
      return nil
    }
    let place = library.partial(name)
    guard let other = try status(place), other.identity == new.identity else { return nil }
    return place
  }

  /// The status of a plain file. Nil for anything else.
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
