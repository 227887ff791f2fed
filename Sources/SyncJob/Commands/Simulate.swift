// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// Replays the last days under other scores. Changes nothing.
package struct Simulate: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// The results that other scores would have had in the last days, as far as they are recorded.
  /// - Parameter budget: replaces the manifest's.
  package func perform(
    _ scores: [StoragePolicy.Score], budget: ByteCount?, days: Int
  ) throws(JobError) -> (report: SimulationReport, warnings: [Warning]) {
    let view = try LibraryOpener(context).look()
    let (library, manifest, end) = (view.library, context.manifest, context.now)
    var (queue, warnings) = (view.queue, view.state.allWarnings)
    let log: PlayLog
    do throws(FileError) {
      // Includes the plays that the manifest's histories hold by now.
      var history = try HistoryImport(queue, of: library, now: end)
      for source in manifest.history {
        let summary = history.read(source)
        if summary.isZoneAssumed { warnings.append(.historyZoneAssumed(path: source.path, isImport: false)) }
        if let problem = summary.problem { warnings.append(.historyNotRead(path: source.path, problem)) }
      }
      for item in history.items { queue[item.id] = item }
      (log, warnings) = (history.log, warnings + history.warnings)
    } catch { throw .file(error) }
    let (simulation, omissions) = Simulation.remembered(queue, log: log, manifest: manifest, until: end, days: days)
    let outcomes = scores.map { score in
      var policy = manifest
      policy.storage.evict.score = score
      if let budget { policy.storage.budget = budget }
      return simulation.outcome(under: policy)
    }
    let own = manifest.storage.evict.score
    return (SimulationReport(outcomes, omissions: omissions, until: end, score: own), warnings)
  }
}
