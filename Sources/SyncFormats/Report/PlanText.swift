// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A plan for people: what goes, what comes, what waits, and the totals.
package struct PlanText: Sendable {
  private let plan: Plan
  private let style: TextStyle

  package init(_ plan: Plan, style: TextStyle) {
    self.plan = plan
    self.style = style
  }

  /// Ends with a newline.
  package var text: String {
    var rows = TextRows(style)
    for change in plan.changes where change.action != .keep { rows.add(row(change)) }
    var lines = rows.lines
    if !lines.isEmpty { lines.append("") }
    lines += standing
    lines += plan.warnings.map { style.tinted("warning: ", .notable) + $0.words + "." }
    if !plan.warnings.isEmpty { lines.append("") }
    lines.append(totals)
    lines.append(storage)
    if let stop = plan.safetyStop { lines.append(style.tinted("Refused: ", .bad) + stop.words(style.invocation) + ".") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(_ change: Change) -> TextRow {
    let place = change.path?.text ?? change.title
    return TextRow(
      sign: change.action.sign, tone: change.action.tone, subject: place.printable, bytes: change.bytes,
      note: "\(change.action.verb): \(change.reason.words)")
  }

  private var standing: [String] {
    let lines = plan.standing.filter(\.standing.isNews).map { item in
      "  \(style.tinted("!", .bad)) \(item.title.printable): \(item.standing.words(id: item.id, style.invocation))"
    }
    return lines.isEmpty ? [] : lines + [""]
  }

  private var totals: String {
    let keep = plan.count(.keep)
    let parts = joinedCounts([
      (plan.count(.download), "to download (\(downloadWords))"),
      (plan.count(.resume), "to resume (\(plan.bytes(.resume).words))"), (plan.count(.adopt), "to adopt"),
      (plan.count(.move), "to move"),
      (plan.count(.remove), "to remove (\(plan.bytes(.remove).words))"),
      (plan.count(.evict), "to evict (\(plan.bytes(.evict).words))"), (plan.count(.defer), "deferred"),
      (plan.heldBack, "held back by --no-download"),
    ])
    let stay = keep == 0 ? "" : "; \(keep.counted("item")) in place"
    return style.tinted("Plan: ", .strong) + (parts.isEmpty ? "nothing to do" : parts) + stay + "."
  }

  private var downloadWords: String {
    let unknown = plan.changes.count { $0.action == .download && $0.bytes == nil }
    if unknown == 0 { return plan.bytes(.download).words }
    if unknown == plan.count(.download) { return unknown == 1 ? "of unknown size" : "of unknown sizes" }
    return "\(plan.bytes(.download).words) and \(unknown) of unknown size"
  }

  private var storage: String {
    let before = plan.storage.before.words
    let after = plan.storage.after.words
    var line = style.tinted("Library: ", .strong) + (before == after ? after : "\(before) → \(after)")
    if let budget = plan.storage.budget, let usage = plan.storage.usage {
      line += " of \(budget.words) (\(usage.percentWords))"
    }
    return line + "; \(plan.storage.free.words) free on the file system."
  }
}

extension Change.Action {
  /// One character in front of a line.
  var sign: String {
    switch self {
    case .download: "+"
    case .resume: "»"
    case .adopt: "="
    case .upgrade, .move: "~"
    case .remove, .evict: "-"
    case .defer: "…"
    case .keep: " "
    }
  }

  var tone: TextStyle.Tone {
    switch self {
    case .download, .resume, .adopt, .move: .good
    case .remove, .evict: .bad
    case .defer, .upgrade: .notable
    case .keep: .faint
    }
  }

  var verb: String { rawValue }
}
