// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Moves that a run announced but did not record before it died. The file is at the new path if its bytes are there,
/// else at the old one.
package struct InterruptedMoves {
  let library: Library

  package init(library: Library) {
    self.library = library
  }

  /// The items as they are to be recorded. Changes nothing.
  package func settled(_ queue: Queue) throws(FileError) -> [QueueItem] {
    var settled: [QueueItem] = []
    for (file, target, item) in moving(queue) {
      var item = item
      item.complete(file.at(try hasArrived(file, at: target) ? target : file.path))
      settled.append(item)
    }
    return settled
  }

  /// Removes old names where a file has both: a file system that cannot move without overwriting adds the new name
  /// before it removes the old one. Two separate files, as a power cut may leave on FAT, stay: there they share their
  /// bytes, and removing one would lose the other.
  package func finish(_ queue: Queue) throws(FileError) {
    for (file, target, _) in moving(queue) where try isOneFile(file.path, target) {
      try library.files.removeFile(library.root[file.path])
      try library.files.syncFolder(library.root[file.path].parent)
    }
  }

  private func moving(_ queue: Queue) -> [(file: StoredFile, target: LibraryPath, item: QueueItem)] {
    queue.notableItems.compactMap { item in
      guard let target = item.state.movingTo, let file = item.state.storedFile else { return nil }
      return (file, target, item)
    }
  }

  private func hasArrived(_ file: StoredFile, at target: LibraryPath) throws(FileError) -> Bool {
    guard let root = library.mediaRoot, let status = try status(target) else { return false }
    if try isOneFile(file.path, target) { return true }
    return status.linkCount == 1 && status.size == file.size
      && FileDigest.isContent(root[target], file.sha256, in: library.files)
  }

  private func isOneFile(_ path: LibraryPath, _ other: LibraryPath) throws(FileError) -> Bool {
    guard let one = try status(path), let another = try status(other) else { return false }
    return one.identity == another.identity && one.linkCount == 2
  }

  /// The status of a plain file; nil for anything else.
  private func status(_ path: LibraryPath) throws(FileError) -> FileStatus? {
    guard let root = library.mediaRoot else { return nil }
    do throws(FileError) {
      let status = try library.files.status(of: root[path])
      return status?.kind == .file ? status : nil
    } catch {
      guard error.isObstructed else { throw error }
      return nil
    }
  }
}

/// Removals that a run recorded but did not carry out before it died. Each file is compared with the record first: a
/// file that somebody has put in its place since is not ours to remove.
package struct InterruptedRemovals {
  let library: Library
  let trashKeep: Duration

  package init(library: Library, trashKeep: Duration) {
    self.library = library
    self.trashKeep = trashKeep
  }

  package struct Outcome {
    package var finished = 0
    package var stuck: [Stuck] = []
    package init() {}
  }

  /// A file that the system refuses to remove.
  package struct Stuck {
    package let id: ItemID
    package let file: StoredFile
    package let error: FileError
  }

  package func finish(_ found: LoadedQueue) throws(FileError) -> Outcome {
    var outcome = Outcome()
    for id in found.recorded.sorted() {
      guard case .removed(let removal)? = found.queue[id]?.state, removal.cause != .lost, let file = removal.file,
        FileDigest.isContent(library.root[file.path], file.sha256, in: library.files)
      else { continue }
      let taking = FileRemoval(library: library, trashKeep: trashKeep, now: removal.at)
      do throws(FileError) {
        if try taking.take(file, removal.cause) == .taken { outcome.finished += 1 }
      } catch {
        guard error.isOfOneFile, try taking.look(at: file) == .taken else { throw error }
        outcome.stuck.append(Stuck(id: id, file: file, error: error))
      }
    }
    return outcome
  }
}

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
    for (item, new) in announced(queue) {
      var known = item
      if try hasArrived(item, new) {
        known.replaceFile(by: new)
      } else {
        if item.upgrade?.goal == .protection {
          known.upgrade = nil
        } else {
          known.requeueTransfer(Pending(partial: item.partial))
        }
      }
      settled.append(known)
    }
    return settled
  }

  /// Removes the old files of items whose new file has another name. This happens before the new state is recorded, so
  /// that no old file is left behind.
  package func finish(_ queue: Queue) throws(FileError) {
    for (item, new) in announced(queue) {
      guard try hasArrived(item, new), let old = item.state.storedFile else { continue }
      if let status = try status(library.root[new.path]), let partial = try partial(besides: status, new, of: item) {
        try library.files.removeFile(partial)
        try library.files.syncFolder(partial.parent)
      }
      guard old.path != new.path, FileDigest.isContent(library.root[old.path], old.sha256, in: library.files) else {
        continue
      }
      guard let name = item.upgrade?.state.partial?.name else { continue }
      do throws(FileError) { try library.removeReplaced(old, by: new, from: new.workPlace(name, in: library)) } catch {
        // The old file stays, and the next attempt reports why.
        guard error.isDenied else { throw error }
      }
    }
  }

  private func announced(_ queue: Queue) -> [(item: QueueItem, new: StoredFile)] {
    queue.notableItems.compactMap { item in item.upgrade?.publishing.map { (item, $0) } }
  }

  private func hasArrived(_ item: QueueItem, _ new: StoredFile) throws(FileError) -> Bool {
    guard let root = library.mediaRoot, let status = try status(root[new.path]), status.size == new.size else {
      return false
    }
    if try partial(besides: status, new, of: item) != nil { return true }
    return status.linkCount == 1 && FileDigest.isContent(root[new.path], new.sha256, in: library.files)
  }

  /// The place of the partial if it is the same file as the new one. A file system that cannot move without overwriting
  /// adds the new name before it removes the old one.
  private func partial(
    besides status: FileStatus, _ new: StoredFile, of item: QueueItem
  ) throws(FileError) -> FilePlace? {
    guard status.linkCount == 2, let name = item.upgrade?.state.partial?.name, library.workFolder != nil else {
      return nil
    }
    let place = new.workPlace(name, in: library)
    guard let other = try self.status(place), other.identity == status.identity else { return nil }
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
