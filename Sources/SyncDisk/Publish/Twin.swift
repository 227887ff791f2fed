// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// A file that no item owns, at a path of an item, with the very bytes that were fetched for it. It becomes the item's
/// file, and no copy appears beside it.
struct Twin {
  /// The names that a file of the item may have: its own, and the same with its tag.
  private static let attempts = 0...3

  let publisher: Publisher
  let publication: Publication

  /// The file as the item's; nil when there is none.
  /// - Parameter chosen: paths that other publications of the same group get.
  func file(besides chosen: Set<NameKey>) throws(Failure) -> StoredFile? {
    let library = publisher.library
    for attempt in Self.attempts {
      let path = publication.path(publisher.naming, attempt: attempt)
      guard !chosen.contains(publisher.naming.key(path)), !publisher.journal.isTaken(path) else { continue }
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
      return publication.storedFile(at: path, completedAt: publisher.clock.now())
    }
    return nil
  }

  /// Nil when nothing is there.
  private func status(_ path: LibraryPath) throws(Failure) -> FileStatus? {
    do throws(FileError) { return try publisher.library.files.status(of: publisher.library.root[path]) } catch {
      guard error.isObstructed else { throw publisher.failure(error, at: path) }
      return nil
    }
  }

  private func isAlike(_ path: LibraryPath, _ status: FileStatus) -> Bool {
    status.kind == .file && status.linkCount == 1 && status.size == publication.file.size
      && FileDigest.isContent(publisher.library.root[path], publication.file.sha256, in: publisher.library.files)
  }
}
