// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// A run that found everything unchanged.
package struct UpToDateRun: Sendable {
  /// The events, for a caller that follows the run.
  package let events: [RunEvent]
  package let report: RunReport
}

extension Job {
  /// Does a run that only looks: it checks that the manifest, the queue, the disk and the clock are as they were when a
  /// run found nothing to do. The manifest of this job needs no playlists.
  /// - Parameter inputs: a digest of everything that the program was given.
  /// - Returns: nil when anything differs or cannot be checked: then a full run is needed, which reports the reason.
  package func runIfUpToDate(_ inputs: SHA256Digest) async throws(JobError) -> UpToDateRun? {
    let library = try Library.look(manifest.library, files)
    guard library.stateFolder != nil, library.mediaRoot != nil,
      let reader = found(library), reader.fingerprint.inputs == inputs,
      reader.fingerprint.settings == manifest.settingsDigest(manifest.history.fingerprint)
    else { return nil }
    let lock = try await self.lock(library)
    let run = whileLocked(library, reader)
    do throws(FileError) { try lock.release() } catch { return nil }
    return run
  }

  /// A problem with a cache is ignored: the full run needs no cache.
  private func found(_ library: Library) -> RunFingerprintReader? {
    do throws(FileError) { return try RunFingerprintStore(library: library).read() } catch { return nil }
  }

  private func whileLocked(_ library: Library, _ reader: RunFingerprintReader) -> UpToDateRun? {
    let recorder = ReportRecorder(name: manifest.name, startedAt: now)
    let look = UpToDateCheck(library: library, minimumFree: manifest.storage.minFree, now: now)
    // The full run meets the same problem and reports it.
    do throws(FileError) {
      guard let free = try look.freeSpaceIfNothingChanged(reader) else { return nil }
      let (budget, used) = (manifest.storage.budget, reader.fingerprint.used)
      let plan = Plan(reader.fingerprint, budget: budget, free: free, now: now)
      recorder.emit(.planned(plan))
      let report = recorder.close(
        at: now, storage: StorageSummary(budget: budget, used: used, partial: .zero, trash: .zero, free: free),
        interruption: nil)
      let files = ReportFiles(library: library, of: self)
      // A time given by `--now` is not a time that was seen.
      if options.now == nil { try ClockMark(library.state).advance(to: now) }
      try files.writeCopy(report)
      try files.write(report)
      return UpToDateRun(events: [.began(runID: report.runID, name: report.name), .planned(plan)], report: report)
    } catch { return nil }
  }

  /// The record that a settled plan leaves for the end of the run; nil for any other plan.
  /// - Parameter opened: must have no notes, so that a repair is reported again if the damage comes back.
  /// - Parameter historyFiles: shows whether the histories changed, from before they were read.
  func settled(_ plan: Plan, _ opened: OpenedState, _ historyFiles: String) -> FingerprintDraft? {
    guard let inputs = options.inputs, options.scope == nil, options.plan.mayDownload,
      options.plan.mayEvict == manifest.features.eviction, plan.isUpToDate, opened.notes.isEmpty,
      manifest.playlists.allSatisfy(\.isInline),
      // The items that they drop fall due by the clock.
      !manifest.playlists.contains(where: \.retain.drops)
    else { return nil }
    return FingerprintDraft(
      inputs: inputs, settings: manifest.settingsDigest(historyFiles), unchanged: plan.count(.keep))
  }

  /// Records that there was nothing to do and what that depended on, or deletes the record. A problem is ignored: it is
  /// a cache. Called while the lock is held: the facts may change as soon as it is released.
  func settle(_ plan: FingerprintDraft?, _ library: Library, _ queue: Queue, _ report: RunReport) {
    let store = RunFingerprintStore(library: library)
    do throws(FileError) {
      guard let plan, report.status == .ok, report.warnings.isEmpty, let used = report.storage?.used,
        let digest = try SHA256Digest(of: library.state.place(.queue), in: library.files)
      else { return try store.remove() }
      let fingerprint = RunFingerprint(
        inputs: plan.inputs, settings: plan.settings, queue: digest, libraryID: queue.libraryID,
        madeAt: now, unchanged: plan.unchanged, used: used, playlistFiles: try playlistFiles(library))
      try store.write(
        fingerprint, files: queue.items.compactMap { item in item.state.storedFile.map { ($0.path, $0.size) } })
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

/// An empty plan, and the inputs that it was made for.
struct FingerprintDraft: Sendable {
  let inputs: SHA256Digest
  let settings: SHA256Digest
  let unchanged: Int
}

extension Playlist {
  fileprivate var isInline: Bool { if case .items = source { true } else { false } }
}

extension Manifest {
  /// A digest of everything but the playlists, with every default filled in.
  /// - Parameter historyFiles: shows whether the histories were changed.
  fileprivate func settingsDigest(_ historyFiles: String) -> SHA256Digest {
    var settings = self
    settings.playlists = []
    return SHA256Digest(of: "\(EffectiveManifest.text(settings))\0\(historyFiles)".utf8)
  }
}
