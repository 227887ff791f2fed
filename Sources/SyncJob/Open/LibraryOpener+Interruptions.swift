// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

extension LibraryOpener {
  /// Settles interrupted moves and upgrades. Call this before the place of any file is used.
  func finishInterruptedMoves(_ library: Library, _ ledger: JournaledQueue) throws(JobError) {
    let (moves, upgrades) = (InterruptedMoves(library: library), InterruptedUpgrades(library: library))
    let queue = ledger.queue
    let settled: [QueueItem]
    do throws(FileError) {
      let moved = try moves.settled(queue)
      try moves.finish(queue)
      // An old file that cannot be removed keeps its item.
      try upgrades.finish(queue)
      settled = try moved + upgrades.settled(queue)
    } catch { throw .file(error) }
    try apply(settled.map { .item($0) }, ledger)
  }
}
