// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The groups of a plan's text, in their order. Items that are already in place have no group.
enum PlanGroup: String, CaseIterable {
  case removing = "Removing"
  case evicting = "Evicting"
  case coming = "Coming"
  case moving = "Moving"
  case pushing = "Pushing"
  case waiting = "Waiting"
  case orphans = "Orphans"
  case givenUp = "Given up"

  private var actions: Set<Step.Action> {
    switch self {
    case .removing: [.remove]
    case .evicting: [.evict]
    case .coming: [.download, .resume, .adopt, .upgrade]
    case .moving: [.move]
    case .pushing: [.push]
    case .waiting: [.defer]
    case .orphans, .givenUp: []
    }
  }

  /// The group's items in `plan`; empty when the plan has none.
  func items(of plan: Plan, _ invocation: Invocation) -> [TextRow] {
    switch self {
    case .orphans: plan.keptOrphans.compactMap(TextRow.init)
    case .givenUp: plan.skipped.filter(\.reason.isNews).map { TextRow($0, invocation) }
    default: plan.steps(where: actions.contains).compactMap(TextRow.init)
    }
  }

  /// Other things that belong to the group but are not an item's file.
  func others(of plan: Plan) -> [TextRow] {
    switch self {
    case .evicting where plan.emptiesTrash:
      [
        TextRow(
          sign: "-", tone: .bad, subject: "the trash", bytes: plan.storage.trash > .zero ? plan.storage.trash : nil,
          note: plan.count(.remove) > 0
            ? "with what is removed now: room is needed" : "room is needed; undo cannot bring it back")
      ]
    case .removing where plan.emptiesTrash && plan.count(.remove) > 0:
      [
        TextRow(
          sign: "!", tone: .bad, subject: "not into the trash", bytes: nil,
          note: "the trash is emptied, as room is needed: undo cannot bring these back")
      ]
    case .removing where plan.expiresTrash && !plan.emptiesTrash:
      [TextRow(sign: "-", tone: .bad, subject: "old trash", bytes: nil, note: "older than storage.trash.keep")]
    default: []
    }
  }

  /// `Coming: 3 items, 9.20 MiB`.
  func heading(_ items: [TextRow], _ others: [TextRow]) -> String {
    let bytes = (items + others).compactMap(\.bytes).sum()
    let unknown = self == .coming ? items.count { $0.bytes == nil } : 0
    let parts = [
      items.isEmpty ? nil : items.count.counted(self == .pushing ? "change" : "item"),
      bytes == .zero ? nil : bytes.words,
      unknown == 0 ? nil : unknown == items.count ? "of unknown size" : "\(unknown) of unknown size",
    ]
    let words = parts.compactMap(\.self).joined(separator: ", ")
    return words.isEmpty ? rawValue : "\(rawValue): \(words)"
  }
}

extension Plan {
  /// Files that stay although no playlist names them any more.
  fileprivate var keptOrphans: [Step] {
    steps.indices.filter { steps[$0].isKept && steps[$0].reason == .orphanKept }.map { steps[$0] }
  }
}

extension TextRow {
  /// Returns nil for an item that the run leaves alone.
  fileprivate init?(_ step: Step) {
    guard let action = step.action, let reason = step.reason else { return nil }
    let search = step.search.map { ", search: \($0.printable)" } ?? ""
    self.init(
      sign: action.sign, tone: action.tone, subject: step.subject,
      bytes: step.bytes, note: reason.words + search)
  }

  fileprivate init(_ item: SkippedItem, _ invocation: Invocation) {
    self.init(
      sign: "!", tone: .bad, subject: item.id.called(item.title), bytes: nil,
      note: item.reason.words(id: item.id, invocation), isSentence: true)
  }
}

extension Step.Action {
  /// One character in front of a line.
  var sign: String {
    switch self {
    case .download: "+"
    case .resume: "»"
    case .adopt: "="
    case .upgrade, .move: "~"
    case .remove, .evict: "-"
    case .push: "↑"
    case .defer: "…"
    case .keep: " "
    }
  }

  var tone: TextStyle.Tone {
    switch self {
    case .download, .resume, .adopt, .move, .push: .good
    case .remove, .evict: .bad
    case .defer, .upgrade: .notable
    case .keep: .faint
    }
  }
}

extension Step {
  /// The name of its line.
  fileprivate var subject: String {
    if case .push(let push) = self {
      let isOfPlaylist = push.item.queued.id.text == push.playlist.text
      return isOfPlaylist ? push.playlist.text.printable : "\(push.playlist.text.printable): \(title.printable)"
    }
    return path?.text.printable ?? id.called(title)
  }
}
