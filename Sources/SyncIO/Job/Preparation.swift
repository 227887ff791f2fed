// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

extension Job {
  /// From the sources to the plan; changes nothing but the cache of sources.
  /// - Returns: nil when the run is to end: what was not read whole is nothing to plan by.
  func prepare(
    _ library: Library, _ opened: OpenedState, _ network: Network, _ recorder: ReportRecorder, keepsSources: Bool
  ) async throws(JobError) -> Plan? {
    try await survey(library, opened, network, recorder, keepsSources: keepsSources)?.plan
  }

  /// The same with what the plan was made from; there is nothing but the plan where stock is taken.
  func survey(
    _ library: Library, _ opened: OpenedState, _ network: Network, _ recorder: ReportRecorder, keepsSources: Bool
  ) async throws(JobError) -> (plan: Plan, reconciliation: Reconciliation)? {
    let queue = opened.queue
    await network.begin()
    for warning in opened.allWarnings { recorder.tell(.warned(warning)) }
    let reader = SourceReader(
      library: library, fetcher: CurlSourceFetcher(loop: network.loop, settings: network.settings),
      keeps: keepsSources, watch: network.settings.watch, tell: recorder.tell)
    let readings = await reader.read(manifest.playlists, memories: queue.sources, scope: options.scope)
    guard !Task.isCancelled else { return nil }
    let now = now
    let desired = DesiredState(manifest: manifest, readings: readings, queue: queue, now: now)
    if let loss = opened.loss {
      let taker = StockTaker(library: library, manifest: manifest, loss: loss, now: now)
      let stock: Plan?
      do throws(FileError) { stock = try await taker.plan(queue, desired) } catch { throw .file(error) }
      if let stock { recorder.tell(.planned(stock)) }
      return stock.map { ($0, Reconciliation()) }
    }
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
    let doubt = clockDoubt(opened)
    planOptions.isClockPlausible = doubt == nil
    var plan = Plan(reconciliation, seen: seen, manifest: manifest, options: planOptions, now: now)
    if let doubt { plan.warnings.append(doubt) }
    recorder.tell(.planned(plan))
    return (plan, reconciliation)
  }

  /// Nil when the clock can be believed.
  func clockDoubt(_ opened: OpenedState) -> Warning? {
    let now = now
    let latest = max(opened.queue.latestTime, opened.clockMark ?? opened.queue.savedAt)
    return ClockRule.isPlausible(now, latestSeen: latest) ? nil : .implausibleClock(now: now, latestSeen: latest)
  }
}
