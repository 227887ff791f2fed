// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension CollectionImport {
  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-import-files")
      writer.field("version", 1)
      writer.field("dry_run", isDryRun)
      writer.field("folder", folder)
      writer.array("files") { writer in for line in lines { line.write(to: &writer) } }
      writer.array("ambiguous") { writer in
        for doubt in doubts {
          writer.object { writer in
            writer.field("rule", doubt.rule.rawValue)
            writer.array("items") { writer in for id in doubt.items { writer.value(id.text) } }
            writer.array("files") { writer in for path in doubt.files { writer.value(path.text) } }
          }
        }
      }
      writer.array("near_misses") { writer in for miss in nearMisses { miss.write(to: &writer) } }
      writer.array("unmatched") { writer in for path in unmatched { writer.value(path.text) } }
      writer.field("imported", imported.count)
      writer.field("bytes_imported", imported.map(\.size).sum().bytes)
      writer.field("lacking", stillLacking)
      writer.array("warnings") { writer in for words in unreadParts + otherWarnings { writer.value(words) } }
      writer.field("error", stopped.map { CollectionWords.stopped($0) })
    }
    writer.endLine()
    return writer.bytes
  }

  /// For people; ends with a newline.
  package func text(style: TextStyle) -> String { style.text { textLines(style) } }

  /// The parts of the collection that could not be looked at, for people.
  package var warnings: [String] { CollectionWords.unread(unreadParts) + otherWarnings }

  private var unreadParts: [String] {
    unread.refused.map(\.words) + unread.files.sorted { $0.key < $1.key }.map(\.value.words)
  }

  private var otherWarnings: [String] {
    var warnings: [String] = []
    if unread.links > 0 { warnings.append(CollectionWords.links(unread.links)) }
    if unread.unnamed > 0 { warnings.append(CollectionWords.unnamed(unread.unnamed)) }
    if let tagProblem { warnings.append(CollectionWords.noTags(tagProblem)) }
    return warnings
  }

  private var imported: [Line] { lines.filter(\.isImported) }

  private func textLines(_ style: TextStyle) -> [String] {
    var rows = TextRows(style)
    for line in lines { rows.add(line.row(isDryRun: isDryRun)) }
    for doubt in doubts {
      rows.add(
        TextRow(
          sign: "?", tone: .notable, subject: CollectionWords.doubt(doubt), note: doubt.rule.words, isSentence: true,
          kind: "ambiguous"))
    }
    guard style.limit == nil else { return rows.lines + summary + hints }
    for miss in nearMisses {
      rows.add(
        TextRow(
          sign: "~", tone: .notable, subject: CollectionWords.nearMiss(miss), note: miss.gap.words, isSentence: true))
    }
    let near = Set(nearMisses.map(\.file))
    for path in unmatched where !near.contains(path) {
      rows.add(
        TextRow(sign: " ", tone: .faint, subject: path.text.printable, note: "belongs to no item that lacks one"))
    }
    return rows.lines + summary
  }

  private var hints: [String] {
    let files = Set(nearMisses.map(\.file)).count
    return files > 0 ? [CollectionWords.nearMisses(files)] : []
  }

  private var summary: [String] {
    let planned = lines.filter { $0.outcome == .planned }
    let size = (isDryRun ? planned : imported).map(\.size).sum().words
    let count = (isDryRun ? planned : imported).count
    let done =
      isDryRun ? "\(count.counted("file")), \(size), would be imported" : "imported \(count.counted("file")), \(size)"
    let rest = joinedCounts([
      (lines.count { if case .failed = $0.outcome { true } else { false } }, "failed"),
      (lines.count { if case .deferred = $0.outcome { true } else { false } }, "without room"),
      (isDryRun ? 0 : planned.count, "not begun"), (doubts.count, "ambiguous"),
    ])
    var text = [rest.isEmpty ? done : "\(done); \(rest)"]
    if !doubts.isEmpty { text.append("nothing ambiguous was taken: \(CollectionWords.adviceForDoubts)") }
    if !unmatched.isEmpty {
      text.append(CollectionWords.unmatched(unmatched.count, in: folder))
    }
    if stillLacking > 0 { text.append(CollectionWords.lacking(stillLacking)) }
    if let stopped { text.append(CollectionWords.stopped(stopped)) }
    return text
  }
}

extension CollectionImport.Line {
  fileprivate var isImported: Bool {
    switch outcome {
    case .done, .copiedOnly: true
    case .planned, .failed, .deferred: false
    }
  }

  fileprivate func row(isDryRun: Bool) -> TextRow {
    let way = "\(from.text.quoted), \(rule.words)"
    let move = method == .move
    switch outcome {
    case .planned where isDryRun:
      return row("+", .good, "\(method == .adopt ? "is there: " : move ? "move from " : "copy of ")\(way)", "to import")
    case .planned: return row(" ", .faint, "not begun: \(way)", "not begun")
    case .done:
      let done = method == .adopt ? "was there: " : move ? "moved from " : "copied from "
      return row("+", .good, done + way, "imported")
    case .copiedOnly(let error): return row("!", .notable, CollectionWords.copiedOnly(error), "copied only")
    case .failed(let failure): return row("!", .bad, "\(from.text.quoted): \(failure.words)", "failed")
    case .deferred(let shortage): return row("!", .bad, "\(shortage.reason.words) for \(way)", "without room")
    }
  }

  private func row(_ sign: String, _ tone: TextStyle.Tone, _ note: String, _ kind: String) -> TextRow {
    TextRow(sign: sign, tone: tone, subject: path.text.printable, bytes: size, note: note, kind: kind)
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", id.text)
      writer.field("title", title)
      writer.field("playlist", playlist?.text)
      writer.field("from", from.text)
      writer.field("path", path.text)
      writer.field("bytes", size.bytes)
      writer.field("rule", rule.rawValue)
      writer.field("confidence", rule.confidence.rawValue)
      writer.field("method", method.rawValue)
      writer.field("outcome", outcome.name)
      switch outcome {
      case .planned, .done: break
      case .copiedOnly(let error): writer.field("error", CollectionWords.copiedOnly(error))
      case .failed(let failure): writer.field("error", failure.words)
      case .deferred(let shortage): writer.field("error", shortage.reason.words)
      }
    }
  }
}

extension CollectionImport.NearMiss {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", id.text)
      writer.field("title", title)
      writer.field("file", file.text)
      writer.field("reason", gap.name)
      writer.field("message", gap.words)
    }
  }
}

extension CollectionImport.Outcome {
  fileprivate var name: String {
    switch self {
    case .planned: "planned"
    case .done: "imported"
    case .copiedOnly: "copied_only"
    case .failed: "failed"
    case .deferred: "deferred"
    }
  }
}
