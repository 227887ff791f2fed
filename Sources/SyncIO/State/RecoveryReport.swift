// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// What was found out of order when the state was opened, and what was made of it.
package struct RecoveryReport: Equatable, Sendable {
  package typealias Restoration = RecoveryNote.Origin

  /// What cannot be put together any more.
  package enum Loss: Equatable, Sendable {
    /// There is no queue file to begin from: at most single records are left.
    case everything
    /// The changes of one run, as far as can be told.
    case lastRun
    /// Lines of the queue file, some of which may be missing without a trace.
    case lines
  }

  /// Items that a run was at when it ended; the next plan queues them again.
  package var interruptedItems = 0
  package var damagedLines = 0
  package var missingRecords = 0
  package var isTailTorn = false
  /// Nil: the queue file was readable.
  package var restoration: Restoration?
  package var loss: Loss?
  /// Nil: the queue file's checks are right, or it has none.
  var lines: LineRepairs?
  /// Why the queue file could not be read; nil when it was missing or readable.
  package var problem: QueueFileProblem?
  /// Why the file of decisions cannot be believed as it is.
  var decisionsProblem: QueueFileProblem?
  /// Its name now.
  var decisionsAside: String?
  /// Names, in the state folder, of what was kept aside.
  package var keptAside: [String] = []

  package init() {}

  package var isEmpty: Bool { self == RecoveryReport() }

  /// What was recorded last may be missing in the queue.
  var isLossy: Bool { loss != nil || damagedLines + missingRecords > 0 || isTailTorn }

  /// The same for reports and warnings.
  package var notes: [RecoveryNote] {
    var notes: [RecoveryNote] = []
    if let restoration {
      let name = keptAside.first { $0.hasPrefix("\(StateFolder.File.queue.rawValue).") }
      notes.append(.restored(from: restoration, problem: problem?.words, keptAside: name))
    }
    if let lines { notes += lines.notes(problem: restoration == nil ? problem?.words : nil, loss: loss) }
    if damagedLines + missingRecords > 0 { notes.append(.journalLinesDamaged(damagedLines + missingRecords)) }
    if isTailTorn { notes.append(.journalTailTorn) }
    if interruptedItems > 0 { notes.append(.itemsRequeued(interruptedItems)) }
    notes += decisionNotes
    let untold = keptAside.filter { name in !notes.contains { $0.keptAside == name } }
    if !untold.isEmpty { notes.append(.keptAside(untold)) }
    return notes
  }
}

extension RecoveryReport {
  /// Of the file of decisions alone.
  var decisionNotes: [RecoveryNote] {
    decisionsProblem.map { [.decisionsDamaged(problem: $0.words, keptAside: decisionsAside)] } ?? []
  }
}

extension LineRepairs {
  fileprivate func notes(problem: String?, loss: RecoveryReport.Loss?) -> [RecoveryNote] {
    var notes: [RecoveryNote] = []
    if loss == .lines {
      notes.append(.linesLost(lost, problem: problem))
    } else if !restored.isEmpty || isRestoredOutside {
      notes.append(.linesRestored(restored))
    }
    if !edited.isEmpty { notes.append(.linesEdited(edited)) }
    return notes.isEmpty ? [.checksRenewed] : notes
  }
}
