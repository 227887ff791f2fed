// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// A file that no item owns, at a path of an item, with the very bytes that were fetched for it. It becomes the item's
/// file, and no copy appears beside it.
struct Twin {
  /// The names that a file of the item may have: its own, and the same with its tag.
  private static let attempts = 0...3

  let desk: Publisher
  let publication: Publication

  /// The file as the item's; nil when there is none.
  /// - Parameter chosen: paths that other publications of the same group get.
  func file(besides chosen: Set<NameKey>) throws(Failure) -> StoredFile? {
    let library = desk.library
    for attempt in Self.attempts {
      let path = publication.path(desk.naming, attempt: attempt)
      guard !chosen.contains(desk.naming.key(path)), !desk.ledger.isTaken(path) else { continue }
      guard let status = try status(path) else {
        // This name is free, and no later one was ever needed.
        if attempt >= publication.download.nameAttempt { return nil }
        continue
      }
      guard isAlike(path, status) else { continue }
      // The program that wrote the file may not have flushed it.
      do throws(FileError) { try library.files.flush(library.root[path]) } catch {
        // A file that may not be opened for writing cannot be flushed, so it is not relied on.
        guard error.isRefusal else { throw error.failure }
        continue
      }
      return publication.storedFile(at: path, completedAt: desk.clock.now())
    }
    return nil
  }

  /// Nil when nothing is there.
  private func status(_ path: LibraryPath) throws(Failure) -> FileStatus? {
    do throws(FileError) { return try desk.library.files.status(of: desk.library.root[path]) } catch {
      guard error.isObstructed else { throw desk.failure(error, at: path) }
      return nil
    }
  }

  private func isAlike(_ path: LibraryPath, _ status: FileStatus) -> Bool {
    status.kind == .file && status.linkCount == 1 && status.size == publication.file.size
      && FileDigest.isContent(desk.library.root[path], publication.file.sha256, in: desk.library.files)
  }
}
