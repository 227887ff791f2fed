// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
package import SyncDisk
import SyncFormats

/// Carries out the downloads of a plan. Runs on the curl thread, so that the callbacks of libcurl are inside its
/// isolation.
package actor Downloader {
  package nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  let client: HTTPClient
  var loop: CurlLoop { client.loop }
  var settings: DownloadSettings { client.settings }
  let desk: Publisher
  let emit: @Sendable (RunEvent) -> Void
  var queue: RequestQueue
  private var room: SpaceReservations
  /// The active transfers. Downloads still waiting for their turn have none, because it would only use memory.
  var transfers: [ItemID: ItemTransfer] = [:]
  private var downloads: [PlannedDownload] = []
  /// The downloads whose turn has not come yet, as indices.
  private var waitingTurns: [ItemID: Int] = [:]
  private var isStopping = false
  /// The time after which no further group is published, because whoever stopped the run is waiting.
  private var lastPublication: ContinuousClock.Instant?
  /// True while the journal is being flushed.
  private var isFlushing = false
  /// Transfers that could not connect while no other could either.
  private var undecided: [(ItemTransfer, TransferEnding)] = []
  private var storageFailure: Failure?
  /// The limit that the run has reached. If set, nothing more is requested.
  var limit: RunLimit?
  /// The number of blocked hosts at the last check.
  var knownBreakers = 0
  var isRefusing = false
  /// The time when the next pause that a host asked for ends.
  var nextOpening: Duration?
  /// Hosts whose responses to range requests cannot be used.
  private(set) var distrustedHosts: Set<String> = []
  /// Checked publications that go into the library with the next group.
  private var waiting: [Publication] = []
  private var isPublishing = false
  /// Keeps the order of publication if players show files in the order in which they were written. Otherwise it is
  /// empty and no publication waits for another.
  private var order = PublishSequencer()
  private var finished: CheckedContinuation<Void, Never>?
  /// Created when the first byte is to be kept.
  private(set) lazy var buffers = BufferPool { [weak self] in Task { await self?.resumeTransfers() } }

  package init(
    client: HTTPClient, desk: Publisher, room: SpaceReservations,
    emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.client = client
    self.desk = desk
    self.room = room
    self.emit = emit
    queue = RequestQueue(concurrency: client.settings.policy.concurrency, perHost: client.settings.policy.perHost)
  }

  /// Fetches all downloads. Returns when every item has ended, one way or another.
  /// - Parameter failures: Of items that fail before they are asked for.
  package func run(_ downloads: [PlannedDownload], failures: [ItemID: Failure] = [:]) async {
    do throws(TransferError) {
      // Idle connections count too, because a server sees no difference. Behind a proxy libcurl would treat it as the
      // one host of all connections.
      let (total, perHost) = (settings.policy.concurrency, settings.policy.perHost)
      try loop.limitConnections(total: total, perHost: settings.mayUseProxy ? total : perHost)
    } catch { preconditionFailure("libcurl refuses limits of connections: \(error)") }
    if let limit = client.state.reachedLimit {
      for download in downloads { emit(.deferred(download.task.id, .limitReached(limit))) }
      return
    }
    watchTime()
    self.downloads = downloads
    if desk.library.rules.publishesInOrder { order = PublishSequencer(downloads) }
    for (index, download) in downloads.enumerated() {
      room.expect(
        download.task.id, download.present + download.reserved, of: download.playlists.first,
        replacing: download.$replaced?.wrappedValue.size)
      waitingTurns[download.task.id] = index
    }
    if isStopping {
      dismissWaiting(.stopped)
    } else {
      for download in downloads where !isStopping { line(up: download, failures[download.task.id]) }
    }
    pump()
    guard !isOver else { return }
    keepJournal()
    await withCheckedContinuation { finished = $0 }
  }

  /// Flushes the journal once a second, so that no record waits longer for the disk, however quiet the transfers are.
  private func keepJournal() {
    _ = loop.after(QueueStore.flushDelay) { [weak self] in
      self?.assumeIsolated { downloader in
        guard !downloader.isOver else { return }
        downloader.flushJournal()
        downloader.keepJournal()
      }
    }
  }

  private func flushJournal() {
    guard !isFlushing else { return }
    isFlushing = true
    let desk = desk
    Task {
      let failure = await desk.syncJournal()
      isFlushing = false
      if let failure { stop(failure) }
    }
  }

  /// Stops the run after a signal. Complete files still go into the library if the disk is quick enough.
  package func stopSoon() {
    lastPublication = ContinuousClock.now + Self.publishingPatience
    stop()
  }

  private static let publishingPatience = Duration.milliseconds(500)

  /// Pauses all active transfers, with their partials kept. Nothing new begins.
  func stop() {
    isStopping = true
    queue.removeWaiting()
    waiting += order.giveUp()
    publishWaiting()
    for transfer in Array(transfers.values) { transfer.handle(.stopped, self) }
    dismissWaiting(.stopped)
    judgeUndecided()
  }

  // MARK: For transfers

  func distrustRanges(of host: String) { distrustedHosts.insert(host) }

  func record(_ download: PlannedDownload, _ state: ItemState, told: ByteCount? = nil) throws(Failure) {
    try desk.record(download, state, told: told)
    if desk.ledger.isDue { flushJournal() }
  }

  func now() -> Timestamp { settings.clock.now() }

  func chance() -> Double { client.state.chance() }

  func enqueue(_ transfer: ItemTransfer, origin: RemoteURL.Origin, isUnderWay: Bool) {
    if let limit { return handle(.limitReached(limit), for: transfer.id, after: .zero) }
    queue.add(.item(transfer.id), origin: origin, priority: transfer.download.priority, isUnderWay: isUnderWay)
    pump()
  }

  /// Adds a further request for the same file. It is sent when no other request is waiting.
  func enqueueFurther(_ key: RequestKey, origin: RemoteURL.Origin) {
    queue.add(key, origin: origin, priority: .low, isUnderWay: false)
    // The caller is inside a callback, from which no request can be sent.
    loop.after(.zero) { [weak self] in self?.assumeIsolated { $0.pump() } }
  }

  /// Makes the transfer check if its file is whole, after the present event.
  func settle(_ id: ItemID) {
    loop.after(.zero) { [weak self] in
      self?.assumeIsolated { downloader in downloader.transfers[id]?.settle(downloader) }
    }
  }

  /// Notes the end of a request, so that another may be sent.
  func requestEnded(_ key: RequestKey) {
    queue.finished(key)
    pump()
  }

  /// The shortage for an item whose size was announced.
  func shortage(of id: ItemID, needing bytes: ByteCount) -> RoomPlanner.Shortage? { room.need(id, bytes) }

  /// The shortage for an item without an announced size, after this number of bytes.
  func shortage(of id: ItemID, growingTo bytes: ByteCount) -> RoomPlanner.Shortage? { room.grow(id, bytes) }

  /// Hands an event to a transfer later, after the present one.
  func handle(_ event: TransferEvent, for id: ItemID, after delay: Duration) {
    _ = loop.after(delay) { [weak self] in
      self?.assumeIsolated { downloader in downloader.transfers[id]?.handle(event, downloader) }
    }
  }

  /// Flushes the partial away from the network's thread, and tells the transfer the result.
  func flush(_ partial: PartialDownload, for id: ItemID, _ purpose: ItemTransfer.Flush) {
    let desk = desk
    Task {
      let failure = await desk.flush(partial)
      transfers[id]?.flushed(purpose, failure, self)
    }
  }

  /// Judges a digest computed here at once. Otherwise waits for the digest.
  func check(_ id: ItemID, _ partial: PartialDownload, checksum: Checksum?, _ digest: BodyDigest.Pending?) {
    if case .known(let digest)? = digest {
      return checked(
        id, partial, Result { () throws(Failure) in try Publisher.judge(digest, of: partial, checksum) })
    }
    let desk = desk
    Task { checked(id, partial, await desk.check(partial, checksum: checksum, digest)) }
  }

  private func checked(_ id: ItemID, _ partial: PartialDownload, _ result: Result<CheckedFile, Failure>) {
    switch result {
    case .success(let file): handle(.checked(file), for: id, after: .zero)
    case .failure(let failure): handle(.failed(failure, received: partial.received), for: id, after: .zero)
    }
  }

  /// Publishes in groups. While one group is being published, the next one gathers.
  func publish(_ publication: Publication) {
    waiting += order.ready(publication)
    publishWaiting()
  }

  private func publishWaiting() {
    guard !isPublishing, !waiting.isEmpty else { return }
    if let storageFailure { return dismissPublications(.publicationStopped(storageFailure)) }
    if let lastPublication, ContinuousClock.now > lastPublication { return dismissPublications(.publicationPutOff) }
    let group = Array(waiting.prefix(PublicationGroup.maximum))
    waiting.removeFirst(group.count)
    isPublishing = true
    let desk = desk
    Task {
      let results = await desk.publish(group)
      isPublishing = false
      let received = Dictionary(group.map { ($0.download.task.id, $0.partial.received) }) { first, _ in first }
      for (id, result) in results {
        if case .adopted = result { transfers[id]?.isAdopted = true }
        let event: TransferEvent =
          switch result {
          case .published(let stored), .adopted(let stored): .published(stored)
          case .failed(let failure): .failed(failure, received: received[id] ?? .zero)
          case .stopped(let failure): .publicationStopped(failure)
          }
        transfers[id]?.handle(event, self)
      }
      publishWaiting()
      pump()
    }
  }

  /// Ends the waiting publications. After a failure, a folder that could not be flushed must not be flushed again.
  /// After a stop, the next run publishes them.
  private func dismissPublications(_ event: TransferEvent) {
    defer { waiting = [] }
    for id in waiting.map(\.download.task.id) { handle(event, for: id, after: .zero) }
  }

  /// Called when the hash has caught up.
  private func resumeTransfers() { for transfer in transfers.values { transfer.resume(self) } }

  // MARK: Callbacks of libcurl

  func transfer(of key: RequestKey) -> ItemTransfer? { key.item.flatMap { transfers[$0] } }

  func received(
    _ head: ResponseHead, _ proxyFailure: Failure?, _ key: RequestKey, _ request: Int
  ) -> HeadDecision {
    guard let transfer = transfer(of: key) else { return .abort }
    lookAgain()
    if case .further(_, let number) = key { return transfer.received(head, further: number, self) }
    return transfer.received(head, proxyFailure, for: request, self)
  }

  func received(_ body: UnsafeRawBufferPointer, _ key: RequestKey, _ request: Int) -> Bool {
    guard let transfer = transfer(of: key) else { return false }
    if case .further(_, let number) = key { return transfer.received(body, further: number, self) }
    return transfer.received(body, for: request, self)
  }

  func finished(_ failure: Failure?, _ key: RequestKey, _ request: Int) {
    if client.state.isOffline { goOffline() }
    defer { judgeUndecided() }
    guard let transfer = transfer(of: key) else { return requestEnded(key) }
    if case .further(_, let number) = key { return transfer.finished(failure, further: number, self) }
    transfer.finished(failure, for: request, self)
  }

  // MARK: The end

  /// Called when a transfer has ended. The queue is updated before anybody else is told.
  func ended(_ transfer: ItemTransfer, _ ending: TransferEnding) {
    if ending.isFailureToConnect, client.state.isUnanswered { return hold(transfer, ending) }
    conclude(transfer, ending)
  }

  private func conclude(_ transfer: ItemTransfer, _ ending: TransferEnding) {
    var storageFailure = ending.storageFailure
    if let state = ending.state {
      do throws(Failure) { try record(transfer.download, state, told: ending.told) } catch {
        storageFailure = storageFailure ?? error
      }
    }
    if let effort = ending.effort { emit(.spent(transfer.id, effort)) }
    if let event = ending.event { emit(event) }
    transfers[transfer.id] = nil
    queue.finished(.item(transfer.id))
    room.release(transfer.id, kept: ending.kept, freed: ending.freed)
    if let storageFailure { stop(storageFailure) }
    waiting += order.ended(transfer.id)
    publishWaiting()
    pump()
    judgeUndecided()
    if isOver {
      finished?.resume()
      finished = nil
    }
  }

  /// Stops the run because nothing can be written any more. The first reason counts.
  private func stop(_ failure: Failure) {
    guard self.storageFailure == nil else { return }
    self.storageFailure = failure
    emit(.storageFailed(failure))
    stop()
  }

  /// Holds back a failure to connect. Until any host has answered, the item's host cannot be blamed.
  private func hold(_ transfer: ItemTransfer, _ ending: TransferEnding) {
    undecided.append((transfer, ending))
    requestEnded(.item(transfer.id))
    judgeUndecided()
  }

  /// Decides about held failures once a host has answered or no request is left that could be answered.
  func judgeUndecided() {
    let isTime = isStopping || !client.state.isUnanswered || undecided.count == transfers.count + waitingTurns.count
    guard !undecided.isEmpty, isTime else { return }
    let isOffline = isStopping || client.state.isOfflineAfterRetries
    if isOffline { goOffline() }
    let endings = undecided
    undecided = []
    for (transfer, ending) in endings { conclude(transfer, isOffline ? ending.paused : ending) }
  }

  /// Stops the run without a network. This is not a failure of any item: whatever was begun waits for a run with a
  /// network.
  private func goOffline() {
    guard !isStopping else { return }
    client.state.announceOffline()
    stop()
  }

  /// True if every download has ended.
  private var isOver: Bool { transfers.isEmpty && waitingTurns.isEmpty }

  /// Adds a download to the waiting line. Without a partial its first candidate is asked first. With a partial the
  /// transfer decides.
  private func line(up download: PlannedDownload, _ failure: Failure?) {
    guard download.task.partial == nil, failure == nil else {
      takeWaiting(download.task.id)?.handle(failure.map { .failed($0, received: .zero) } ?? .started, self)
      return
    }
    let url = download.task.candidates[0].candidate.url
    queue.add(.item(download.task.id), origin: url.origin, priority: download.priority, isUnderWay: false)
  }

  func takeWaiting(_ id: ItemID) -> ItemTransfer? {
    guard let index = waitingTurns.removeValue(forKey: id) else { return nil }
    let transfer = ItemTransfer(downloads[index], rules: settings.rules, partialName: desk.newPartialName)
    transfers[id] = transfer
    return transfer
  }

  /// Ends the downloads that have not begun.
  func dismissWaiting(_ event: TransferEvent) {
    for (id, _) in waitingTurns.sorted(by: { $0.value < $1.value }) { takeWaiting(id)?.handle(event, self) }
  }

  func pump() {
    guard !isStopping else { return }
    keepLimits()
    refuse()
    let (time, hosts) = (client.state.time, client.state.hosts)
    while let key = mayAsk ? queue.next(at: time, hosts) : nil { send(key) }
    awaitOpening(time, hosts)
  }

  private func send(_ key: RequestKey) {
    if let transfer = transfer(of: key) {
      if case .further(_, let number) = key { return transfer.sendFurther(number, self) }
      transfer.sendRequest(self)
    } else if case .item(let id) = key, let transfer = takeWaiting(id) {
      transfer.start(self)
      transfer.sendRequest(self)
    } else {
      queue.finished(key)
    }
  }

  /// False if too many publications are waiting for the disk, which also sets the pace.
  private var mayAsk: Bool { !isStopping && limit == nil && waiting.count < PublicationGroup.maximum }
}
