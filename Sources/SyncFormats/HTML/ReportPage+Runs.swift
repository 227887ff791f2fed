// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The sections about the runs.
extension ReportPage {
  func transfers(_ page: inout HTMLWriter) {
    guard health.success.all > 0 else { return page.element("p", "Nothing was fetched in these runs.") }
    page.table(
      "How the transfers of \(runs.count.counted("run")) went", ["Rate", "Share", "Cases", "Aim"],
      health.rates.filter { $0.rate.all > 0 }.map { row in
        [
          .text(row.name), row.rate.isReached ? .number(row.rate.shareWords) : .bad(row.rate.shareWords),
          .long("\(row.rate.good) of \(row.rate.all) \(row.words)"), .number(row.rate.aimWords),
        ]
      })
    let bands = RateBand.bands(of: runs)
    let most = bands.map(\.count).max() ?? 0
    page.table(
      "Completed transfers by their rate", ["Rate", "Transfers", "Share of the most"],
      bands.map { [.text($0.name), .number(String($0.count)), .bar(Double($0.count) / Double(max(1, most)), "")] })
    guard let most = health.failures.first?.count else { return }
    page.table(
      "Failures by kind and host", ["Failure", "Times", "Share of the most", "Last message"],
      health.failures.map {
        [.text($0.what), .number(String($0.count)), .bar(Double($0.count) / Double(most), ""), .long($0.message)]
      })
  }

  /// The changes of playlists, the newest run first.
  func syncs(_ page: inout HTMLWriter) {
    let rows = runs.reversed().flatMap { run in run.lists.map { (run.startedAt, $0) } }
    page.table(
      "The changes of playlists that these runs exchanged with servers, the newest run first",
      ["Run", "Playlist", "Change", "Song", "Why"],
      rows.prefix(Self.mostRows).map { time, line in
        [
          .time(time), .text(line.playlist),
          line.direction == .conflicts ? .bad(line.direction.words) : .text(line.direction.words), .text(line.title),
          .long(line.reason),
        ]
      })
  }

  func pastRuns(_ page: inout HTMLWriter) {
    page.table(
      "The kept runs, the newest first", ["Began", "Took", "Outcome", "Done", "Fetched", "Library"],
      runs.reversed().map { run in
        let outcome = "\(run.outcome.rawValue) (exit \(run.status))"
        return [
          .time(run.startedAt), .number(Duration.seconds(run.seconds).spanWords),
          run.outcome == .ok ? .text(outcome) : .bad(outcome), .text(run.doneWords),
          .number(run.totals.bytesDownloaded.words), .number(run.storage?.used.words ?? ""),
        ]
      })
  }

  /// Each warning once, the newest first.
  func warnings(_ page: inout HTMLWriter) {
    var known: [String: Int] = [:]
    var rows: [(words: String, last: Timestamp, runs: Int)] = []
    for run in runs.reversed() {
      for words in Set(run.warnings).sorted() {
        if let row = known[words] {
          rows[row].runs += 1
        } else {
          known[words] = rows.count
          rows.append((words, run.startedAt, 1))
        }
      }
    }
    page.table(
      "What the runs warned about, the newest first", ["Last run", "Runs", "Warning"],
      rows.prefix(Self.mostRows).map { [.time($0.last), .number(String($0.runs)), .long($0.words)] })
  }

  func everything(_ page: inout HTMLWriter) {
    let count = runs.map(\.lines.count).reduce(0, +)
    guard count > 0 else { return page.element("p", "No item was touched in these runs.") }
    page.element("label", ["hidden": ""]) { page in
      page.write("Search")
      page.open("input", ["id": "search", "type": "search", "aria-describedby": "found", "autocomplete": "off"])
    }
    page.element("p", ["id": "found", "role": "status"], "")
    if count > Self.mostRows {
      page.element("p", "The newest \(Self.mostRows) of \(count) lines: the reports of the runs have all of them.")
    }
    var left = Self.mostRows
    for run in runs.reversed() where !run.lines.isEmpty && left > 0 {
      let lines = run.lines.prefix(left)
      left -= lines.count
      page.table(
        "Run of \(run.startedAt.pageWords)", ["Outcome", "Item", "Playlist", "Size", "Took", "Why"], lines.map(cells))
    }
  }

  private func cells(_ line: KeptRun.Line) -> [HTMLCell] {
    [
      line.error == nil ? .text(line.outcomeWords) : .bad(line.outcomeWords), .text(line.shownName),
      .text(line.playlist ?? ""), .number(line.bytes > .zero ? line.bytes.words : ""),
      .number(line.seconds > 0 ? Duration.seconds(line.seconds).spanWords : ""),
      .long(line.error?.message ?? line.reason ?? ""),
    ]
  }
}

extension KeptRun.Line {
  /// The outcome in one word.
  var outcomeWords: String {
    switch outcome {
    case .completed, .removed: action.doneWord
    case .unchanged: "not begun"
    case .failedBefore: "failed earlier"
    case .failed, .deferred, .paused: outcome.rawValue
    }
  }
}

/// A band of transfer rates, ten times as wide as the one below it.
private struct RateBand {
  var name: String
  var count = 0

  private static let limits: [Int64] = [100_000, 1_000_000, 10_000_000, 100_000_000]

  /// The bands up to the last that holds a transfer.
  static func bands(of runs: [KeptRun]) -> [RateBand] {
    let names = limits.map { ByteCount($0).rateWords }
    var bands = [RateBand(name: "below \(names[0])")]
    bands += zip(names, names.dropFirst()).map { RateBand(name: "\($0) to \($1)") }
    bands.append(RateBand(name: "\(names[names.count - 1]) and more"))
    for line in runs.lazy.flatMap(\.lines) where line.isTransfer && line.outcome == .completed {
      guard line.seconds > 0 else { continue }
      let rate = Double(line.bytes.bytes) / line.seconds
      bands[limits.count { Double($0) <= rate }].count += 1
    }
    return bands
  }
}

extension ByteCount {
  fileprivate var rateWords: String { SizeUnits.$shown.withValue(.decimal) { "\(words)/s" } }
}

extension KeptRun.ListLine.Direction {
  fileprivate var words: String {
    switch self {
    case .pulled: "from the server"
    case .pushed: "to the server"
    case .merged: "on both sides"
    case .conflicts: "conflict"
    }
  }
}
