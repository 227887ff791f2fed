// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Takes files out of the library. Each removal is recorded and flushed first, so that a removed file is never mistaken
/// for a lost one.
package struct Removals {
  let library: Library
  let journal: JournaledQueue
  let trashKeep: Duration
  let clock: any WallClock
  private let begun: Timestamp
  /// Identifies everything that one run or command removes; determined with the first removal.
  private var operation: Removal.Operation?

  package init(library: Library, journal: JournaledQueue, trashKeep: Duration, clock: any WallClock) {
    self.library = library
    self.journal = journal
    self.trashKeep = trashKeep
    self.clock = clock
    begun = clock.now()
  }

  package enum Outcome: Equatable {
    /// The bytes that left the library; zero when the file was already gone.
    case freed(ByteCount)
    /// The file there is not the one that was published; it stays, and nothing was recorded.
    case notOurs(LibraryPath)
    /// The system refuses the removal; the file remains the item's.
    case refused(LibraryPath, FileError)
  }

  /// Deletes evicted files; files removed for another cause go to the trash.
  /// - Returns: nil when the item has no file.
  package mutating func remove(_ id: ItemID, cause: Removal.Cause) throws(Failure) -> Outcome? {
    guard let file = journal.item(id)?.state.storedFile else { return nil }
    let operation = operation ?? journal.operation(at: begun)
    self.operation = operation
    let removal = FileRemoval(library: library, trashKeep: trashKeep, now: begun)
    do throws(FileError) {
      if try removal.look(at: file) == .notOurs { return .notOurs(file.path) }
    } catch {
      guard error.isOfOneFile else { throw error.failure }
      return .refused(file.path, error)
    }
    // The record has the date of the batch in the trash: files that were removed together are restored together.
    let record = Removal(cause: cause, at: operation.at, turn: operation.turn, file: file)
    try journal.remove(id, record, at: clock.now())
    try journal.sync()
    let outcome = try take(file, cause, removal)
    if case .freed = outcome { return outcome }
    try journal.complete([(id, file)], at: clock.now())
    return outcome
  }

  private func take(_ file: StoredFile, _ cause: Removal.Cause, _ removal: FileRemoval) throws(Failure) -> Outcome {
    do throws(FileError) {
      do throws(FileError) {
        switch try removal.take(file, cause) {
        case .taken: return .freed(file.size)
        case .missing: return .freed(.zero)
        case .notOurs: return .notOurs(file.path)
        }
      } catch {
        guard error.isOfOneFile, try removal.look(at: file) == .taken else { throw error }
        return .refused(file.path, error)
      }
    } catch { throw error.failure }
  }

  package func dropPartials(_ names: [String]) throws(FileError) -> TrashFolder.Emptied {
    var cleaned = TrashFolder.Emptied()
    for name in names {
      let place = library.partial(name)
      guard let status = try library.files.status(of: place) else { continue }
      try library.files.removeFileIfPresent(place)
      cleaned.files += 1
      cleaned.freed += status.size
    }
    return cleaned
  }

  package func emptyTrash(all: Bool) throws(FileError) -> TrashFolder.Emptied {
    let trash = library.trash
    return all ? try trash.empty() : try trash.expire(olderThan: trashKeep, now: clock.now())
  }
}
