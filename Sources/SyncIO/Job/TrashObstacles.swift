// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Why what is in the trash does not come back from there.
struct TrashObstacles {
  let library: Library
  let queue: Queue
  let trashKeep: Duration
  let now: Timestamp

  /// Of a file that its item may have back, and could not be moved; nil where no other can be moved either.
  func inPlace(of entry: TrashFolder.Entry, _ error: FileError) -> Undoing.Obstacle? {
    if error.isPresent { return owner(at: entry.path).map { .takenBy($0) } ?? .taken }
    if error.isObstructed { return .obstructed }
    return error.isRefusal ? .refused : nil
  }

  /// Of a file that no removed item can have back.
  /// - Parameter known: the item that was removed from its path.
  func ofStranger(_ entry: TrashFolder.Entry, removedFromThere known: ItemID?) -> Undoing.Obstacle {
    if let known { return .changed(known) }
    if let owner = owner(at: entry.path) { return .takenBy(owner) }
    return sameFile(as: entry).map { .hasItAgain($0, $1) } ?? .unknown
  }

  /// Of a file that was removed then, and is not in the trash.
  func ofAbsent(since removedAt: Timestamp) -> Undoing.Obstacle {
    now - removedAt >= trashKeep ? .expired(after: trashKeep) : .missing
  }

  private func owner(at path: LibraryPath) -> ItemID? {
    queue.items.first { $0.state.storedFile?.path == path }?.id
  }

  private func sameFile(as entry: TrashFolder.Entry) -> (ItemID, LibraryPath)? {
    guard let place = library.trash.place(of: entry) else { return nil }
    for item in queue.items {
      guard let file = item.state.storedFile, file.size == entry.size,
        FileDigest.isContent(place, file.sha256, in: library.files)
      else { continue }
      return (item.id, file.path)
    }
    return nil
  }
}
