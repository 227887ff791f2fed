// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The kept reports of past runs, for people: a line for each run, and the problems of the last one.
package struct RunsText: Sendable {
  private let name: String
  private let runs: [KeptRun]
  private let count: Int
  private let style: TextStyle

  /// - Parameters:
  ///   - runs: Those to show, in their order.
  ///   - count: The number of all kept reports.
  package init(_ name: String, _ runs: [KeptRun], of count: Int, style: TextStyle) {
    (self.name, self.runs, self.count, self.style) = (name, runs, count, style)
  }

  /// Ends with a newline.
  package var text: String { style.text { lines } }

  private var lines: [String] {
    let head = style.tinted("\(name.printable): ", .strong)
    guard let last = runs.last else { return [head + "no run is on record"] }
    let shown = runs.count < count ? "the last \(runs.count) of \(count.counted("run"))" : count.counted("run")
    var all = style
    all.limit = nil
    var rows = TextRows(all)
    for run in runs { rows.add(row(run)) }
    let problems = problems(last)
    var lines = [head + shown] + rows.lines
    if !problems.isEmpty { lines += ["", style.tinted("Problems of the last run", .strong)] + problems }
    if let storage = last.storage {
      lines += ["", style.tinted("Library then: ", .strong) + storage.words]
    }
    return lines
  }

  private func row(_ run: KeptRun) -> TextRow {
    let isGood = run.outcome == .ok
    let outcome = isGood ? "" : "\(run.outcome.rawValue) (exit \(run.status)): "
    let bytes = run.totals.bytesDownloaded
    return TextRow(
      sign: isGood ? "•" : "!", tone: isGood ? .faint : run.outcome.isWait ? .notable : .bad,
      subject: run.startedAt.rfc3339, bytes: bytes > .zero ? bytes : nil,
      note: outcome + run.doneWords + ", " + Duration.seconds(run.seconds).spanWords)
  }

  private func problems(_ run: KeptRun) -> [String] {
    let failures = run.lines.filter { $0.error != nil }.map { line in
      let again = line.isTemporary ? "; the next run tries again" : ""
      return "  \(style.tinted("!", .bad)) \(line.shownName): \(line.error?.message.printable ?? "")\(again)"
    }
    // A warning begins with the playlist that it is about.
    let told = Set(run.warnings.compactMap { words in words.firstRange(of: ": ").map { words[..<$0.lowerBound] } })
    let sources = run.sources.filter { !told.contains($0.playlist[...]) }.compactMap { source in
      source.problem.map { "  \(style.tinted("!", .bad)) \(source.playlist.printable): \($0.printable)" }
    }
    let warnings = run.warnings.map { "  \(style.tinted("!", .notable)) \($0.printable)" }
    return failures.bounded(style, kind: "failed") + sources.bounded(style, kind: "sources")
      + warnings.bounded(style, kind: "warnings")
  }
}

extension KeptRun.Line {
  /// The title, or the id where a title is missing or shows nothing.
  package var shownName: String { ItemID(id)?.called(title) ?? id.printable }
}

extension RunOutcome {
  /// True if a later run goes on by itself.
  package var isWait: Bool {
    switch self {
    case .temporary, .limit, .locked, .interrupted: true
    case .ok, .partial, .storage, .safety, .failed: false
    }
  }
}

extension KeptRun {
  /// The numbers of what the run did.
  var doneWords: String {
    let unread = sources.count { $0.problem != nil }
    let parts = joinedCounts([
      (totals.downloaded, "downloaded"), (totals.upgraded, "replaced"), (totals.adopted, "adopted"),
      (totals.moved, "moved"), (totals.removed, "removed"), (totals.evicted, "evicted"),
      (totals.pushed, totals.pushed == 1 ? "change pushed" : "changes pushed"),
      (totals.deferred, "deferred"), (totals.failed, "failed"), (lines.count { $0.outcome == .paused }, "interrupted"),
      (lines.count { $0.outcome == .failedBefore }, "failed in an earlier run"),
      (unread, unread == 1 ? "source not read" : "sources not read"),
    ])
    return parts.isEmpty ? "nothing to do" : parts
  }
}

extension KeptRun {
  /// The beginning by which every document of several reports is recognised.
  package static let beginning = #"{"format":"syncjob-reports","#

  /// The kept reports as one JSON document, each as it was written.
  /// - Parameter documents: The contents of the files.
  package static func json(_ documents: [[UInt8]]) -> [UInt8] {
    var writer = JSONWriter(capacity: documents.reduce(256) { $0 + $1.count })
    writer.object { writer in
      writer.field("format", "syncjob-reports")
      writer.field("version", 1)
      writer.array("reports") { writer in
        for document in documents { writer.verbatim(document.filter { $0 != UInt8(ascii: "\n") }) }
      }
    }
    writer.endLine()
    return writer.bytes
  }
}
