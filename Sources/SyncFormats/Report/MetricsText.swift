// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The metrics of a run for Prometheus, in its text format (https://prometheus.io/docs/instrumenting/exposition_formats/).
///
/// Units are seconds and bytes. No sample has a time of its own: the textfile collector of node-exporter refuses files
/// that do.
package struct MetricsText: Sendable {
  package let text: String

  /// The beginning by which every such file is recognised.
  package static let beginning = "# HELP syncjob_"

  /// - Parameters:
  ///   - counts: The items by state after the run.
  ///   - totals: Those of all runs, this one included.
  ///   - sources: The reading history of the source of each playlist that has one.
  package init(
    _ report: RunReport, counts: [ItemState.Name: Int], licenses: LibraryStatus.Licenses, totals: LifetimeTotals,
    sources: [(playlist: PlaylistName, health: SourceHealth)]
  ) {
    let end = RunEnd(at: report.finishedAt, seconds: report.seconds, status: report.status)
    var metrics = end.metrics
    metrics.append(
      .time(
        "last_success_timestamp_seconds", "End of the last run without a failure, 0 before the first.",
        totals.succeededAt))
    metrics.append(
      Metric("items", "Items by state.", ItemState.Name.allCases.map { (("state", $0.rawValue), "\(counts[$0] ?? 0)") })
    )
    metrics.append(
      Metric(
        "offline_items", "Items by offline state.",
        OfflineState.allCases.map { (("offline_state", $0.rawValue), "\(licenses.states[$0] ?? 0)") }))
    if licenses.licensed > 0 {
      metrics.append(
        .time(
          "license_next_expiry_timestamp_seconds", "End of the licence that is over first, 0 for none.",
          licenses.nextEnd))
    }
    metrics += report.storage?.metrics ?? []
    metrics += totals.metrics
    if !sources.isEmpty {
      metrics.append(
        Metric(
          "source_last_success_timestamp_seconds", "Last time that a source was read whole, 0 before the first.",
          sources.map { (("playlist", $0.playlist.text), Metric.value($0.health.succeededAt)) }))
      metrics.append(
        Metric(
          "source_last_change_timestamp_seconds", "Last time that the entries of a source changed, 0 before the first.",
          sources.map { (("playlist", $0.playlist.text), Metric.value($0.health.changedAt)) }))
    }
    text = metrics.map { $0.text(of: report.name) }.joined()
  }

  /// The metrics of an earlier run, with the end of a run that came to no report.
  /// - Parameter earlier: The text of those metrics.
  package init(_ end: RunEnd, of name: String, after earlier: String) {
    let replaced = Set(end.metrics.map(\.fullName))
    let kept = earlier.split(separator: "\n").filter { line in
      // "# HELP NAME …", "# TYPE NAME …" or "NAME{…} VALUE"
      let words = line.split(maxSplits: 3) { $0 == " " || $0 == "{" }
      guard let word = words.first == "#" ? words.dropFirst(2).first : words.first else { return false }
      return !replaced.contains(String(word))
    }
    text = end.metrics.map { $0.text(of: name) }.joined() + kept.map { "\($0)\n" }.joined()
  }
}

/// How a run ended.
package struct RunEnd: Equatable, Sendable {
  package var at: Timestamp
  package var seconds: Double
  package var status: ExitStatus

  package init(at: Timestamp, seconds: Double, status: ExitStatus) {
    self.at = at
    self.seconds = seconds
    self.status = status
  }

  fileprivate var metrics: [Metric] {
    [
      .time("last_run_timestamp_seconds", "End of the last run.", at),
      .one("last_run_duration_seconds", "Time that the last run took.", (seconds * 1000).rounded() / 1000),
      .one("last_run_exit_status", "Exit status of the last run.", status.rawValue),
    ]
  }
}

/// A metric with its samples.
private struct Metric {
  typealias Label = (name: String, value: String)

  let fullName: String
  let help: String
  let samples: [(label: Label?, value: String)]

  init(_ name: String, _ help: String, _ samples: [(Label?, String)]) {
    fullName = "syncjob_\(name)"
    self.help = help
    self.samples = samples
  }

  static func one(_ name: String, _ help: String, _ value: some CustomStringConvertible) -> Metric {
    Metric(name, help, [(nil, value.description)])
  }

  static func time(_ name: String, _ help: String, _ time: Timestamp?) -> Metric {
    Metric(name, help, [(nil, value(time))])
  }

  static func value(_ time: Timestamp?) -> String { "\(time?.secondsSince1970 ?? 0)" }

  /// - Parameter job: The name of the job, which each sample has as a label.
  func text(of job: String) -> String {
    let kind = fullName.hasSuffix("_total") ? "counter" : "gauge"
    var text = "# HELP \(fullName) \(help)\n# TYPE \(fullName) \(kind)\n"
    for (label, value) in samples {
      let labels = [("name", job), label].compactMap(\.self).map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
      text += "\(fullName){\(labels.joined(separator: ","))} \(value)\n"
    }
    return text
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += #"\\"#
      case "\"": text += #"\""#
      case "\n": text += #"\n"#
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension StorageSummary {
  fileprivate var metrics: [Metric] {
    var metrics: [Metric] = [
      .one("library_bytes", "Room that finished files, partials and the trash take.", used.bytes),
      .one("free_bytes", "Free space on the file system of the library.", free.bytes),
    ]
    if let budget { metrics.append(.one("budget_bytes", "Budget of the library.", budget.bytes)) }
    return metrics
  }
}

extension LifetimeTotals {
  fileprivate var metrics: [Metric] {
    [
      .one("downloaded_items_total", "Files that were fetched.", downloaded),
      .one("downloaded_bytes_total", "Bytes that were fetched for these files.", bytesDownloaded.bytes),
      .one("evicted_items_total", "Items that were evicted to make room.", evicted),
      .one("failed_items_total", "Failures of items, again in each run.", failed),
      .one("retries_total", "Requests that were repeated.", retries),
    ]
  }
}
