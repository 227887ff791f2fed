// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// Restores the newest removals from the trash. A restore that was interrupted leaves files in their places that are
/// recorded as removed; they are among the first to be restored.
struct Restorer {
  let library: Library
  private let removed: [LibraryPath: [Owner]]
  /// The paths of the items that are not removed.
  private let owned: Set<NameKey>

  fileprivate struct Owner {
    let id: ItemID
    let removal: Removal
    let file: StoredFile
    let playlist: PlaylistName?
    let isPinned: Bool
  }

  /// The times of evictions.
  private let evictions: [Timestamp]
  private let queue: Queue
  private let trashKeep: Duration
  private let now: Timestamp
  private let isRehearsal: Bool

  /// - Parameter isRehearsal: only looks which files would be restored.
  init(library: Library, queue: Queue, trashKeep: Duration, now: Timestamp, isRehearsal: Bool = false) {
    self.isRehearsal = isRehearsal
    self.library = library
    self.queue = queue
    self.trashKeep = trashKeep
    self.now = now
    evictions = queue.items.compactMap { item in
      if case .removed(let removal) = item.state, removal.cause == .evicted { removal.at } else { nil }
    }
    let found = queue.items.compactMap { item -> Owner? in
      guard case .removed(let removal) = item.state, removal.cause != .evicted, let file = removal.file else {
        return nil
      }
      return Owner(
        id: item.id, removal: removal, file: file, playlist: item.memberships.first?.playlist, isPinned: item.pinned)
    }
    removed = Dictionary(grouping: found, by: \.file.path)
    let naming = library.rules.naming
    owned = Set(queue.items.compactMap { $0.state.storedFile.map { naming.key($0.path) } })
  }

  /// Restores the newest removals of which at least one can be restored. The obstacles to later ones are reported too.
  func restore() throws(FileError) -> UndoResult {
    var undoing = try restoreNewest()
    undoing.hasEvicted = evictions.contains { at in undoing.removedAt.map { at >= $0 } ?? true }
    return undoing
  }

  private func restoreNewest() throws(FileError) -> UndoResult {
    let entries = try library.trash.list().filter { Timestamp(folderName: $0.batch) != nil }
    let returned = try returned()
    if !isRehearsal { try UnflushedNames(library: library).flush(returned.map(\.file.path)) }
    // Files that `verify` moved here were not removed by any item's removal; they are reported only when there is
    // nothing else.
    let known = entries.filter { entry in removed[entry.path]?.contains { $0.file.size == entry.size } ?? false }
    let operations = Set(known.map(operation) + returned.map(\.removal.operation)).sorted(by: >)
    let newest = operations.first ?? entries.map(operation).max()
    guard let newest else { return UndoResult(removedAt: nil) }
    let obstacles = TrashObstacles(entries, of: library, queue, trashKeep: trashKeep, now: now)
    var undoing = UndoResult(removedAt: newest.at)
    for removal in operations.isEmpty ? [newest] : operations {
      let laterOnes = undoing.kept.indices
      undoing.restored = returned.filter { $0.removal.operation == removal }.map(\.restored)
      // A file that is back by itself leaves its copy in the trash, which is no obstacle to anything.
      let back = Set(undoing.restored.map(\.file.path))
      restore(entries.filter { operation($0) == removal && !back.contains($0.path) }, obstacles, &undoing)
      guard undoing.restored.isEmpty, undoing.stopped == nil else {
        undoing.removedAt = removal.at
        for index in laterOnes { undoing.kept[index].isLater = true }
        undoing.kept += missing(of: removal, entries, undoing, obstacles.ofAbsent(since: removal.at))
        break
      }
    }
    return undoing
  }

  /// The run or command that put the file there. If several did in the same second, the file's item tells which.
  private func operation(_ entry: TrashFolder.Entry) -> Removal.Operation {
    let owner = removed[entry.path]?.filter { $0.file.size == entry.size && $0.removal.at == entry.trashedAt }
      .max { $0.removal.turn < $1.removal.turn }
    return owner?.removal.operation ?? Removal.Operation(at: entry.trashedAt)
  }

  private func restore(_ entries: [TrashFolder.Entry], _ obstacles: TrashObstacles, _ undoing: inout UndoResult) {
    for entry in entries {
      guard let owner = owner(of: entry) else {
        undoing.keep(
          entry, in: library.trash, obstacles.ofStranger(entry, removedFromThere: removed[entry.path]?.first?.id))
        continue
      }
      if let obstacle = obstacles.ofOwner(entry.path) {
        undoing.keep(entry, in: library.trash, obstacle)
        continue
      }
      do throws(FileError) {
        if isRehearsal { try checkPlace(of: entry) } else { try library.trash.restore(entry, into: library.root) }
        undoing.restored.append(owner.restored)
      } catch {
        guard let obstacle = obstacles.inPlace(of: entry, error) else {
          undoing.stopped = error.failure
          return
        }
        undoing.keep(entry, in: library.trash, obstacle)
      }
    }
  }

  /// Makes sure that nothing is overwritten.
  private func checkPlace(of entry: TrashFolder.Entry) throws(FileError) {
    let place = library.root[entry.path]
    guard try library.files.status(of: place) == nil else {
      throw FileError(.move, entry.path.text, to: place.text, code: .eexist)
    }
    var ways = try FolderWays(below: library.root, library.files)
    guard case .closed(_, .exdev) = try ways.way(to: entry.path.parent) else { return }
    throw FileError(.move, entry.path.text, to: place.text, code: .exdev)
  }

  /// The files of that removal that are neither in the trash nor back in the library.
  private func missing(
    of operation: Removal.Operation, _ entries: [TrashFolder.Entry], _ undoing: UndoResult,
    _ absence: UndoResult.Obstacle
  ) -> [UndoResult.Kept] {
    let back = Set(undoing.restored.map(\.id))
    let there = Set(entries.filter { $0.trashedAt == operation.at }.map(\.path))
    return removed.values.joined().filter {
      $0.removal.operation == operation && $0.removal.isForTrash && !back.contains($0.id)
        && !there.contains($0.file.path)
    }.sorted { $0.file.path < $1.file.path }.map {
      UndoResult.Kept(path: $0.file.path, size: $0.file.size, obstacle: absence, removedAt: operation.at)
    }
  }

  /// The owners whose file is in its place. A file that another item has been given is not theirs, even if it has the
  /// same contents.
  private func returned() throws(FileError) -> [Owner] {
    var returned: [Owner] = []
    for (path, owners) in removed.sorted(by: { $0.key < $1.key }) where !owned.contains(library.rules.naming.key(path))
    {
      guard let size = try size(at: path) else { continue }
      let owner = owners.filter { owner in
        owner.file.size == size && FileDigest.isContent(library.root[path], owner.file.sha256, in: library.files)
      }.max { $0.removal.at < $1.removal.at }
      if let owner { returned.append(owner) }
    }
    return returned
  }

  /// The size of a plain file with one name; nil for anything else, and for nothing.
  private func size(at path: LibraryPath) throws(FileError) -> ByteCount? {
    do throws(FileError) {
      guard let status = try library.files.status(of: library.root[path]) else { return nil }
      return status.kind == .file && status.linkCount == 1 ? status.size : nil
    } catch {
      guard error.isObstructed || error.isDenied else { throw error }
      return nil
    }
  }

  /// The item that the file belongs to, by path and contents; if there are several, the one that was removed last.
  private func owner(of entry: TrashFolder.Entry) -> Owner? {
    guard let place = library.trash.place(of: entry) else { return nil }
    return removed[entry.path]?.filter { owner in
      owner.file.size == entry.size && FileDigest.isContent(place, owner.file.sha256, in: library.files)
    }.max { $0.removal.at < $1.removal.at }
  }
}

extension Restorer.Owner {
  fileprivate var restored: UndoResult.Restored {
    UndoResult.Restored(id: id, file: file, cause: removal.cause, playlist: playlist, isPinned: isPinned)
  }
}

extension UndoResult {
  fileprivate mutating func keep(_ entry: TrashFolder.Entry, in trash: TrashFolder, _ obstacle: Obstacle) {
    kept.append(
      Kept(
        path: entry.path, size: entry.size, obstacle: obstacle, removedAt: entry.trashedAt,
        trashPath: trash.place(of: entry)?.text))
  }
}

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
