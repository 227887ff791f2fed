// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// A plan and the observations on which it is based.
struct Preparation {
  let plan: Plan
  let desired: DesiredState
  /// Nil for a rebuild.
  let seen: LibraryObservation?
  /// The basis of the plan. Nil for a rebuild.
  let reconciliation: Reconciliation?
}

extension Job {
  func network(
    _ library: Library, began: ContinuousClock.Instant = .now, emit: @escaping @Sendable (RunEvent) -> Void
  ) throws(JobError) -> Network {
    try Network(
      manifest, scope: options.scope, library, clock: clock, seed: options.seed, userAgent: userAgent, began: began,
      emit: emit)
  }

  /// Reads the sources and makes the plan. Changes nothing but the cache of sources and the counts of plays.
  /// - Parameters:
  ///   - opened: Updated with new plays.
  ///   - ledger: Nil if the library is only inspected.
  /// - Returns: Nil if the run is being stopped, because no plan may be based on sources that were not read whole.
  func prepare(
    _ library: Library, _ opened: inout OpenedState, _ network: Network, _ recorder: ReportRecorder,
    _ ledger: JournaledQueue?,
    namesAll: Bool = false
  ) async throws(JobError) -> Preparation? {
    await network.begin()
    for warning in opened.allWarnings { recorder.emit(.warned(warning)) }
    let manifest = manifest
    let reader = SourceReader(
      library: library, fetcher: CurlSourceFetcher(loop: network.loop, settings: network.settings),
      keeps: ledger != nil, minimumFree: manifest.storage.minFree, watch: network.settings.watch,
      now: steadyClock(opened).now(),
      manifestDigest: { SHA256Digest(of: EffectiveManifest.text(manifest).utf8) }, emit: recorder.emit)
    let readings = await reader.read(manifest.playlists, states: opened.queue.sources, scope: options.scope)
    guard !Task.isCancelled else { return nil }
    let doubt = clockDoubt(opened)
    // If the clock cannot be trusted, nothing may become younger than it was for an earlier run and be fetched again.
    let now = options.savedPlan?.plan.generatedAt ?? (doubt == nil ? now : steadyClock(opened).now())
    var desired = DesiredState(
      manifest: manifest, readings: readings, queue: opened.queue,
      considered: options.savedPlan?.plan.record.considered,
      namesAll: namesAll, now: now)
    let unread = readings.compactMap(\.unread)
    try importPlays(&opened, &desired, library, ledger, recorder)
    try recall(&opened, &desired, library, ledger, recorder)
    let queue = opened.queue
    if let loss = opened.loss {
      let taker = LibraryRebuild(library: library, manifest: manifest, loss: loss, now: now)
      let stock: Plan?
      do throws(FileError) { stock = try await taker.plan(queue, desired) } catch { throw .file(error) }
      guard let stock else { return nil }
      recorder.emit(.planned(stock))
      return Preparation(plan: stock, desired: desired, seen: nil, reconciliation: nil)
    }
    let observer = LibraryObserver(
      library: library, manifest: manifest, trustsPartialLengths: opened.isSameBoot, now: now)
    var seen: LibraryObservation
    do throws(FileError) {
      // Files that exchanged their places are put right together, so all of them have to be in the run's scope.
      seen = try observer.observe(
        queue, desired: desired, findsStrayed: true, findsExchanged: options.scope == nil, lapse: opened.lapse)
    } catch {
      throw .file(error)
    }
    guard !Task.isCancelled else { return nil }
    try options.savedPlan?.check(seen)
    let reconciliation = Reconciliation(
      desired: desired, queue: queue, seen: seen, manifest: manifest, scope: options.scope,
      inputs: network.settings.inputs, now: now)
    do throws(FileError) { seen.stuck = try stuck(reconciliation, in: library) } catch { throw .file(error) }
    var planOptions = options.plan
    planOptions.isClockPlausible = doubt == nil
    var plan: Plan
    do throws(FileError) {
      let (fitted, obstacles) = try fitted(in: library, queue, &seen) { seen in
        Plan(reconciliation, seen: seen, manifest: manifest, options: planOptions, now: now)
      }
      plan = fitted
      // A run warns about each file that cannot be put in its place because of them.
      if ledger == nil { plan.warnings += obstacles.warnings }
    } catch { throw .file(error) }
    if let doubt { plan.warnings.append(doubt) }
    try options.savedPlan?.check(plan, clockDoubt: doubt, unread)
    recorder.emit(.planned(plan))
    return Preparation(plan: plan, desired: desired, seen: seen, reconciliation: reconciliation)
  }

  /// The files that are to go and that the trash cannot receive. They stay, so they make no room.
  private func stuck(_ reconciliation: Reconciliation, in library: Library) throws(FileError) -> [ItemID: FileError] {
    guard manifest.storage.trashKeep > .zero, let root = library.mediaRoot else { return [:] }
    var ways = try FolderWays(below: root, library.files)
    var stuck: [ItemID: FileError] = [:]
    let entries = reconciliation.entries
    for index in entries.indices {
      guard case .remove = entries[index].need, let file = entries[index].queued.state.storedFile else { continue }
      stuck[entries[index].queued.id] = try ways.obstacle(toTrashing: file.path)
    }
    return stuck
  }

  /// A plan that avoids paths where foreign files are. The next name of an item may be taken as well, so this repeats
  /// until the plan meets no more of them.
  private func fitted(
    in library: Library, _ queue: Queue, _ seen: inout LibraryObservation, _ make: (LibraryObservation) -> Plan
  ) throws(FileError) -> (Plan, Obstacles) {
    while true {
      let plan = make(seen)
      let obstacles = try Obstacles(to: plan, queue, in: library)
      guard !obstacles.taken.isEmpty else { return (plan, obstacles) }
      seen.occupied.formUnion(obstacles.taken)
    }
  }

  /// Nil if the clock can be trusted.
  func clockDoubt(_ opened: OpenedState) -> Warning? {
    let now = now
    let latest = opened.latestSeen
    return ClockRule.isPlausible(now, latestSeen: latest) ? nil : .implausibleClock(now: now, latestSeen: latest)
  }
}
