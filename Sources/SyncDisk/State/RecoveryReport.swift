// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// The defects found when the state was opened, and the remedies.
package struct RecoveryReport: Equatable, Sendable {
  package typealias Restoration = RecoveryNote.Origin

  /// The part of the state that cannot be restored.
  package enum Loss: Equatable, Sendable {
    /// There is no queue file to begin with. At most single records are left.
    case everything
    /// The changes of one run, as far as can be told.
    case lastRun
    /// Lines of the queue file. Some may be missing without a trace.
    case lines
  }

  /// The number of items that were active when a run ended. The next plan queues them again.
  package var interruptedItems = 0
  package var damagedLines = 0
  package var missingRecords = 0
  package var isTailTorn = false
  /// Nil if the queue file was readable.
  package var restoration: Restoration?
  package var loss: Loss?
  /// Nil if the checks of the queue file are right, or if it has none.
  var lines: LineRepairs?
  /// The reason why the queue file could not be read. Nil if it was missing or readable.
  package var problem: QueueFileProblem?
  /// The reason why the decisions file cannot be trusted as it is.
  var decisionsProblem: QueueFileProblem?
  /// The present name of the damaged decisions file.
  var decisionsAside: String?
  /// The names, in the state folder, of the files that were kept aside.
  package var keptAside: [String] = []

  package init() {}

  package var isEmpty: Bool { self == RecoveryReport() }

  /// True if the latest records may be missing in the queue.
  package var isLossy: Bool { loss != nil || damagedLines + missingRecords > 0 || isTailTorn }

  /// The same facts for reports and warnings.
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
  /// The notes about the decisions file alone.
  package var decisionNotes: [RecoveryNote] {
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
