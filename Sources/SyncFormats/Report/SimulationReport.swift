// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The simulated results of other policies on the recorded days, side by side.
package struct SimulationReport: Equatable, Sendable {
  private let outcomes: [Simulation.Outcome]
  private let omissions: Simulation.Omissions
  private let end: Timestamp
  /// The manifest's own score.
  private let score: StoragePolicy.Score

  /// - Parameter score: the manifest's score; it is highlighted.
  package init(
    _ outcomes: [Simulation.Outcome], omissions: Simulation.Omissions, until end: Timestamp, score: StoragePolicy.Score
  ) {
    self.outcomes = outcomes
    self.omissions = omissions
    self.end = end
    self.score = score
  }

  private var days: Int { outcomes.first?.days ?? 0 }
  private var plays: Int { outcomes.first?.plays ?? 0 }

  /// Ends with a newline.
  package func text(style: TextStyle) -> String { style.text { textLines(style) } }

  private func textLines(_ style: TextStyle) -> [String] {
    let budget = outcomes.first?.budget.map { ", with a budget of \($0.words)" } ?? ""
    var lines = [
      style.tinted("\(days.counted("day")) up to \(end.rfc3339)\(budget), \(plays.counted("play"))", .strong), "",
    ]
    lines += table(style)
    lines.append("")
    if plays == 0, omissions.earlyPlays > 0 {
      lines.append(
        "The plays of these days are of items that were not in the queue file then, so there are no hits or misses to count."
      )
    } else if plays == 0 {
      lines.append(
        "No plays were recorded in these days, so there are no hits or misses to count. See \"Play history\" in the manual."
      )
    } else {
      lines.append(
        "A play is a hit when its file was there at that moment, in a library that is updated every midnight (UTC)."
      )
    }
    if omissions.ofUnknownSize > 0 {
      lines.append(
        "Left out: \(omissions.ofUnknownSize.counted("item")) that never had a file and whose size is not known; a length in a"
          + " feed does not count."
      )
    }
    if omissions.orphans > 0 {
      lines.append("Left out: \(omissions.orphans.counted("item")) that no playlist names any more.")
    }
    if omissions.earlyPlays > 0 {
      lines.append("Left out: \(omissions.earlyPlays.counted("play")) of items that were not known at that time.")
    }
    return lines
  }

  /// The columns of the table, the most important first. A narrow terminal shows those that fit.
  private static let byImportance = [0, 1, 3, 6, 4, 2, 5]

  private func columns(_ widths: [Int], _ style: TextStyle) -> [Int] {
    var left = style.columns ?? .max
    let shown = Self.byImportance.filter { column in
      guard widths[column] + 2 <= left || column == 0 else { return false }
      left -= widths[column] + 2
      return true
    }
    return shown.sorted()
  }

  /// Columns for which a terminal is too narrow are left out.
  private func table(_ style: TextStyle) -> [String] {
    let rows = [["score", "hits", "misses", "fetched", "evicted", "removed", "peak"]] + outcomes.map { row($0) }
    let widths = rows[0].indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
    let shown = columns(widths, style)
    return rows.enumerated().map { number, row in
      let cells = shown.map { column in
        column == 0 ? row[column].padded(toColumns: widths[column]) : row[column].padded(before: widths[column])
      }
      let line = "  " + cells.joined(separator: "  ")
      return number == 0 ? style.tinted(line, .faint) : line
    }
  }

  private func row(_ outcome: Simulation.Outcome) -> [String] {
    [
      outcome.score.rawValue + (outcome.score == score ? " *" : ""),
      outcome.hitRate.map { "\(outcome.hits) (\($0.percentWords))" } ?? "–", String(outcome.misses),
      "\(outcome.bytesFetched.words) in \(outcome.downloads)", "\(outcome.bytesEvicted.words) in \(outcome.evictions)",
      String(outcome.removals), outcome.peak.words,
    ]
  }

  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-simulation")
      writer.field("version", 1)
      writer.field("until", end.rfc3339)
      writer.field("days", days)
      writer.field("plays", plays)
      writer.field("left_out_unknown_size", omissions.ofUnknownSize)
      writer.field("left_out_orphans", omissions.orphans)
      writer.field("left_out_early_plays", omissions.earlyPlays)
      writer.key("outcomes")
      writer.array { writer in for outcome in outcomes { write(outcome, &writer) } }
    }
    writer.endLine()
    return writer.bytes
  }

  private func write(_ outcome: Simulation.Outcome, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("score", outcome.score.rawValue)
      writer.field("budget", outcome.budget?.bytes)
      writer.field("hits", outcome.hits)
      writer.field("misses", outcome.misses)
      writer.field("hit_rate", outcome.hitRate)
      writer.field("downloads", outcome.downloads)
      writer.field("bytes_fetched", outcome.bytesFetched.bytes)
      writer.field("evictions", outcome.evictions)
      writer.field("bytes_evicted", outcome.bytesEvicted.bytes)
      writer.field("removals", outcome.removals)
      writer.field("bytes_peak", outcome.peak.bytes)
    }
  }
}
