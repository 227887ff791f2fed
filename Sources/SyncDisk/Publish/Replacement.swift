// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Replaces the present file by a complete file of another quality.
///
/// The order of writes:
/// 1. The partial is flushed. The old file is compared with the published one.
/// 2. Recorded and flushed: the item has its old file, and the new one is on its way to its place.
/// 3. If the name is the same, the new file is renamed over the old one. If it differs, because the format has another
///    extension, the new file is renamed to it, never over any file.
/// 4. The folders are flushed.
/// 5. If the names differ, the old file is unlinked, and its folder is flushed.
/// 6. Recorded: the item has its new file.
///
/// After 2 without 6 the next run, and every command, finds out how far it came: `InterruptedUpgrades`. The item has a
/// whole file at every moment.
struct Replacement {
  let publication: Publication
  let publisher: Publisher

  private var library: Library { publisher.library }
  private var id: ItemID { publication.download.id }

  /// The item keeps its age, which counts from the completion of its first file.
  func run() -> PublicationResult {
    guard let old = publisher.journal.item(id)?.state.storedFile else {
      return .failed(.changedByOthers(path: publication.path(publisher.naming, attempt: 0).text))
    }
    // A complete file is never replaced by one that may be cut.
    guard publication.file.isProvenWhole else {
      return .failed(.notReplaced(path: old.path.text, .unproven))
    }
    let new: StoredFile
    let isHere: Bool
    do throws(Failure) {
      try publication.flush(at: publisher)
      isHere = try self.isHere(old)
      new = publication.storedFile(at: try place(besides: old, isHere: isHere), completedAt: old.completedAt)
    } catch { return .failed(error) }
    do throws(Failure) {
      try announce(new)
      // Another file was put there in the meantime.
      guard try exchange(old, new, isHere: isHere) else {
        return .failed(.changedByOthers(path: new.path.text))
      }
      try publisher.journal.replaceFile(of: id, by: new, at: publisher.clock.now())
      publication.discardOriginals(at: publisher)
      return .published(new)
    } catch {
      if case .notReplaced = error { return .failed(error) }
      return .stopped(error)
    }
  }

  /// False if the file was removed in the meantime. Throws if it is not the published file, which then stays.
  private func isHere(_ old: StoredFile) throws(Failure) -> Bool {
    do throws(FileError) {
      switch try FileRemoval(library: library, trashKeep: .zero, now: publisher.clock.now()).look(at: old) {
      case .missing: return false
      case .taken:
        if FileDigest.isContent(library.root[old.path], old.sha256, in: library.files) { return true }
      case .notOurs: break
      }
    } catch { throw error.failure }
    throw .changedByOthers(path: old.path.text)
  }

  /// The old name with the extension of the new file, or another name from the layout if that one is taken.
  private func place(besides old: StoredFile, isHere: Bool) throws(Failure) -> LibraryPath {
    let own = (old.sealed == nil ? old.path : old.path.unsealed).ending(in: publication.file.fileExtension)
    if own == old.path, isHere { return own }
    if try isFree(own) { return own }
    for attempt in 0..<1000 {
      let path = publication.path(publisher.naming, attempt: attempt)
      if path != old.path, try isFree(path) { return path }
    }
    throw .io(operation: "find a free name for", path: own.text, .eexist)
  }

  private func isFree(_ path: LibraryPath) throws(Failure) -> Bool {
    let isOwn = publisher.journal.item(id)?.state.finishedPath == path
    guard isOwn || !publisher.journal.isTaken(path) else { return false }
    do throws(FileError) {
      try library.files.makeFolders(library.root[path].parent, mode: .sharedFolder)
      return try library.files.status(of: library.root[path]) == nil
    } catch { throw publisher.failure(error, at: path) }
  }

  private func announce(_ new: StoredFile) throws(Failure) {
    try publisher.record(publication.download, publication.announcement(new), told: nil)
    try publisher.journal.sync()
  }

  /// - Returns: False if another file was put into the new place.
  private func exchange(_ old: StoredFile, _ new: StoredFile, isHere: Bool) throws(Failure) -> Bool {
    do throws(FileError) {
      guard try move(new, replacing: isHere && new.path == old.path) else { return false }
      if new.path != old.path { try library.removeReplaced(old, by: new, from: publication.source(at: publisher)) }
      return true
    } catch {
      // The system refuses only this file or its folder, so other items go on.
      guard publisher.failure(error, at: new.path).disposition.next == .giveUp, let code = error.code else {
        throw error.failure
      }
      throw .notReplaced(path: old.path.text, .refused(code))
    }
  }

  private func move(_ new: StoredFile, replacing: Bool) throws(FileError) -> Bool {
    let target = library.root[new.path]
    do throws(FileError) {
      try library.files.move(publication.source(at: publisher), to: target, replacing: replacing)
    } catch {
      guard error.isPresent else { throw error }
      return false
    }
    try library.files.syncFolder(target.parent)
    try library.files.syncFolder(publication.source(at: publisher).parent)
    return true
  }
}

extension Library {
  /// Unlinks a file that another one has replaced, if it is there as it was published. If the system refuses that, the new
  /// file becomes the partial again, so that the item has one file.
  func removeReplaced(_ old: StoredFile, by new: StoredFile, from work: FilePlace) throws(FileError) {
    do throws(FileError) {
      try FileRemoval(library: self, trashKeep: .zero, now: old.completedAt).take(old, .evicted)
    } catch {
      guard error.isRefusal else { throw error }
      let place = root[new.path]
      try files.move(place, to: work, replacing: false)
      try files.syncFolder(work.parent)
      try files.syncFolder(place.parent)
      throw error
    }
  }
}

extension LibraryPath {
  /// The same name with another ending.
  fileprivate func ending(in ending: String) -> LibraryPath {
    let stem = fileExtension.isEmpty ? text : String(text.dropLast(fileExtension.count + 1))
    guard fileExtension != ending, let path = LibraryPath("\(stem).\(ending)") else { return self }
    return path
  }
}

extension StoredFile {
  /// The place in a folder of work files at which the file was made, for the partial of this name.
  func workPlace(_ partial: String, in library: Library) -> FilePlace {
    if sealed != nil { return library.sealedCopy(of: partial) }
    return library.partial(sourceSHA256 == sha256 ? partial : PartialFolder.copyName(of: partial))
  }
}
