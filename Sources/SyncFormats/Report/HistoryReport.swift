// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension HistorySummary {
  /// Writes it as a member of `history` in the report.
  func write(_ writer: inout JSONWriter) { writer.object { writer in writeMembers(&writer) } }

  private func writeMembers(_ writer: inout JSONWriter) {
    let problem = problem ?? push?.problem ?? push?.feeds.problem
    writer.field("source", source.rawValue)
    writer.field(source.isServer ? "server" : "path", path)
    writer.field("outcome", problem == nil ? "read" : problem == .missing ? "missing" : "problem")
    writer.field("message", problem?.words(path: path))
    writer.field("read", counts.read)
    writer.field("matched", counts.matched)
    writer.field("counted", counts.counted)
    writer.field("known", counts.known)
    writer.field("unheard", counts.unheard)
    writer.field("unmatched", counts.unmatched)
    writer.field("ambiguous", counts.ambiguous)
    writer.field("refused", counts.refused)
    writer.field("passed_over", counts.passedOver)
    if let push {
      writer.field("pushed", push.pushed)
      writer.field("waiting", push.waiting)
      writer.field("dropped", push.dropped)
      if push.feeds.subscribed > 0 { writer.field("subscribed", push.feeds.subscribed) }
    }
  }
}

/// The result of an import of a history, for people and programs.
package struct HistoryImportReport: Sendable {
  private let kind: HistorySource.Kind
  private let summary: HistorySummary
  /// The number of items whose count, last play or position changed.
  private let items: Int
  private let isDryRun: Bool

  package init(_ kind: HistorySource.Kind, _ summary: HistorySummary, items: Int, isDryRun: Bool) {
    self.kind = kind
    self.summary = summary
    self.items = items
    self.isDryRun = isDryRun
  }

  /// Ends with a newline.
  package var text: String {
    let verb = isDryRun ? "would change" : "changed"
    let lines = [
      "\(kind.words), \(summary.path.quoted): \(isDryRun ? summary.conditionalWords : summary.words)",
      "\(verb) \(items.counted("item"))",
    ]
    return (lines + [summary.hint].compactMap(\.self)).joined(separator: "\n") + "\n"
  }

  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-history")
      writer.field("version", 1)
      writer.field("dry_run", isDryRun)
      writer.field("items", items)
      writer.key("history")
      summary.write(&writer)
    }
    writer.endLine()
    return writer.bytes
  }
}
