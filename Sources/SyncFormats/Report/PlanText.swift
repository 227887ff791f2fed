// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A plan for people, in groups: what goes, what comes, what moves, what waits, what no run tries again; then the totals.
package struct PlanText: Sendable {
  private let plan: Plan
  private let style: TextStyle

  package init(_ plan: Plan, style: TextStyle) {
    self.plan = plan
    self.style = style
  }

  /// Ends with a newline.
  package var text: String { style.text { lines } }

  private var lines: [String] {
    var groups = TextGroups(style)
    for group in PlanGroup.allCases {
      let (items, others) = (group.items(of: plan, style.invocation), group.others(of: plan))
      groups.add(group.heading(items, others), items + others)
    }
    var lines = groups.lines
    if let passedOver { lines += [passedOver, ""] }
    lines += style.lines(plan.warnings)
    if !plan.warnings.isEmpty { lines.append("") }
    lines.append(totals)
    lines.append(storage)
    if let stop = plan.safetyStop { lines.append(style.tinted("Refused: ", .bad) + stop.words(style.invocation) + ".") }
    return lines
  }

  /// Counted by reason: a feed's whole past may be among them.
  private var passedOver: String? {
    var counts: [String: Int] = [:]
    for item in plan.unselected { counts[item.reason.key, default: 0] += 1 }
    for (reason, count) in plan.unlisted { counts[reason.key, default: 0] += count }
    guard !counts.isEmpty else { return nil }
    let parts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) by \($0.key)" }
    let total = style.tinted("Skipped: ", .strong) + counts.values.reduce(0, +).counted("item")
    return "\(total), \(parts.joined(separator: ", ")); --json lists them."
  }

  private var totals: String {
    let keep = plan.count(.keep)
    var parts = joinedCounts([
      (plan.count(.download), "to download (\(words(of: .download)))"),
      (plan.count(.resume), "to resume (\(plan.bytes(.resume).words))"), (plan.count(.adopt), "to adopt"),
      (plan.count(.upgrade), "to replace (\(words(of: .upgrade)))"), (plan.count(.move), "to move"),
      (plan.count(.remove), "to remove (\(plan.bytes(.remove).words))"),
      (plan.count(.evict), "to evict (\(plan.bytes(.evict).words))"), (plan.count(.push), "to push"),
      (plan.count(.defer), "deferred"),
      (plan.heldBack, "held back by --no-download"),
    ])
    if plan.emptiesTrash || plan.expiresTrash {
      parts += (parts.isEmpty ? "" : ", ") + (plan.emptiesTrash ? "the trash to empty" : "old trash to remove")
    }
    let changed = min(keep, plan.warnings.changedByOthers)
    let places = [
      keep > changed ? "\((keep - changed).counted("item")) in place" : "",
      changed > 0 ? "\(changed) changed by somebody and left alone" : "",
    ]
    let stay = places.filter { !$0.isEmpty }.joined(separator: ", ")
    return style.tinted("Plan: ", .strong) + (parts.isEmpty ? "nothing to do" : parts)
      + (stay.isEmpty ? "" : "; \(stay)") + "."
  }

  private func words(of action: Step.Action) -> String {
    let unknown = plan.steps(where: { $0 == action }).count { $0.bytes == nil }
    if unknown == 0 { return plan.bytes(action).words }
    if unknown == plan.count(action) { return unknown == 1 ? "of unknown size" : "of unknown sizes" }
    return "\(plan.bytes(action).words) and \(unknown) of unknown size"
  }

  private var storage: String {
    let before = plan.storage.before.words
    let isGuess = !plan.steps(where: { [.download, .resume, .upgrade].contains($0) }).allSatisfy { $0.bytes != nil }
    let after = (isGuess ? "~" : "") + plan.storage.after.words
    var line = style.tinted("Library: ", .strong) + (before == after ? after : "\(before) → \(after)")
    if let budget = plan.storage.budget, let usage = plan.storage.usage {
      line += " of \(budget.words) (\(isGuess ? "~" : "")\(usage.percentWords))"
    }
    return line + "; \(plan.storage.free.words) free on the file system."
  }
}
