// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// Plays in other players.
extension Job {
  /// Reads the manifest's histories, so that the plan takes them into account. A problem with one of them is reported
  /// and does not stop the run.
  /// - Parameters:
  ///   - desired: its new items may have been played elsewhere.
  ///   - ledger: nil when only looking.
  func importPlays(
    _ opened: inout OpenedState, _ desired: inout DesiredState, _ library: Library, _ ledger: JournaledQueue?,
    _ recorder: ReportRecorder
  ) throws(JobError) {
    guard readsHistories(opened) else { return }
    let items: [QueueItem]
    let now = options.savedPlan?.plan.generatedAt ?? now
    do throws(FileError) {
      var history = try HistoryImport(opened.queue.expecting(desired, now: now), of: library, now: now)
      for warning in history.warnings { recorder.emit(.warned(warning)) }
      let absent = MissingHistories(library: library)
      let (known, missing) = (try absent.read(), read(manifest.history, &history, recorder))
      guard let missing else { return }
      for source in manifest.history where missing.contains(source.path) && !known.contains(source.path) {
        recorder.emit(.warned(.historyNotRead(path: source.path, .missing)))
      }
      if ledger != nil {
        try history.saveLog()
        try absent.write(missing, known: known)
      }
      items = history.items
    } catch {
      // The plays are still there for the next run.
      return recorder.emit(.warned(.historyNotRead(path: error.path, .unreadable(error))))
    }
    let known = items.filter { opened.queue[$0.id] != nil }
    for item in known { opened.queue[item.id] = item }
    desired.importPlays(items)
    do throws(Failure) { try ledger?.apply(known.map { .item($0) }) } catch { throw .failed(error) }
  }

  /// With a wrong clock all plays lie in the future; a lost queue has nothing to match; without a log of plays, none is
  /// counted.
  func readsHistories(_ opened: OpenedState) -> Bool {
    !manifest.history.isEmpty && opened.loss == nil && clockDoubt(opened) == nil
      && !opened.notes.contains(.playsUnusable)
  }

  /// Reads and reports each history.
  /// - Returns: the paths of those that are missing, about which the caller warns; nil when the run is to end.
  private func read(
    _ sources: [HistorySource], _ history: inout HistoryImport, _ recorder: ReportRecorder
  ) -> Set<String>? {
    var missing: Set<String> = []
    for source in sources {
      let summary = history.read(source)
      guard !Task.isCancelled else { return nil }
      recorder.emit(.historyRead(summary))
      if summary.isZoneAssumed { recorder.emit(.warned(.historyZoneAssumed(path: source.path, isImport: false))) }
      switch summary.problem {
      case .missing?: missing.insert(source.path)
      case let problem?: recorder.emit(.warned(.historyNotRead(path: source.path, problem)))
      case nil: break
      }
    }
    return missing
  }

  /// The same for a command that changes nothing, without reports.
  func played(_ opened: OpenedState, _ library: Library) throws(JobError) -> OpenedState {
    var (opened, nothingNew) = (opened, DesiredState())
    try importPlays(&opened, &nothingNew, library, nil, ReportRecorder(name: manifest.name, startedAt: now))
    return opened
  }

  /// Imports one history, as a command.
  /// - Parameters:
  ///   - kind: nil to detect it from the first bytes.
  ///   - isDryRun: only looks; then nothing is locked.
  package func importHistory(
    _ path: String, as kind: HistorySource.Kind?, timezone: ZoneName?, mapping: PathMapping, isDryRun: Bool
  ) async throws(JobError) -> ImportedHistory {
    var source = HistorySource(kind: kind ?? .listens, path: path, timezone: timezone, mapping: mapping)
    let place = HistoryFile.resolved(path)
    // The manifest's settings for this file hold here too: otherwise the same plays would have other times.
    if let declared = manifest.history.first(where: { HistoryFile.resolved($0.path) == place }) {
      source.timezone = timezone ?? declared.timezone
      if mapping == PathMapping() { source.mapping = declared.mapping }
      source.kind = kind ?? declared.kind
    } else if kind == nil {
      do throws(HistoryProblem) { source.kind = try HistoryFile.kind(of: path) } catch {
        return ImportedHistory(summary: HistorySummary(kind: source.kind, path: path, problem: error))
      }
    }
    if let flag = source.kind.needlessFlag(timezone, mapping) {
      let problem = HistoryProblem.needless(flag: flag, source.kind)
      return ImportedHistory(summary: HistorySummary(kind: source.kind, path: path, problem: problem))
    }
    if isDryRun {
      let (library, opened) = try look()
      return try importHistory(source, opened, library, nil)
    }
    let (library, opened, ledger) = try await open(for: .edit)
    let imported = try importHistory(source, opened, library, ledger)
    try ledger.close(at: now)
    return imported
  }

  private func importHistory(
    _ source: HistorySource, _ opened: OpenedState, _ library: Library, _ ledger: JournaledQueue?
  ) throws(JobError) -> ImportedHistory {
    let imported: ImportedHistory
    let items: [QueueItem]
    do throws(FileError) {
      var history = try HistoryImport(opened.queue, of: library, now: now)
      let summary = history.read(source, mayBePipe: true)
      if ledger != nil { try history.saveLog() }
      items = history.items
      let assumption = summary.isZoneAssumed ? [Warning.historyZoneAssumed(path: source.path, isImport: true)] : []
      imported = ImportedHistory(
        summary: summary, items: items.count, warnings: opened.allWarnings + history.warnings + assumption)
    } catch { throw .file(error) }
    do throws(Failure) { try ledger?.apply(items.map { .item($0) }) } catch { throw .failed(error) }
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
  package var summary: HistorySummary
  /// The number of items that changed.
  package var items = 0
  package var warnings: [Warning] = []
}
