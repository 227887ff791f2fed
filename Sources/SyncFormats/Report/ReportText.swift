// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A run's report for people.
package struct ReportText: Sendable {
  private let report: RunReport
  private let style: TextStyle

  package init(_ report: RunReport, style: TextStyle) {
    self.report = report
    self.style = style
  }

  /// Ends with a newline.
  package var text: String { style.text { lines } }

  private var lines: [String] {
    var lines = sections + ListSyncText(report.lists, style: style).lines
    lines += style.lines(report.warnings + untoldProblems)
    if let failure = report.storageFailure {
      lines.append(style.tinted("stopped: ", .bad) + failure.words + ". What was finished is safe.")
    }
    if let stop = report.safetyStop {
      lines.append(style.tinted("refused: ", .bad) + stop.words(style.invocation).sentence)
    }
    if let played = report.history.words { lines.append(style.tinted("history: ", .faint) + played + ".") }
    for history in report.history {
      if let pushed = history.push?.words { lines.append(style.tinted("\(history.path): ", .faint) + pushed + ".") }
    }
    if !lines.isEmpty { lines.append("") }
    lines.append(summary)
    if let storage { lines.append(storage) }
    return lines
  }

  /// The problems of sources without a warning. The report must give the reason for its exit status.
  private var untoldProblems: [Warning] {
    report.sources.compactMap { source in
      guard case .problem(let problem) = source.outcome else { return nil }
      if case .unreachable = problem, isOffline { return nil }
      if case .server(let name, let cause) = problem {
        let warning = Warning.serverNotRead(name, cause)
        return report.warnings.contains(warning) ? nil : warning
      }
      let isTold = report.warnings.contains { warning in
        if case .sourceNotWhole(source.playlist, problem, _) = warning { true } else { false }
      }
      return isTold ? nil : .sourceNotWhole(source.playlist, problem)
    }
  }

  /// True if there was no network, which is reported once for everything that it prevents.
  private var isOffline: Bool { report.warnings.contains(.offline) }

  private var sections: [String] {
    var rows = TextRows(style)
    for line in report.lines { if let row = row(line) { rows.add(row) } }
    let skipped = report.skipped.filter(\.reason.isNews).map { item in
      "  \(style.tinted("!", .bad)) \(item.id.called(item.title)): \(item.reason.words(id: item.id, style.invocation))"
    }
    return rows.lines + skipped.bounded(style, kind: "failed or cancelled earlier")
  }

  private func row(_ line: RunReport.Line) -> TextRow? {
    if style.hasToldFiles, line.outcome == .completed || line.outcome == .removed { return nil }
    guard var row = untitledRow(line) else { return nil }
    row.kind = line.kindWords
    return row
  }

  private func untitledRow(_ line: RunReport.Line) -> TextRow? {
    let place = line.path?.text.printable ?? line.id.called(line.title)
    switch line.outcome {
    case .completed:
      return TextRow(
        sign: line.action.sign, tone: .good, subject: place, bytes: line.size ?? line.bytes, note: completionNote(line))
    case .removed:
      let why = line.reason.map { ": \($0.words)" } ?? ""
      return TextRow(
        sign: "-", tone: .bad, subject: place, bytes: line.bytes,
        note: (line.action == .evict ? "evicted" : "removed") + why)
    case .failed:
      let again =
        line.isTriedAgain
        ? "the next run tries again" : RetryWords.wayOut(of: line.error?.kind, line.id, style.invocation)
      return TextRow(
        sign: "!", tone: .bad, subject: line.id.called(line.title), bytes: nil,
        note: "failed: " + (line.error?.message ?? "") + others(line) + "; " + again)
    case .deferred:
      let why = line.reason.map { ": \($0.words)" } ?? ""
      return TextRow(sign: "…", tone: .notable, subject: place, bytes: nil, note: "deferred" + why)
    case .paused:
      guard !isOffline else { return nil }
      return TextRow(
        sign: "»", tone: .notable, subject: place, bytes: nil,
        note: line.kept > .zero ? "paused at \(line.kept.words)" : "paused before its first byte")
    case .unchanged: return nil
    }
  }

  /// The note that the alternatives failed as well.
  private func others(_ line: RunReport.Line) -> String {
    switch line.candidate {
    case 0: ""
    case 1: "; its alternative failed, too"
    case let count: "; its \(count) alternatives failed, too"
    }
  }

  private func completionNote(_ line: RunReport.Line) -> String {
    if line.action == .adopt { return "adopted: " + (line.reason?.words ?? "") }
    if case .protection(let change, _)? = line.reason { return change.done }
    if line.action == .move { return "moved: " + (line.reason?.words ?? "") }
    var notes: [String] = []
    if line.action == .upgrade { notes.append("replaced: " + (line.reason?.words ?? "")) }
    if line.resumed > .zero { notes.append("resumed at \(line.resumed.words)") }
    if line.candidate > 0 {
      let difference = line.difference.map { " (\($0.differenceWords))" } ?? ""
      notes.append(
        "\(line.origin.map { "from \($0.named.printable)" } ?? "alternative \(line.candidate)")\(difference)")
    }
    if line.retries > 0 { notes.append(line.retries == 1 ? "1 retry" : "\(line.retries) retries") }
    if line.confidence == .low { notes.append("low confidence") }
    return notes.joined(separator: ", ")
  }

  /// The work of the run in one line.
  var summary: String {
    let totals = report.totals
    let still = report.skipped.count(where: \.reason.isFailure)
    let parts = joinedCounts([
      (totals.downloaded, "downloaded (\(transferWords(of: [.download, .resume])))"),
      (totals.upgraded, "replaced (\(transferWords(of: [.upgrade])))"),
      (totals.adopted, "adopted"),
      (totals.moved, "moved"), (unmoved, "not moved"),
      (totals.removed, "removed"), (totals.evicted, "evicted"), (totals.deferred, "deferred"),
      (totals.pushed, totals.pushed == 1 ? "change pushed" : "changes pushed"),
      (totals.failed, "failed"), (still, "failed in an earlier run"),
      (report.lines.count { $0.outcome == .paused }, isOffline ? "waiting for a network" : "paused"),
      (isOffline ? 0 : report.notBegun, "not begun"),
      (isOffline ? 0 : unreadSources, unreadSources == 1 ? "source not read" : "sources not read"),
      (report.heldBack, "held back by --no-download"),
      (
        report.trashFiles,
        "\(report.trashFiles == 1 ? "file" : "files") of the trash deleted for room (\(report.trashBytes.words))"
      ),
      (
        report.cleanedFiles,
        "leftover \(report.cleanedFiles == 1 ? "file" : "files") cleared away"
          + (report.cleanedBytes == .zero ? "" : " (\(report.cleanedBytes.words))")
      ),
      (totals.retries, totals.retries == 1 ? "retry" : "retries"),
    ])
    let changed = min(totals.unchanged, report.warnings.changedByOthers)
    let stay = joinedCounts([
      (totals.unchanged - changed, "already in place"), (changed, "changed by somebody and left alone"),
    ])
    let head = style.tinted("\(report.name.printable): ", .strong)
    let isWhole = report.safetyStop == nil && report.storageFailure == nil && report.status.endedByItself
    let idle = isOffline ? "nothing could be asked" : "nothing to do"
    let nothing = isWhole ? idle : "nothing was done"
    return head + (parts.isEmpty ? nothing : parts) + (stay.isEmpty ? "" : "; \(stay)") + ". "
      + style.tinted("\(Duration.seconds(report.seconds).spanWords), exit \(report.status.rawValue)", .faint)
  }

  private var unmoved: Int {
    report.warnings.count { if case .notMoved = $0 { true } else { false } }
  }

  private var unreadSources: Int {
    report.sources.count { if case .problem = $0.outcome { true } else { false } }
  }

  private func transferWords(of actions: Set<Step.Action>) -> String {
    let lines = report.lines.filter { $0.outcome == .completed && actions.contains($0.action) }
    let resumed = lines.count { $0.resumed > .zero }
    let alternatives = lines.count { $0.candidate > 0 }
    var words = lines.map(\.bytes).sum().words
    if resumed > 0 { words += ", \(resumed) resumed" }
    if alternatives > 0 { words += ", \(alternatives) from alternatives" }
    return words
  }

  private var storage: String? {
    guard let storage = report.storage else { return nil }
    return style.tinted("Library: ", .strong) + storage.words
  }
}

extension StorageSummary {
  /// The use of the library and the room on its disk, in one sentence.
  package var words: String {
    var line = used.words
    if let budget, let usage { line += " of \(budget.words) (\(usage.percentWords))" }
    return line + trashWords + "; \(free.words) free on the file system."
  }

  /// The part of the library that is in the trash, behind its size. Empty if the trash is.
  var trashWords: String {
    trashFiles > 0 ? ", \(trash.words) of it in the trash (\(trashFiles.counted("file")))" : ""
  }
}

extension RunReport.Line {
  /// The word with which such lines are counted.
  fileprivate var kindWords: String {
    switch outcome {
    case .completed, .removed: action.doneWord
    case .failed, .deferred, .paused, .unchanged: outcome.rawValue
    }
  }
}

extension Step.Action {
  /// What was done to an item once the action is complete.
  var doneWord: String {
    switch self {
    case .adopt: "adopted"
    case .move: "moved"
    case .upgrade: "replaced"
    case .evict: "evicted"
    case .push: "pushed"
    case .remove: "removed"
    case .download, .resume: "downloaded"
    case .defer: "deferred"
    case .keep: "kept"
    }
  }
}
