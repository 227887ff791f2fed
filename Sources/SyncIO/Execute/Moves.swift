// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Moves finished files to the places that the plan gives them, without overwriting anything.
///
/// Two may want each other's place, or one another's that is on its way as well. First goes what wants a place that nobody
/// is to leave; when that brings no further, the rest is set aside under names of its own, and no place is in use any more.
struct Moves {
  let library: Library
  let ledger: Ledger
  let clock: any WallClock
  let tell: @Sendable (RunEvent) -> Void

  private var naming: FileNaming { library.rules.naming }

  init(library: Library, ledger: Ledger, clock: any WallClock, tell: @escaping @Sendable (RunEvent) -> Void) {
    self.library = library
    self.ledger = ledger
    self.clock = clock
    self.tell = tell
  }

  /// Ends early, with every file at a place that the queue knows, when its task is cancelled.
  func run(_ moves: [PlannedMove]) throws(Failure) {
    var waiting = moves
    var isSetAside = false
    while !waiting.isEmpty {
      let inUse = Set(waiting.compactMap { ledger.item($0.id)?.state.storedFile.map { naming.key($0.path) } })
      var ready = waiting.filter { !inUse.contains(naming.key($0.path(naming, attempt: $0.nameAttempt))) }
      if isSetAside { ready = waiting }
      if ready.isEmpty {
        try carry(waiting, aside: true)
        isSetAside = true
        continue
      }
      try carry(ready, aside: false)
      let done = Set(ready.map(\.id))
      waiting.removeAll { done.contains($0.id) }
      guard !Task.isCancelled else { return }
    }
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
