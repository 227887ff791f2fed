// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The health of the transfers, for people and programs.
package struct HealthReport: Sendable {
  private let name: String
  private let health: RunHealth

  package init(_ name: String, _ health: RunHealth) { (self.name, self.health) = (name, health) }

  /// Ends with a newline.
  package func text(style: TextStyle) -> String { style.text { lines(style) } }

  private func lines(_ style: TextStyle) -> [String] {
    let head = style.tinted("\(name.printable): ", .strong)
    guard let period = health.period else { return [head + "no run is on record"] }
    let outcomes = joinedCounts(RunOutcome.allCases.map { (health.outcomes[$0] ?? 0, $0.rawValue) })
    let days =
      health.runs == 1
      ? "on \(period.upperBound.rfc3339)" : "from \(period.lowerBound.rfc3339) to \(period.upperBound.rfc3339)"
    var lines = [head + "\(health.runs.counted("run")) \(days): \(outcomes)"]
    if health.success.all == 0 { return lines + ["  nothing was fetched"] }
    lines += rates(style)
    if let speed = health.speed {
      lines.append(
        "  Speed     \(ByteCount(Int64(speed)).words)/s on average for each transfer, with its waits and retries")
    }
    guard !health.failures.isEmpty else { return lines }
    var rows = TextRows(style)
    for failure in health.failures {
      rows.add(
        TextRow(
          sign: "!", tone: .bad, subject: "\(failure.count) × \(failure.what)", bytes: nil,
          note: failure.message.printable))
    }
    return lines + ["", style.tinted("Failures", .strong)] + rows.lines
  }

  private func rates(_ style: TextStyle) -> [String] {
    let rates = health.rates.filter { $0.rate.all > 0 }
    let shares = rates.map { $0.rate.shareWords }
    let width = shares.map(\.columns).max() ?? 0
    return zip(rates, shares).map { row, share in
      let missed = row.rate.isReached ? "" : style.tinted(", less than the \(row.rate.aimWords) aimed for", .notable)
      return "  \(row.name.filled(toColumns: 8))  \(share.padded(before: width))  \(row.rate.good) of \(row.rate.all)"
        + " \(row.words)\(missed)"
    }
  }

  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-health")
      writer.field("version", 1)
      writer.field("name", name)
      writer.field("runs", health.runs)
      writer.field("from", health.period?.lowerBound.rfc3339)
      writer.field("until", health.period?.upperBound.rfc3339)
      writer.object("outcomes") { writer in
        for outcome in RunOutcome.allCases { writer.field(outcome.rawValue, health.outcomes[outcome] ?? 0) }
      }
      for (name, rate, _) in health.rates {
        writer.object(name.lowercased()) { writer in
          writer.field("good", rate.good)
          writer.field("all", rate.all)
          writer.field("share", rate.share.map { ($0 * 10_000).rounded(.down) / 10_000 })
          writer.field("aim", rate.aim)
          writer.field("reached", rate.isReached)
        }
      }
      writer.field("bytes", health.bytes.bytes)
      writer.field("bytes_per_second", health.speed.map { $0.rounded() })
      writer.array("failures") { writer in
        for failure in health.failures {
          writer.object { writer in
            writer.field("kind", failure.kind.rawValue)
            writer.field("status", failure.status)
            writer.field("host", failure.host)
            writer.field("count", failure.count)
            writer.field("message", failure.message)
          }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }
}

extension RunHealth {
  /// The rates with their names, and with what each counts.
  var rates: [(name: String, rate: Rate, words: String)] {
    [
      ("Success", success, "transfers completed"),
      ("Retry", retry, "transfers with a repeated request completed"),
      ("Resume", resume, "unfinished files were continued, not begun again"),
      ("Recovery", recovery, "items that failed for a time were fetched by a later run"),
    ]
  }
}

extension RunHealth.Rate {
  /// The share as a percentage. It is 100 % only if no case is missing.
  var shareWords: String { share.map { "\((($0 * 1000).rounded(.down) / 10).fixed(1)) %" } ?? "–" }

  var aimWords: String { "\((aim * 100).fixed(aim == 0.995 ? 1 : 0)) %" }
}

extension RunHealth.Failures {
  /// The kind, the status and the host.
  var what: String {
    kind.rawValue + (status.map { " \($0)" } ?? "") + (host.map { " at \($0.printable)" } ?? "")
  }
}
