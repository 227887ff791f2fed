// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Brings the newest removals back out of the trash.
struct Restorer {
  let library: Library
  private let removed: [LibraryPath: [(id: ItemID, removal: Removal, file: StoredFile)]]

  init(library: Library, queue: Queue) {
    self.library = library
    let found = queue.items.compactMap { item -> (id: ItemID, removal: Removal, file: StoredFile)? in
      guard case .removed(let removal) = item.state, let file = removal.file else { return nil }
      return (item.id, removal, file)
    }
    removed = Dictionary(grouping: found, by: \.file.path)
  }

  func restore() throws(FileError) -> Undoing {
    let entries = try library.trash.list().filter { Timestamp(folderName: $0.batch) != nil }
    // What `verify` moved here is nobody's removal; it is told of when there is nothing else.
    let known = entries.filter { entry in removed[entry.path]?.contains { $0.file.size == entry.size } ?? false }
    guard let newest = (known.isEmpty ? entries : known).map(\.trashedAt).max() else { return Undoing(removedAt: nil) }
    var undoing = Undoing(removedAt: newest)
    for entry in entries where entry.trashedAt == newest {
      if let owner = owner(of: entry) {
        if try restore(entry) {
          undoing.restored.append(.init(id: owner.id, file: owner.file, cause: owner.removal.cause))
        } else {
          undoing.kept.append(.init(path: entry.path, size: entry.size, obstacle: .taken))
        }
      } else {
        undoing.kept.append(.init(path: entry.path, size: entry.size, obstacle: .unknown))
      }
    }
    return undoing
  }

  /// The item whose file it is, by path and contents; of several the one that was removed last.
  private func owner(of entry: TrashFolder.Entry) -> (id: ItemID, removal: Removal, file: StoredFile)? {
    guard let place = library.trash.place(of: entry) else { return nil }
    return removed[entry.path]?.filter { owner in
      owner.file.size == entry.size && FileDigest.isContent(place, owner.file.sha256, in: library.files)
    }.max { $0.removal.at < $1.removal.at }
  }

  /// False when something is in its place.
  private func restore(_ entry: TrashFolder.Entry) throws(FileError) -> Bool {
    do throws(FileError) {
      try library.trash.restore(entry, into: library.root)
      return true
    } catch {
      guard error.isPresent || error.isObstructed else { throw error }
      return false
    }
  }
}
