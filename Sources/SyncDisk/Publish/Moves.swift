// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Moves finished files to the paths that the plan gives them, without overwriting anything.
///
/// Two files may want each other's path, or a path of a chain of moving files. Files go first whose wanted path no
/// waiting file occupies. Where few can go, the rest is set aside under temporary names, and then no path is in use any
/// more.
package struct Moves {
  let library: Library
  let ledger: JournaledQueue
  let clock: any WallClock
  let emit: @Sendable (RunEvent) -> Void

  private var naming: FileNaming { library.rules.naming }

  package init(
    library: Library, ledger: JournaledQueue, clock: any WallClock, emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.library = library
    self.ledger = ledger
    self.clock = clock
    self.emit = emit
  }

  /// Ends early when its task is cancelled, with every file at a path that the queue knows.
  package func run(_ moves: [PlannedMove]) throws(Failure) {
    var waiting = moves.map { move in
      Step(
        move: move, leaves: ledger.item(move.id)?.state.storedFile.map { naming.key($0.path) },
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
