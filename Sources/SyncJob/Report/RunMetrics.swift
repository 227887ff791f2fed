// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// Adds a run to the totals of its library, and writes the metrics that the manifest wants.
struct RunMetrics: Sendable {
  private let context: JobContext
  /// The totals before this run.
  private let earlier: LifetimeTotals
  /// The totals that are recorded. Without this run if that failed: what was shown once may not be less the next time.
  private(set) var recorded: LifetimeTotals

  init(_ library: Library, _ context: JobContext) {
    self.context = context
    earlier = LifetimeTotalsStore(library.state).read()
    recorded = earlier
  }

  /// Records the run, or what has become of it since it was recorded.
  mutating func record(_ report: RunReport, in library: Library) throws(FileError) {
    let store = LifetimeTotalsStore(library.state)
    let present = store.read()
    var totals = earlier
    // Another run may have added itself since this one was recorded.
    if present == recorded {
      totals.add(report, keepsTime: context.manifest.report.metrics != nil)
    } else {
      totals = present
    }
    if totals != present { try store.write(totals) }
    recorded = totals
  }

  func write(
    _ report: RunReport, _ library: Library, _ queue: Queue, _ playlists: [Playlist]
  ) throws(FileError) {
    guard let file = Self.file(context) else { return }
    let healths = SourceHealthStore(library: library).read()
    let sources = playlists.filter { $0.source.shownLocation != nil }.map { playlist in
      (playlist.name, healths[playlist.name] ?? SourceHealth(queue.sources[playlist.name]))
    }
    let counts = queue.items.reduce(into: [:]) { $0[$1.state.name, default: 0] += 1 }
    let licenses = LibraryStatus.Licenses(
      queue.items, at: max(report.finishedAt, queue.latestTime))
    let metrics = MetricsText(report, counts: counts, licenses: licenses, totals: recorded, sources: sources)
    try file.write(Array(metrics.text.utf8), as: .metrics)
  }

  /// Writes the end of a run that came to no report into the metrics of the run before. Nothing else of them changed.
  static func record(_ error: JobError, in context: JobContext) {
    // The run that holds the lock writes its own.
    guard error.status != .locked, let file = file(context) else { return }
    let end = RunEnd(at: context.now, seconds: context.stopwatch.elapsed.inSeconds, status: error.status)
    do throws(FileError) {
      guard let metrics = try file.read(as: .metrics) else { return }
      let text = MetricsText(end, of: context.manifest.name, after: String(decoding: metrics, as: UTF8.self)).text
      try file.write(Array(text.utf8), as: .metrics)
    } catch {
      // The error of the run is the one to report. It tells more, and may be the reason for this one.
      return
    }
  }

  private static func file(_ context: JobContext) -> OutputFile? {
    context.manifest.report.metrics.map { path in
      OutputFile(
        path, of: nil, besides: ProtectedFiles(context.manifest, at: context.options.manifestPath), context.files)
    }
  }
}
