// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncFormats

/// Carries out the downloads of a plan. Runs on the curl thread, so that what libcurl calls is inside its isolation.
actor Downloader {
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let loop: CurlLoop
  let settings: DownloadSettings
  let desk: PublishingDesk
  let tell: @Sendable (RunEvent) -> Void
  var queue: RequestQueue
  private var room: RoomLedger
  /// Those under way: what still waits for its turn would only take room.
  var transfers: [ItemID: ItemTransfer] = [:]
  private var downloads: [PlannedDownload] = []
  /// The downloads whose turn has not come yet, as indices.
  private var waitingTurns: [ItemID: Int] = [:]
  private var isStopping = false
  /// From then on no further group is published: whoever stopped the run waits.
  private var lastPublication: ContinuousClock.Instant?
  /// The journal is being flushed.
  private var isFlushing = false
  /// Could not connect, while nothing else could.
  private var undecided: [(ItemTransfer, TransferEnding)] = []
  private var storageFailure: Failure?
  /// What the run has used up: nothing is asked for any more.
  var limit: RunLimit?
  /// As many hosts were left alone when it was last looked.
  var knownClosures = 0
  var isRefusing = false
  /// When the next pause that a host asked for is over.
  var nextOpening: Duration?
  /// Hosts whose answers to ranges cannot be used.
  private(set) var distrustedHosts: Set<String> = []
  /// Checked, on their way into the library with the next group.
  private var waiting: [Publication] = []
  private var isPublishing = false
  /// Empty unless the library's place shows files in the order of their writing: then nobody waits for anybody.
  private var order = PublishingOrder()
  private var finished: CheckedContinuation<Void, Never>?
  /// Made when the first byte is to be kept.
  private(set) lazy var buffers = BufferPool { [weak self] in Task { await self?.resumeTransfers() } }

  init(
    loop: CurlLoop, settings: DownloadSettings, desk: PublishingDesk, room: RoomLedger,
    tell: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.loop = loop
    self.settings = settings
    self.desk = desk
    self.room = room
    self.tell = tell
    queue = RequestQueue(concurrency: settings.policy.concurrency, perHost: settings.policy.perHost)
  }

  /// Fetches all; returns when every item has ended, one way or another.
  func run(_ downloads: [PlannedDownload]) async {
    do throws(TransferError) {
      // Idle ones count: a server sees no difference. Behind a proxy libcurl would take it for the one host of all.
      let (total, perHost) = (settings.policy.concurrency, settings.policy.perHost)
      try loop.limitConnections(total: total, perHost: settings.mayUseProxy ? total : perHost)
    } catch { preconditionFailure("libcurl refuses limits of connections: \(error)") }
    if let limit = settings.allowance.reached {
      for download in downloads { tell(.deferred(download.task.id, .limitReached(limit))) }
      return
    }
    watchTime()
    self.downloads = downloads
    if desk.library.rules.publishesInOrder { order = PublishingOrder(downloads) }
    for (index, download) in downloads.enumerated() {
      room.expect(
        download.task.id, download.present + download.reserved, of: download.playlists.first,
        replacing: download.$replaced?.wrappedValue.size)
      waitingTurns[download.task.id] = index
    }
    if isStopping {
      dismissWaiting(.stopped)
    } else {
      for download in downloads where !isStopping { line(up: download) }
    }
    pump()
    guard !isOver else { return }
    keepJournal()
    await withCheckedContinuation { finished = $0 }
  }

  /// Once a second, so that no record waits longer for the disk however quiet the transfers are.
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

  /// A signal stops the run. Files that are whole still go into the library, as far as the disk is quick.
  func stopSoon() {
    lastPublication = ContinuousClock.now + Self.publishingPatience
    stop()
  }

  private static let publishingPatience = Duration.milliseconds(500)

  /// Pauses what runs, keeping the partials; nothing new begins.
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

  func chance() -> Double { settings.chance() }

  func enqueue(_ transfer: ItemTransfer, origin: RemoteURL.Origin, isUnderWay: Bool) {
    if let limit { return handle(.limitReached(limit), for: transfer.id, after: .zero) }
    queue.add(.item(transfer.id), origin: origin, priority: transfer.download.priority, isUnderWay: isUnderWay)
    pump()
  }

  /// A further request for the same file goes out when nothing else wants to.
  func enqueueFurther(_ key: RequestKey, origin: RemoteURL.Origin) {
    queue.add(key, origin: origin, priority: .low, isUnderWay: false)
    // Not inside the callback that asks for it.
    loop.after(.zero) { [weak self] in self?.assumeIsolated { $0.pump() } }
  }

  /// Has the transfer look whether its file is whole, once the present event is dealt with.
  func settle(_ id: ItemID) {
    loop.after(.zero) { [weak self] in
      self?.assumeIsolated { downloader in downloader.transfers[id]?.settle(downloader) }
    }
  }

  /// A request is over; another may go out.
  func requestEnded(_ key: RequestKey) {
    queue.finished(key)
    pump()
  }

  /// The size has been announced.
  func shortage(of id: ItemID, needing bytes: ByteCount) -> RoomPlanner.Shortage? { room.need(id, bytes) }

  /// So much has come, and no size was announced.
  func shortage(of id: ItemID, growingTo bytes: ByteCount) -> RoomPlanner.Shortage? { room.grow(id, bytes) }

  /// Hands an event to a transfer later, once the present one is dealt with.
  func handle(_ event: TransferEvent, for id: ItemID, after delay: Duration) {
    _ = loop.after(delay) { [weak self] in
      self?.assumeIsolated { downloader in downloader.transfers[id]?.handle(event, downloader) }
    }
  }

  /// Has the partial's bytes on the disk, away from the network's thread, and tells the transfer how it went.
  func flush(_ partial: PartialDownload, for id: ItemID, _ purpose: ItemTransfer.Flush) {
    let desk = desk
    Task {
      let failure = await desk.flush(partial)
      transfers[id]?.flushed(purpose, failure, self)
    }
  }

  /// What was hashed here is judged here; what is hashed elsewhere is waited for.
  func check(_ id: ItemID, _ partial: PartialDownload, checksum: Checksum?, _ digest: BodyDigest.Pending?) {
    if case .known(let digest)? = digest {
      return checked(
        id, partial, Result { () throws(Failure) in try PublishingDesk.judge(digest, of: partial, checksum) })
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

  /// While one group is on its way the next one gathers.
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

  /// After a failure: a folder that could not be flushed is not flushed again. After a stop: the next run publishes them.
  private func dismissPublications(_ event: TransferEvent) {
    defer { waiting = [] }
    for id in waiting.map(\.download.task.id) { handle(event, for: id, after: .zero) }
  }

  /// The hash has caught up.
  private func resumeTransfers() { for transfer in transfers.values { transfer.resume(self) } }

  // MARK: What libcurl calls

  func transfer(of key: RequestKey) -> ItemTransfer? { key.item.flatMap { transfers[$0] } }

  func received(_ head: ResponseHead, _ key: RequestKey, _ request: Int) -> HeadDecision {
    guard let transfer = transfer(of: key) else { return .abort }
    lookAgain()
    if case .further(_, let number) = key { return transfer.received(head, further: number, self) }
    return transfer.received(head, for: request, self)
  }

  func received(_ body: UnsafeRawBufferPointer, _ key: RequestKey, _ request: Int) -> Bool {
    guard let transfer = transfer(of: key) else { return false }
    if case .further(_, let number) = key { return transfer.received(body, further: number, self) }
    return transfer.received(body, for: request, self)
  }

  func finished(_ result: TransferResult, _ key: RequestKey, _ request: Int) {
    if settings.watch.isOffline { goOffline() }
    defer { judgeUndecided() }
    guard let transfer = transfer(of: key) else { return requestEnded(key) }
    if case .further(_, let number) = key { return transfer.finished(result, further: number, self) }
    transfer.finished(result, for: request, self)
  }

  // MARK: The end

  /// The transfer has come to its end: the queue learns of it before anybody else.
  func ended(_ transfer: ItemTransfer, _ ending: TransferEnding) {
    if ending.isFailureToConnect, settings.watch.isUnanswered { return hold(transfer, ending) }
    conclude(transfer, ending)
  }

  private func conclude(_ transfer: ItemTransfer, _ ending: TransferEnding) {
    var storageFailure = ending.storageFailure
    if let state = ending.state {
      do throws(Failure) { try record(transfer.download, state, told: ending.told) } catch {
        storageFailure = storageFailure ?? error
      }
    }
    if let effort = ending.effort { tell(.spent(transfer.id, effort)) }
    if let event = ending.event { tell(event) }
    transfers[transfer.id] = nil
    queue.finished(.item(transfer.id))
    room.release(transfer.id, kept: ending.kept)
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

  /// Nothing can be written any more: the first reason counts.
  private func stop(_ failure: Failure) {
    guard self.storageFailure == nil else { return }
    self.storageFailure = failure
    tell(.storageFailed(failure))
    stop()
  }

  /// Without an answer from anywhere it is too early to blame the item's host.
  private func hold(_ transfer: ItemTransfer, _ ending: TransferEnding) {
    undecided.append((transfer, ending))
    requestEnded(.item(transfer.id))
    judgeUndecided()
  }

  /// Once somebody has answered, or nobody is left who could.
  func judgeUndecided() {
    let isTime = isStopping || !settings.watch.isUnanswered || undecided.count == transfers.count + waitingTurns.count
    guard !undecided.isEmpty, isTime else { return }
    let isOffline = isStopping || settings.watch.isOfflineAfterRetries
    if isOffline { goOffline() }
    let endings = undecided
    undecided = []
    for (transfer, ending) in endings { conclude(transfer, isOffline ? ending.paused : ending) }
  }

  /// Not a failure of any item: what was begun waits for a run that finds a network.
  private func goOffline() {
    guard !isStopping else { return }
    settings.watch.announceOffline()
    stop()
  }

  /// Every download has come to its end.
  private var isOver: Bool { transfers.isEmpty && waitingTurns.isEmpty }

  /// What begins with nothing will ask its first candidate first; who asks whom about a partial is the transfer's matter.
  private func line(up download: PlannedDownload) {
    guard download.task.partial == nil else {
      takeWaiting(download.task.id)?.handle(.started, self)
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

  /// Ends those that have not begun.
  func dismissWaiting(_ event: TransferEvent) {
    for (id, _) in waitingTurns.sorted(by: { $0.value < $1.value }) { takeWaiting(id)?.handle(event, self) }
  }

  func pump() {
    guard !isStopping else { return }
    keepLimits()
    refuse()
    let (time, hosts) = (settings.hosts.time, settings.hosts.current)
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

  /// The disk sets the pace, too.
  private var mayAsk: Bool { !isStopping && limit == nil && waiting.count < PublicationGroup.maximum }
}
