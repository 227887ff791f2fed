// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet
import Synchronization

/// The licences of files that are in the library: renewed in time before a plan is made, and given up after it is carried
/// out. Downloads get theirs while they are fetched.
extension Run {
  /// Declares the licences that items need, renews those that are due, and tells of every change of an item's offline
  /// state. A preview and the application of a saved plan request nothing.
  func license(
    _ desired: inout DesiredState, _ view: inout LibraryView, _ journal: JournaledQueue?, _ network: Network,
    _ recorder: ReportRecorder
  ) async throws(JobError) {
    let manifest = context.manifest
    guard manifest.usesLicenses || view.queue.hasLicenses, view.state.loss == nil else { return }
    desired.usesLicenses = true
    let sources = LicenseSources(manifest)
    let places = desired.declareLicenses(sources)
    // Once new licences have come, which may allow other qualities.
    defer { desired.limitQualities(view.queue) }
    let store = try view.licenseStore()
    view.licenses = store
    let due = view.dueLicenses(places, sources.server, context.options.scope, keys: store?.keys ?? [:])
    guard let journal, let store, context.options.savedPlan == nil else {
      if !due.isEmpty { recorder.emit(.warned(.licensesDue(due.count))) }
      return
    }
    try view.prepare(store, recorder)
    try view.forgetLostKeys(journal, store)
    if !due.isEmpty, !Task.isCancelled { try await renew(due, &view, journal, store, network, recorder) }
  }

  private func renew(
    _ due: [(ItemID, LicenseSource)], _ view: inout LibraryView, _ journal: JournaledQueue, _ store: LicenseStore,
    _ network: Network, _ recorder: ReportRecorder
  ) async throws(JobError) {
    let fetcher = licenseFetcher(view, journal, store, try await network.start())
    let problems = Mutex<[ItemID: LicenseProblem]>([:])
    do throws(Failure) {
      try await fetcher.obtain(due) { _, answers in
        for (id, answer) in answers {
          if case .failure(let problem) = answer { problems.withLock { $0[id] = problem } }
        }
      }
    } catch { throw .failed(error) }
    for (id, _) in due { if let item = journal.item(id) { view.state.queue[id] = item } }
    guard !Task.isCancelled else { return }
    let found = problems.withLock(\.self)
    for warning in warnings(due, found, view.queue, at: view.clock.now()) { recorder.emit(.warned(warning)) }
  }

  /// The warnings about files that have no new licence. Many with one cause are told together.
  private func warnings(
    _ due: [(ItemID, LicenseSource)], _ problems: [ItemID: LicenseProblem], _ queue: Queue, at time: Timestamp
  ) -> [Warning] {
    struct Cause: Hashable {
      let problem: LicenseProblem
      let server: String
      let isOver: Bool
    }
    var order: [Cause] = []
    var groups: [Cause: [QueueItem]] = [:]
    for (id, source) in due {
      guard let problem = problems[id], let item = queue[id] else { continue }
      let cause = Cause(
        problem: problem, server: source.url.host, isOver: !(item.license?.isValid(at: time) ?? false))
      if groups[cause] == nil { order.append(cause) }
      groups[cause, default: []].append(item)
    }
    return order.flatMap { cause -> [Warning] in
      let items = groups[cause] ?? []
      guard items.count <= Self.toldOneByOne else {
        return [.manyNotLicensed(items.count, cause.problem, server: cause.server, areOver: cause.isOver)]
      }
      return items.map { item in
        .notLicensed(
          title: item.item.title, cause.problem, server: cause.server,
          expiresAt: cause.isOver ? nil : item.license?.license?.expiresAt)
      }
    }
  }

  private static let toldOneByOne = 3

  /// The fetcher for licences of this run.
  func licenseFetcher(
    _ view: LibraryView, _ journal: JournaledQueue, _ store: LicenseStore, _ client: HTTPClient
  ) -> LicenseFetcher {
    let clock = view.clock
    let service = LicenseService(
      client, device: store.device, validFor: context.manifest.licenses.validFor, clock: { clock.now() })
    return LicenseFetcher(
      service, store, view.library, journal, clock: clock, deviceName: context.manifest.name)
  }
}

extension DesiredState {
  /// Notes the place of each licence.
  /// - Returns: The places by item.
  fileprivate mutating func declareLicenses(_ sources: LicenseSources) -> [ItemID: LicenseSource] {
    var places: [ItemID: LicenseSource] = [:]
    for index in items.indices {
      let source = sources.source(of: items[index].item, in: items[index].memberships.map(\.playlist))
      guard let source else { continue }
      items[index].license = source
      places[items[index].item.id] = source
    }
    return places
  }

  /// Wants the best quality that a known licence allows, where that is not the declared one.
  fileprivate mutating func limitQualities(_ queue: Queue) {
    for index in items.indices where items[index].$license != nil {
      guard let known = queue[items[index].item.id]?.license?.license,
        let limit = known.restrictions.qualityLimit, let limited = items[index].item.limited(to: limit)
      else { continue }
      items[index].item = limited
    }
  }
}

extension Queue {
  var hasLicenses: Bool { items.indices.contains { items.box(at: $0).wrappedValue.$license != nil } }
}

extension LibraryView {
  /// Makes the store ready to be changed.
  func prepare(_ store: LicenseStore, _ recorder: ReportRecorder) throws(JobError) {
    let wasDamaged: Bool
    do throws(FileError) { wasDamaged = try store.prepare() } catch { throw .file(error) }
    if wasDamaged { recorder.emit(.warned(.licensesDamaged(path: library.state.place(.damagedLicenses).text))) }
  }

  /// The items with a file, or that lost it with their licence, whose licence is to be requested.
  /// - Parameters:
  ///   - server: The place for items that no playlist names any more.
  ///   - keys: The content keys that are known.
  fileprivate func dueLicenses(
    _ places: [ItemID: LicenseSource], _ server: LicenseSource?, _ scope: Set<PlaylistName>?,
    keys: [ItemID: SealingKey]
  ) -> [(ItemID, LicenseSource)] {
    let (policy, time) = (context.manifest.licenses, clock.now())
    return queue.items.indices.compactMap { position in
      let item = queue.items.box(at: position).wrappedValue
      guard item.isLicensed, scope.map({ item.isMember(ofAny: $0) }) ?? true else { return nil }
      guard let source = places[item.id] ?? (item.$license == nil ? nil : server) else { return nil }
      // Without its key a sealed file cannot be read, however long the licence is.
      let lacksKey = item.state.storedFile?.sealed?.isByContentKey == true && keys[item.id] == nil
      guard lacksKey || item.license?.isDue(policy, of: item.id, at: time) ?? true else { return nil }
      return (item.id, source)
    }
  }

  /// Takes a licence whose content key is lost for none: the file cannot be read.
  fileprivate mutating func forgetLostKeys(_ journal: JournaledQueue, _ store: LicenseStore) throws(JobError) {
    let time = clock.now()
    var changed: [QueueItem] = []
    for position in queue.items.indices {
      let item = queue.items.box(at: position).wrappedValue
      guard item.state.storedFile?.sealed?.isByContentKey == true, store.lacksKey(of: item.id),
        item.license?.isValid(at: time) == true
      else { continue }
      var lacking = item
      lacking.license?.license = nil
      changed.append(lacking)
    }
    for item in changed { state.queue[item.id] = item }
    do throws(Failure) { try journal.apply(changed.map { .item($0) }) } catch { throw .failed(error) }
  }
}

extension OpenLibrary {
  /// Destroys the content keys of licences that are over, and tells of changed offline states. Does nothing while the
  /// clock cannot be trusted.
  func giveUpLicenses(_ emit: (RunEvent) -> Void) throws(JobError) {
    let scope = view.context.options.scope
    guard view.clockDoubt == nil, view.state.loss == nil, let store = view.licenses else { return }
    let (time, queue) = (view.clock.now(), journal.queue)
    let gone: [ItemID]
    do throws(FileError) {
      gone = try store.keep { id in
        guard let item = queue[id] else { return false }
        // Outside its scope a run asks for no new licence.
        let isInScope = scope.map { item.isMember(ofAny: $0) } ?? true
        return !isInScope || item.keepsContentKey(at: time)
      }
      let isComplete = !queue.items.indices.contains { position in
        let item = queue.items.box(at: position).wrappedValue
        return item.state.storedFile?.sealed?.isByContentKey == true && item.license?.isValid(at: time) != false
          && store.lacksKey(of: item.id)
      }
      // Nothing is left to be learnt from a damaged file, and its keys must not outlive their licences.
      if isComplete || !gone.isEmpty { try store.dropDamaged() }
    } catch { throw .file(error) }
    var changed: [QueueItem] = []
    for position in queue.items.indices {
      let item = queue.items.box(at: position).wrappedValue
      guard let record = item.license else { continue }
      var told = item
      told.license?.told = item.offlineState(at: time)
      if gone.contains(item.id) { told.license?.license?.hasContentKey = false }
      if told.license != record { changed.append(told) }
    }
    do throws(Failure) { try journal.apply(changed.map { .item($0) }) } catch { throw .failed(error) }
    for item in changed {
      guard let record = item.license, record.told != queue[item.id]?.license?.told else { continue }
      emit(.offlineStateChanged(item.id, record.told, expiresAt: record.license?.expiresAt))
    }
  }
}

extension QueueItem {
  /// True if a licence matters for its file.
  fileprivate var isLicensed: Bool {
    switch state {
    case .completed: true
    case .removed(let removal): removal.cause == .expired
    default: false
    }
  }

  /// True if its content key is of use. Without a record no licence is needed any more, but the file is still sealed.
  fileprivate func keepsContentKey(at time: Timestamp) -> Bool {
    license.map { !$0.isOver(at: time) } ?? (state.storedFile?.sealed?.isByContentKey ?? false)
  }
}
