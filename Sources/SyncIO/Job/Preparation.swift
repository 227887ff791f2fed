// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

extension Job {
  /// From the sources to the plan; changes nothing but the cache of sources.
  /// - Returns: nil when the run is to end: what was not read whole is nothing to plan by.
  func prepare(
    _ library: Library, _ opened: OpenedState, _ network: Network, _ recorder: ReportRecorder, keepsSources: Bool
  ) async throws(JobError) -> Plan? {
    let queue = opened.queue
    await network.begin()
    for note in opened.notes { recorder.tell(.warned(.recovered(note))) }
    let reader = SourceReader(
      library: library, fetcher: CurlSourceFetcher(loop: network.loop, settings: network.settings),
      keeps: keepsSources, watch: network.settings.watch, tell: recorder.tell)
    let readings = await reader.read(manifest.playlists, memories: queue.sources, scope: options.scope)
    guard !Task.isCancelled else { return nil }
    let now = now
    let desired = DesiredState(manifest: manifest, readings: readings, queue: queue, now: now)
    let observer = LibraryObserver(
      library: library, manifest: manifest, trustsPartialLengths: opened.isSameBoot, now: now)
    let seen: LibraryObservation
    do throws(FileError) { seen = try observer.observe(queue, desired: desired) } catch {
      throw .file(error)
    }
    guard !Task.isCancelled else { return nil }
    let reconciliation = Reconciliation(
      desired: desired, queue: queue, seen: seen, manifest: manifest, scope: options.scope, now: now)
    var planOptions = options.plan
    let latest = queue.latestTime
    planOptions.isClockPlausible = ClockRule.isPlausible(now, latestSeen: latest)
    var plan = Plan(reconciliation, seen: seen, manifest: manifest, options: planOptions, now: now)
    if !planOptions.isClockPlausible { plan.warnings.append(.implausibleClock(now: now, latestSeen: latest)) }
    recorder.tell(.planned(plan))
    return plan
  }
}
