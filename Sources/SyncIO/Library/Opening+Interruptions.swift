// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

extension Job {
  /// Before anybody asks where a file is.
  func settleMoves(_ library: Library, _ ledger: Ledger) throws(JobError) {
    let (moves, upgrades) = (InterruptedMoves(library: library), InterruptedUpgrades(library: library))
    let queue = ledger.queue
    let settled: [QueueItem]
    do throws(FileError) {
      settled = try moves.settled(queue) + upgrades.settled(queue)
      try moves.finish(queue)
      try upgrades.finish(queue)
    } catch { throw .file(error) }
    try apply(settled.map { .item($0) }, ledger)
  }
}
