// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The results of syncs for people: a line for each playlist, and a line for each change and conflict.
package struct ListSyncText: Sendable {
  private let results: [ListSyncResult]
  private let style: TextStyle

  package init(_ results: [ListSyncResult], style: TextStyle) { (self.results, self.style) = (results, style) }

  package var lines: [String] { results.flatMap(lines) }

  private func lines(_ result: ListSyncResult) -> [String] {
    var rows: [String] = []
    rows += result.conflicts.map { conflict in
      let name = conflict.element.map { "\(result.title(of: $0).printable): " } ?? ""
      return "  \(style.tinted("!", .notable)) \(name)\(conflict.words)"
    }
    rows += result.pulled.map { row($0, .there, "↓", .good, result) }
    rows += result.pushed.map { row($0, .here, "↑", result.status == .done ? .good : .notable, result) }
    return [heading(result)] + rows.bounded(style, kind: "changed")
  }

  private func row(
    _ change: ListChange, _ origin: ListOrigin, _ sign: String, _ tone: TextStyle.Tone, _ result: ListSyncResult
  ) -> String {
    let what = change.element.map { result.title(of: $0).printable } ?? "the playlist"
    let place = change.kind == .removed ? "" : change.position.map { ", place \($0)" } ?? ""
    return "  \(style.tinted(sign, tone)) \(what): \(origin.words(change.kind))\(place)"
  }

  private func heading(_ result: ListSyncResult) -> String {
    let pushed =
      switch result.status {
      case .done: "pushed"
      case .planned: "to push"
      case .waiting: "waiting"
      }
    let counts = joinedCounts([
      (result.pulled.count, result.status == .planned ? "to pull" : "pulled"), (result.pushed.count, pushed),
      (result.merged.count, "made on both sides"),
      (result.conflicts.count, result.conflicts.count == 1 ? "conflict" : "conflicts"),
    ])
    return style.tinted("\(result.playlist.text.printable): ", .strong) + (counts.isEmpty ? "in step" : counts)
  }
}

/// The report of the command that only syncs.
package struct ListSyncReport: Sendable {
  private let report: RunReport
  private let isDryRun: Bool

  package init(_ report: RunReport, isDryRun: Bool) { (self.report, self.isDryRun) = (report, isDryRun) }

  /// Ends with a newline.
  package func text(style: TextStyle) -> String {
    style.text {
      var lines = ListSyncText(report.lists, style: style).lines
      lines += style.lines(report.warnings)
      if lines.isEmpty { lines.append("all playlists are in step with their servers") }
      return lines
    }
  }

  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-sync")
      writer.field("version", 1)
      writer.field("dry_run", isDryRun)
      writer.field("outcome", RunOutcome(report.status).rawValue)
      writer.field("exit_status", Int(report.status.rawValue))
      writer.object("totals") { writer in
        writer.field("pulled", report.lists.map(\.pulled.count).reduce(0, +))
        writer.field("pushed", report.totals.pushed)
        writer.field("merged", report.lists.map(\.merged.count).reduce(0, +))
        writer.field("conflicts", report.lists.map(\.conflicts.count).reduce(0, +))
      }
      writer.array("playlists") { writer in for list in report.lists { list.write(&writer) } }
      writer.array("warnings") { writer in for warning in report.warnings { writer.value(warning.words) } }
    }
    writer.endLine()
    return writer.bytes
  }
}
