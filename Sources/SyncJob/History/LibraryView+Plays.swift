// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// Plays in other players.
extension LibraryView {
  /// Reads the manifest's histories, so that the plan takes them into account. A problem with one of them is reported
  /// and does not stop the run.
  /// - Parameters:
  ///   - desired: its new items may have been played elsewhere.
  ///   - journal: nil if the library is only inspected.
  ///   - answers: those of servers with a history.
  mutating func importPlays(
    into desired: inout DesiredState, _ answers: [ServerHistories.Answer], _ journal: JournaledQueue?,
    _ recorder: ReportRecorder
  ) throws(JobError) {
    guard readsHistories else { return }
    let items: [QueueItem]
    let (manifest, now) = (context.manifest, context.options.savedPlan?.plan.generatedAt ?? context.now)
    do throws(FileError) {
      var history = try HistoryImport(queue.expecting(desired, now: now), of: library, now: now)
      for warning in history.warnings { recorder.emit(.warned(warning)) }
      let absent = MissingHistories(library: library)
      let (known, missing) = (try absent.read(), read(manifest.history, &history, recorder))
      guard let missing else { return }
      for source in manifest.history where missing.contains(source.path) && !known.contains(source.path) {
        recorder.emit(.warned(.historyNotRead(path: source.path, .missing)))
      }
      let pulled = take(answers, &history, recorder)
      if journal != nil {
        try history.saveLog()
        ServerHistories(self, recorder).record(answers, pulled)
        try absent.write(missing, known: known)
      }
      items = history.items
    } catch {
      // The plays are still there for the next run.
      return recorder.emit(.warned(.historyNotRead(path: error.path, .unreadable(error))))
    }
    let known = items.filter { queue[$0.id] != nil }
    for item in known { state.queue[item.id] = item }
    desired.importPlays(items)
    do throws(Failure) { try journal?.apply(known.map { .item($0) }) } catch { throw .failed(error) }
  }

  /// With a wrong clock all plays lie in the future; a lost queue has nothing to match; without a log of plays, none is
  /// counted.
  var readsHistories: Bool {
    !(context.manifest.history.isEmpty && context.manifest.historyServers.isEmpty) && state.loss == nil
      && clockDoubt == nil && !state.notes.contains(.playsUnusable)
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

  /// Takes and reports the answers of servers.
  /// - Returns: The plays in them.
  private func take(
    _ answers: [ServerHistories.Answer], _ history: inout HistoryImport, _ recorder: ReportRecorder
  ) -> [Outbox.Message] {
    var known: [Outbox.Message] = []
    for (server, answer) in answers.map({ ($0.server.server, $0.result) }) {
      switch answer {
      case .success(let answer):
        let taken = history.take(answer, of: server)
        known += taken.known
        recorder.emit(.historyRead(taken.summary))
      case .failure(let problem):
        recorder.emit(
          .historyRead(HistorySummary(source: PlaySource(server.kind), path: server.name.text, problem: problem)))
        recorder.emit(.warned(.historyNotRead(path: server.name.text, problem)))
      }
    }
    return known
  }

  /// The same for a command that changes nothing, without servers and reports.
  func withImportedPlays() throws(JobError) -> LibraryView {
    var (view, nothingNew) = (self, DesiredState())
    let recorder = ReportRecorder(context)
    try view.importPlays(into: &nothingNew, [], nil, recorder)
    return view
  }
}

extension LibraryView {
  /// Restores the known facts about items that the queue does not know, because it was lost or has dropped them: plays,
  /// and the decisions of a person.
  /// - Parameter journal: nil if the library is only inspected.
  mutating func recall(
    _ desired: inout DesiredState, _ journal: JournaledQueue?, _ recorder: ReportRecorder
  ) throws(JobError) {
    let new = desired.unknown(to: queue)
    guard !new.isEmpty || !desired.unlisted.isEmpty else { return }
    if let log = playLog(recorder) {
      for index in new where desired.items[index].played == PlayHistory() {
        guard let entry = log.entries[desired.items[index].id], entry.total > 0 else { continue }
        desired.items[index].played = PlayHistory(count: entry.total, lastPlayedAt: entry.lastAt)
      }
    }
    let recalled = state.decisions.recalled(desired, unknownTo: queue, now: context.now)
    for item in recalled { state.queue[item.id] = item }
    do throws(Failure) { try journal?.apply(recalled.map { .item($0) }) } catch { throw .failed(error) }
  }

  /// Nil when there is none, or when it cannot be read, which is reported and does not stop the run.
  private func playLog(_ recorder: ReportRecorder) -> PlayLog? {
    guard !state.notes.contains(.playsUnusable), let folder = library.stateFolder else { return nil }
    do throws(FileError) { return try PlayLogStore(folder).read()?.log } catch {
      // The reading of histories needs the log as well, and has reported the problem.
      if !readsHistories { recorder.emit(.warned(.historyNotRead(path: error.path, .unreadable(error)))) }
      return nil
    }
  }
}
