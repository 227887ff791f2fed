// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Takes files out of the library: recorded and flushed first, so that a file that is gone is never taken for lost.
struct Removals {
  let library: Library
  let ledger: Ledger
  let trashKeep: Duration
  let clock: any WallClock
  /// Names the trash of everything that one run or command removes.
  private let begun: Timestamp

  init(library: Library, ledger: Ledger, trashKeep: Duration, clock: any WallClock) {
    self.library = library
    self.ledger = ledger
    self.trashKeep = trashKeep
    self.clock = clock
    begun = clock.now()
  }

  enum Outcome: Equatable {
    /// The bytes that left the library: none when the file was gone.
    case freed(ByteCount)
    /// The file there is not the one that was published; it stays.
    case notOurs(LibraryPath)
  }

  /// Evicted files are deleted; those removed for another cause go to the trash.
  /// - Returns: nil when the item has no file.
  func remove(_ id: ItemID, cause: Removal.Cause) throws(Failure) -> Outcome? {
    guard let file = ledger.item(id)?.state.storedFile else { return nil }
    let now = clock.now()
    try ledger.record(id, .removed(Removal(cause: cause, at: now, file: file)), at: now)
    try ledger.sync()
    do throws(FileError) {
      switch try FileRemoval(library: library, trashKeep: trashKeep, now: begun).take(file, cause) {
      case .taken: return .freed(file.size)
      case .missing: return .freed(.zero)
      case .notOurs: return .notOurs(file.path)
      }
    } catch { throw error.failure }
  }

  func dropPartials(_ names: [String]) throws(FileError) -> TrashFolder.Cleaning {
    var cleaned = TrashFolder.Cleaning()
    for name in names {
      let place = library.partial(name)
      guard let status = try library.files.status(of: place) else { continue }
      try library.files.removeFileIfPresent(place)
      cleaned.files += 1
      cleaned.freed += status.size
    }
    return cleaned
  }

  func emptyTrash(all: Bool) throws(FileError) -> TrashFolder.Cleaning {
    let trash = library.trash
    return all ? try trash.empty() : try trash.expire(olderThan: trashKeep, now: clock.now())
  }
}
