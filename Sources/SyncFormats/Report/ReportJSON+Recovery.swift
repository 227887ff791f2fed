// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension RunReport {
  /// The problems at the beginning of the run; empty when there were none.
  private var recoveryNotes: [RecoveryNote] {
    warnings.compactMap { if case .recovered(let note) = $0 { note } else { nil } }
  }

  /// Writes the member `recovery`, which is left out when there were no problems.
  func writeRecovery(_ writer: inout JSONWriter) {
    let notes = recoveryNotes
    guard !notes.isEmpty else { return }
    let aside = notes.flatMap(\.namesAside)
    writer.object("recovery") { writer in
      for note in notes { note.writeFields(&writer) }
      guard !aside.isEmpty else { return }
      writer.array("kept_aside") { writer in for name in aside { writer.value(name) } }
    }
  }

  /// Writes the member `clock`, which is left out when the clock is credible.
  func writeClock(_ writer: inout JSONWriter) {
    for case .implausibleClock(let now, let latest) in warnings {
      writer.object("clock") { writer in
        writer.field("plausible", false)
        writer.field("now", now.rfc3339)
        writer.field("latest_seen", latest.rfc3339)
      }
    }
  }
}

extension RecoveryNote {
  /// The files that are kept aside, as far as this note names them.
  fileprivate var namesAside: [String] {
    if case .keptAside(let names) = self { return names }
    return keptAside.map { [$0] } ?? []
  }

  fileprivate func writeFields(_ writer: inout JSONWriter) {
    switch self {
    case .itemsRequeued(let count): writer.field("items_requeued", count)
    case .removalsFinished(let count): writer.field("removals_finished", count)
    case .journalTailTorn: writer.field("journal_torn", true)
    case .journalLinesDamaged(let count): writer.field("journal_lines_damaged", count)
    case .journalUnreadable: writer.field("journal_unreadable", true)
    case .runForgotten: writer.field("last_run_lost", true)
    case .restored(let origin, let problem, _):
      writer.field("restored_from", origin.rawValue)
      writer.field("queue_file", problem == nil ? "missing" : "unreadable")
      writer.field("problem", problem)
    case .keptAside, .strangerPutAside: break
    case .checksRenewed: writer.field("checks_renewed", true)
    case .linesEdited(let ids): writer.array("lines_edited") { writer in for id in ids { writer.value(id.text) } }
    case .linesRestored(let ids): writer.array("lines_restored") { writer in for id in ids { writer.value(id.text) } }
    case .linesLost(let ids, let problem):
      writer.array("lines_lost") { writer in for id in ids { writer.value(id.text) } }
      writer.field("problem", problem)
    case .decisionsDamaged(let problem, _): writer.field("decisions_damaged", problem)
    case .playsDamaged(let lines, _): writer.field("plays_damaged", lines)
    case .playsTorn: writer.field("plays_torn", true)
    case .playsUnusable: writer.field("plays_unusable", true)
    case .clockDamaged: writer.field("clock_damaged", true)
    case .stockResumed: writer.field("stock_resumed", true)
    case .stockTaken(let stock):
      writer.field("takes_stock", true)
      writer.field("adopted", stock.adopted)
      writer.field("lacking", stock.lacking)
      writer.array("unmatched") { writer in for path in stock.unmatched { writer.value(path.text) } }
    }
  }
}
