// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// The reasons why files cannot be restored from the trash.
struct TrashObstacles {
  private let library: Library
  private let trashKeep: Duration
  private let now: Timestamp
  /// The items whose files are now at the paths of files in the trash.
  private var owners: [LibraryPath: ItemID] = [:]
  /// Files that may have the same contents as one in the trash.
  private var likeThem: [ByteCount: [(id: ItemID, file: StoredFile)]] = [:]

  init(
    _ entries: [TrashFolder.Entry], of library: Library, _ queue: Queue, trashKeep: Duration, now: Timestamp
  ) {
    self.library = library
    self.trashKeep = trashKeep
    self.now = now
    let (paths, sizes) = (Set(entries.map(\.path)), Set(entries.map(\.size)))
    for item in queue.items {
      guard let file = item.state.storedFile else { continue }
      if paths.contains(file.path) { owners[file.path] = item.id }
      if sizes.contains(file.size) { likeThem[file.size, default: []].append((item.id, file)) }
    }
  }

  /// The obstacle for a path that another item has been given since, whether its file is there or not. Two items never
  /// have one path.
  func ofOwner(_ path: LibraryPath) -> UndoResult.Obstacle? { owners[path].map { .takenBy($0) } }

  /// The obstacle for a file that its item may have back but that could not be moved; nil when no other file can be
  /// moved either.
  func inPlace(of entry: TrashFolder.Entry, _ error: FileError) -> UndoResult.Obstacle? {
    if error.isPresent { return owners[entry.path].map { .takenBy($0) } ?? .taken }
    if error.isObstructed { return .obstructed }
    if error.isOtherFileSystem { return .otherFileSystem }
    return error.isRefusal ? .refused : nil
  }

  /// The obstacle for a file that no removed item can have back.
  /// - Parameter known: the item that was removed from its path.
  func ofStranger(_ entry: TrashFolder.Entry, removedFromThere known: ItemID?) -> UndoResult.Obstacle {
    if let known { return .changed(known) }
    if let owner = owners[entry.path] { return .takenBy(owner) }
    guard let place = library.trash.place(of: entry) else { return .unknown }
    let same = likeThem[entry.size]?.first { FileDigest.isContent(place, $0.file.sha256, in: library.files) }
    return same.map { .hasItAgain($0.id, $0.file.path) } ?? .unknown
  }

  /// The obstacle for a file that was removed then and is not in the trash.
  func ofAbsent(since removedAt: Timestamp) -> UndoResult.Obstacle {
    now - removedAt >= trashKeep ? .expired(after: trashKeep) : .missing
  }
}
