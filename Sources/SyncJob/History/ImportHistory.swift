// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// Imports one history, as a command.
package struct ImportHistory: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// - Parameters:
  ///   - kind: nil to detect it from the first bytes.
  ///   - isDryRun: only looks; then nothing is locked.
  package func perform(
    _ path: String, as kind: HistorySource.Kind?, timezone: ZoneName?, mapping: PathMapping, isDryRun: Bool
  ) async throws(JobError) -> ImportedHistory {
    var source = HistorySource(kind: kind ?? .listens, path: path, timezone: timezone, mapping: mapping)
    let place = HistoryFile.resolved(path)
    // The manifest's settings for this file hold here too: otherwise the same plays would have other times.
    if let declared = context.manifest.history.first(where: { HistoryFile.resolved($0.path) == place }) {
      source.timezone = timezone ?? declared.timezone
      if mapping == PathMapping() { source.mapping = declared.mapping }
      source.kind = kind ?? declared.kind
    } else if kind == nil {
      do throws(HistoryProblem) { source.kind = try HistoryFile.kind(of: path) } catch {
        return ImportedHistory(
          kind: source.kind, summary: HistorySummary(source: source.kind.source, path: path, problem: error))
      }
    }
    if let flag = source.kind.needlessFlag(timezone, mapping) {
      let problem = HistoryProblem.needless(flag: flag, source.kind)
      return ImportedHistory(
        kind: source.kind, summary: HistorySummary(source: source.kind.source, path: path, problem: problem))
    }
    if isDryRun {
      return try importHistory(source, try LibraryOpener(context).look(), nil)
    }
    let library = try await LibraryOpener(context).open(for: .edit)
    let imported = try importHistory(source, library.view, library.journal)
    try library.journal.close(at: context.now, closingJournalFrom: context.options.longQueue)
    return imported
  }

  private func importHistory(
    _ source: HistorySource, _ view: LibraryView, _ journal: JournaledQueue?
  ) throws(JobError) -> ImportedHistory {
    let imported: ImportedHistory
    let items: [QueueItem]
    do throws(FileError) {
      var history = try HistoryImport(view.queue, of: view.library, now: context.now)
      let summary = history.read(source, mayBePipe: true)
      if journal != nil { try history.saveLog() }
      items = history.items
      let assumption = summary.isZoneAssumed ? [Warning.historyZoneAssumed(path: source.path, isImport: true)] : []
      imported = ImportedHistory(
        kind: source.kind, summary: summary, items: items.count,
        warnings: view.state.allWarnings + history.warnings + assumption)
    } catch { throw .file(error) }
    do throws(Failure) { try journal?.apply(items.map { .item($0) }) } catch { throw .failed(error) }
    return imported
  }
}

extension HistorySource.Kind {
  /// The flag that does not apply to this kind of history; a manifest is refused for the same reason.
  fileprivate func needlessFlag(_ timezone: ZoneName?, _ mapping: PathMapping) -> String? {
    guard self == .scrobblerLog else { return timezone == nil ? nil : "--timezone" }
    if mapping.prefix != nil { return "--prefix" }
    return mapping.musicDirectory == nil ? nil : "--music-directory"
  }
}

/// The result of an import of a history.
package struct ImportedHistory: Sendable {
  package var kind: HistorySource.Kind
  package var summary: HistorySummary
  /// The number of items that changed.
  package var items = 0
  package var warnings: [Warning] = []
}
