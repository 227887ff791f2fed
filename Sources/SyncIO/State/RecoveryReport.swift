// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// What was found out of order when the state was opened, and what was made of it.
package struct RecoveryReport: Equatable, Sendable {
  package enum Restoration: Equatable, Sendable {
    /// From the queue file before it and the journals since.
    case previous
    /// From the journal alone: there was no queue file before it.
    case journal
  }

  /// Items that a run was at when it ended; the next plan queues them again.
  package var interruptedItems = 0
  package var damagedLines = 0
  package var missingRecords = 0
  package var isTailTorn = false
  /// Nil: the queue file was readable.
  package var restoration: Restoration?
  /// Why the queue file could not be read; nil when it was missing or readable.
  package var problem: QueueFileProblem?
  /// Names, in the state folder, of what was kept aside.
  package var keptAside: [String] = []

  package init() {}

  package var isEmpty: Bool { self == RecoveryReport() }

  /// The same for reports and warnings.
  package var notes: [RecoveryNote] {
    var notes: [RecoveryNote] = []
    if restoration != nil {
      notes.append(
        .restoredFromPrevious(keptAside: keptAside.first { $0.hasPrefix("\(StateFolder.File.queue.rawValue).") }))
    }
    if damagedLines + missingRecords > 0 { notes.append(.journalLinesDamaged(damagedLines + missingRecords)) }
    if isTailTorn { notes.append(.journalTailTorn) }
    if interruptedItems > 0 { notes.append(.itemsRequeued(interruptedItems)) }
    return notes
  }
}
