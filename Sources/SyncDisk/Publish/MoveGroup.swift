// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Finished files that move together, so that one flush serves many. None wants a path that another of them leaves.
///
/// The order of writes, for every single file:
/// 1. The new folder is made. The move is recorded and flushed: the file is at the old path, moving to the new one.
/// 2. The file is renamed, never over another file.
/// 3. Both folders are flushed.
/// 4. The new path is recorded. This record is flushed with step 1 of the next group, before any other file takes the
///    old path.
/// 5. Folders that have become empty are removed.
///
/// After 1 without 2 the file is at the old path, and after 2 without 4 at the new one. `InterruptedMoves` can tell by
/// looking: neither path belongs to anything else before 4 is on the disk.
struct MoveGroup {
  static let maximum = 256

  private let moves: Moves
  private let isAside: Bool
  private var members: [Member] = []
  private var chosen: Set<NameKey> = []
  /// The folders that are known to be there and on the disk; nil is the library itself.
  private var made: Set<LibraryPath?> = [nil]

  private struct Member {
    let move: PlannedMove
    let file: StoredFile
    var attempt: Int
    var target: LibraryPath?
    var isMoved = false

    var isWaiting: Bool { target != nil && !isMoved }
  }

  /// - Parameter aside: moves the files out of each other's way instead of to their final paths.
  init(_ group: [PlannedMove], aside: Bool, at moves: Moves) {
    self.moves = moves
    isAside = aside
    members = group.compactMap { move in
      moves.journal.item(move.id)?.state.storedFile.map { file in
        Member(move: move, file: file, attempt: aside ? 1 : move.nameAttempt)
      }
    }
  }

  mutating func move() throws(Failure) {
    try forEach({ $0.target == nil }) { group, member throws(Failure) in
      if try group.isOurs(&member) { try group.choosePlace(&member) }
    }
    while members.contains(where: \.isWaiting) {
      try announce()
      try forEach(\.isWaiting) { group, member throws(Failure) in try group.rename(&member) }
    }
    try syncFolders()
    try record()
    for member in members where member.isMoved { leave(member) }
  }

  private mutating func forEach(
    _ isMeant: (Member) -> Bool, _ body: (inout Self, inout Member) throws(Failure) -> Void
  ) throws(Failure) {
    for index in members.indices where isMeant(members[index]) {
      var member = members[index]
      try body(&self, &member)
      members[index] = member
    }
  }

  private func leave(_ member: Member) {
    EmptyFolders(library: moves.library).remove(above: member.file.path)
    guard !isAside, let target = member.target else { return }
    moves.emit(.moved(member.move.id, from: member.file.path, member.file.at(target)))
  }

  /// Checked again: somebody may have put another file there since the plan was made.
  private func isOurs(_ member: inout Member) throws(Failure) -> Bool {
    let file = member.file
    do throws(FileError) {
      guard let status = try moves.library.files.status(of: moves.library.root[file.path]) else { return false }
      if status.kind == .file, status.linkCount == 1, status.size == file.size { return true }
      moves.emit(.warned(.changedByOthers(path: file.path)))
    } catch { try giveUp(&member, path(of: member), error) }
    return false
  }

  // MARK: The steps

  private mutating func choosePlace(_ member: inout Member) throws(Failure) {
    while true {
      let path = path(of: member)
      do throws(FileError) {
        if try isFree(path) {
          try makeFolder(path.parent)
          chosen.insert(moves.library.rules.naming.key(path))
          member.target = path
          return
        }
      } catch { return try giveUp(&member, path, error) }
      member.attempt += 1
    }
  }

  private mutating func makeFolder(_ folder: LibraryPath?) throws(FileError) {
    guard let folder, !made.contains(folder) else { return }
    try moves.library.files.makeFolders(moves.library.root[folder], mode: .sharedFolder)
    made.insert(folder)
  }

  private func path(of member: Member) -> LibraryPath {
    let naming = moves.library.rules.naming
    guard isAside else { return member.move.path(naming, attempt: member.attempt) }
    return member.file.path.marked(for: member.move.id, attempt: member.attempt, naming)
  }

  private func isFree(_ path: LibraryPath) throws(FileError) -> Bool {
    guard !chosen.contains(moves.library.rules.naming.key(path)), !moves.journal.isTaken(path) else { return false }
    return try moves.library.files.status(of: moves.library.root[path]) == nil
  }

  private func announce() throws(Failure) {
    try moves.journal.complete(
      members.compactMap { member in
        guard !member.isMoved, let target = member.target else { return nil }
        return (member.move.id, member.file.at(member.file.path, movingTo: target))
      }, at: moves.clock.now())
    try moves.journal.sync()
  }

  private mutating func rename(_ member: inout Member) throws(Failure) {
    guard let target = member.target else { return }
    let root = moves.library.root
    do throws(FileError) {
      try moves.library.files.move(root[member.file.path], to: root[target], replacing: false)
      member.isMoved = true
    } catch {
      guard error.isPresent else { return try giveUp(&member, target, error) }
      // Somebody has put a file there in the meantime.
      member.attempt += 1
      try choosePlace(&member)
    }
  }

  /// A file that cannot move stays where it is. A disk that accepts no writes is a failure of the run.
  private func giveUp(_ member: inout Member, _ path: LibraryPath, _ error: FileError) throws(Failure) {
    guard !error.isStorageFull, error.code != .eio else { throw error.failure }
    member.target = nil
    moves.emit(.warned(.notMoved(path: member.file.path, to: path, error)))
  }

  private func syncFolders() throws(Failure) {
    var folders: [String: FilePlace] = [:]
    for member in members where member.isMoved {
      for path in [member.file.path, member.target].compactMap(\.self) {
        let folder = moves.library.root[path].parent
        folders[folder.text] = folder
      }
    }
    do throws(FileError) {
      for folder in folders.values { try moves.library.files.syncFolder(folder) }
    } catch { throw error.failure }
  }

  /// Records the outcome. Files that could not move are still at their old path.
  private func record() throws(Failure) {
    try moves.journal.complete(
      members.compactMap { member in
        if member.isMoved, let target = member.target { return (member.move.id, member.file.at(target)) }
        guard moves.journal.item(member.move.id)?.state.storedFile?.movingTo != nil else { return nil }
        return (member.move.id, member.file.at(member.file.path))
      }, at: moves.clock.now())
  }
}

/// Moves finished files to the paths that the plan gives them, without overwriting anything.
///
/// Two files may want each other's path, or a path of a chain of moving files. Files go first whose wanted path no
/// waiting file occupies. Where few can go, the rest is set aside under temporary names, and then no path is in use any
/// more.
package struct Moves {
  let library: Library
  let journal: JournaledQueue
  let clock: any WallClock
  let emit: @Sendable (RunEvent) -> Void

  private var naming: FileNaming { library.rules.naming }

  package init(
    library: Library, journal: JournaledQueue, clock: any WallClock, emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.library = library
    self.journal = journal
    self.clock = clock
    self.emit = emit
  }

  /// Ends early when its task is cancelled, with every file at a path that the queue knows.
  package func run(_ moves: [PlannedMove]) throws(Failure) {
    var waiting = moves.map { move in
      Step(
        move: move, leaves: journal.item(move.id)?.state.storedFile.map { naming.key($0.path) },
        wants: naming.key(move.path(naming, attempt: move.nameAttempt)))
    }
    while !waiting.isEmpty, !Task.isCancelled {
      let inUse = Set(waiting.compactMap(\.leaves))
      let ready = waiting.filter { !inUse.contains($0.wants) }
      try carry(ready.map(\.move), aside: false)
      waiting.removeAll { !inUse.contains($0.wants) }
      // One file that goes in front may push on a thousand others, each of which waits for the one before it.
      guard ready.count < MoveGroup.maximum, ready.count < waiting.count else { continue }
      try carry(waiting.map(\.move), aside: true)
      return try carry(waiting.map(\.move), aside: false)
    }
  }

  private struct Step {
    let move: PlannedMove
    /// Nil when the item has no file any more.
    let leaves: NameKey?
    let wants: NameKey
  }

  private func carry(_ moves: [PlannedMove], aside: Bool) throws(Failure) {
    var rest = moves[...]
    while !rest.isEmpty, !Task.isCancelled {
      var group = MoveGroup(Array(rest.prefix(MoveGroup.maximum)), aside: aside, at: self)
      rest = rest.dropFirst(MoveGroup.maximum)
      try group.move()
    }
  }
}
