// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// A run that found everything as it was.
package struct SettledRun: Sendable {
  /// For whoever follows.
  package let events: [RunEvent]
  package let report: RunReport
}

extension Job {
  /// The run that is nothing but a look: whether the manifest, the queue, the disk and the clock are as they were when a
  /// run found nothing to do. The manifest of this job needs no playlists.
  /// - Parameter inputs: what the program was given, as a digest.
  /// - Returns: nil when anything differs or cannot be looked at: then the whole road is to be gone, which tells why.
  package func runIfSettled(_ inputs: SHA256Digest) async throws(JobError) -> SettledRun? {
    let library = try Library.look(manifest.library, files)
    guard library.stateFolder != nil, library.mediaRoot != nil,
      let reader = found(library), reader.settlement.inputs == inputs,
      reader.settlement.settings == manifest.settingsDigest(manifest.history.fingerprint)
    else { return nil }
    let lock = try await self.lock(library)
    let run = whileLocked(library, reader)
    do throws(FileError) { try lock.release() } catch { return nil }
    return run
  }

  /// Trouble with a cache is none: the whole road needs no cache.
  private func found(_ library: Library) -> SettlementReader? {
    do throws(FileError) { return try SettlementStore(library: library).read() } catch { return nil }
  }

  private func whileLocked(_ library: Library, _ reader: SettlementReader) -> SettledRun? {
    let recorder = ReportRecorder(name: manifest.name, startedAt: now)
    let look = SettlementLook(library: library, minimumFree: manifest.storage.minFree, now: now)
    // Whatever the trouble is, the whole road meets it, too, and has the words for it.
    do throws(FileError) {
      guard let free = try look.freeSpaceIfNothingChanged(reader) else { return nil }
      let (budget, used) = (manifest.storage.budget, reader.settlement.used)
      let plan = Plan(reader.settlement, budget: budget, free: free, now: now)
      recorder.tell(.planned(plan))
      let report = recorder.close(
        at: now, storage: StorageSummary(budget: budget, used: used, partial: .zero, trash: .zero, free: free),
        interruption: nil)
      let files = ReportFiles(library: library, of: self)
      // A time that somebody gave is none that was seen.
      if options.now == nil { try ClockMark(library.state).advance(to: now) }
      try files.writeCopy(report)
      try files.write(report)
      return SettledRun(events: [.began(runID: report.runID, name: report.name), .planned(plan)], report: report)
    } catch { return nil }
  }

  /// What a plan that is settled leaves for the run's end; nil for any other.
  /// - Parameter opened: what was repaired is to be told once more if it comes again.
  /// - Parameter historyFiles: what tells whether they were changed, from before they were read.
  func settled(_ plan: Plan, _ opened: OpenedState, _ historyFiles: String) -> SettledPlan? {
    guard let inputs = options.inputs, options.scope == nil, options.plan.mayDownload,
      options.plan.mayEvict == manifest.features.eviction, plan.isSettled, opened.notes.isEmpty,
      manifest.playlists.allSatisfy(\.isInline),
      // What they let go falls due by the clock.
      !manifest.playlists.contains(where: \.retain.drops)
    else { return nil }
    return SettledPlan(
      inputs: inputs, settings: manifest.settingsDigest(historyFiles), unchanged: plan.count(.keep))
  }

  /// Remembers that there was nothing to do, and on what that rested, or forgets it. Trouble with that is none: it is a
  /// cache. Called while the lock is held: what it rests on may change as soon as that goes.
  func settle(_ plan: SettledPlan?, _ library: Library, _ queue: Queue, _ report: RunReport) {
    let store = SettlementStore(library: library)
    do throws(FileError) {
      guard let plan, report.status == .ok, report.warnings.isEmpty, let used = report.storage?.used,
        let digest = try SHA256Digest(of: library.state.place(.queue), in: library.files)
      else { return try store.remove() }
      let settlement = Settlement(
        inputs: plan.inputs, settings: plan.settings, queue: digest, libraryID: queue.libraryID,
        madeAt: now, unchanged: plan.unchanged, used: used, playlistFiles: try playlistFiles(library))
      try store.write(
        settlement, files: queue.items.compactMap { item in item.state.storedFile.map { ($0.path, $0.size) } })
    } catch { return }
  }

  private func playlistFiles(_ library: Library) throws(FileError) -> [String: SHA256Digest] {
    guard manifest.report.m3u8 else { return [:] }
    var digests: [String: SHA256Digest] = [:]
    for entry in try library.files.list(FilePlace(library.root))
    where entry.isNameExact && entry.name.hasSuffix(".m3u8") && entry.status.kind == .file {
      guard let place = FilePlace(library.root).child(entry.name) else { continue }
      digests[entry.name] = try SHA256Digest(of: place, in: library.files)
    }
    return digests
  }
}

/// A plan without anything in it, and what it was made for.
struct SettledPlan: Sendable {
  let inputs: SHA256Digest
  let settings: SHA256Digest
  let unchanged: Int
}

extension Playlist {
  fileprivate var isInline: Bool { if case .items = source { true } else { false } }
}

extension Manifest {
  /// Of everything but the playlists, with every default filled in.
  /// - Parameter historyFiles: what tells whether the histories were changed.
  fileprivate func settingsDigest(_ historyFiles: String) -> SHA256Digest {
    var settings = self
    settings.playlists = []
    return SHA256Digest(of: "\(EffectiveManifest.text(settings))\0\(historyFiles)".utf8)
  }
}
