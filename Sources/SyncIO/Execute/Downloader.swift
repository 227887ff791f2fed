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
  private var queue: RequestQueue
  private var room: RoomLedger
  private var transfers: [ItemID: ItemTransfer] = [:]
  private var isStopping = false
  /// The journal is being flushed.
  private var isFlushing = false
  /// Could not connect, while nothing else could.
  private var undecided: [(ItemTransfer, TransferEnding)] = []
  private var storageFailure: Failure?
  /// Hosts whose answers to ranges cannot be used.
  private(set) var distrustedHosts: Set<String> = []
  /// Checked, on their way into the library with the next group.
  private var waiting: [Publication] = []
  private var isPublishing = false
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
    for download in downloads { room.expect(download.task.id, download.expectedBytes) }
    for download in downloads where !isStopping { begin(download) }
    pump()
    guard !transfers.isEmpty else { return }
    keepJournal()
    await withCheckedContinuation { finished = $0 }
  }

  /// Once a second, so that no record waits longer for the disk however quiet the transfers are.
  private func keepJournal() {
    _ = loop.after(QueueStore.flushDelay) { [weak self] in
      self?.assumeIsolated { downloader in
        guard !downloader.transfers.isEmpty else { return }
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

  /// Pauses what runs, keeping the partials; nothing new begins.
  func stop() {
    isStopping = true
    queue.removeWaiting()
    for transfer in Array(transfers.values) { transfer.handle(.stopped, self) }
    judgeUndecided()
  }

  // MARK: For transfers

  func distrustRanges(of host: String) { distrustedHosts.insert(host) }

  func record(_ id: ItemID, _ state: ItemState) throws(Failure) {
    try desk.record(id, state)
    if desk.ledger.isDue { flushJournal() }
  }

  func now() -> Timestamp { settings.clock.now() }

  func chance() -> Double { settings.chance() }

  func enqueue(_ transfer: ItemTransfer, host: String, isUnderWay: Bool) {
    queue.add(transfer.id, host: host, priority: transfer.download.priority, isUnderWay: isUnderWay)
    pump()
  }

  /// The transfer's request is over; another may go out.
  func requestEnded(_ id: ItemID) {
    queue.finished(id)
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
    waiting.append(publication)
    publishWaiting()
  }

  private func publishWaiting() {
    guard !isPublishing, !waiting.isEmpty else { return }
    let group = Array(waiting.prefix(PublicationGroup.maximum))
    waiting.removeFirst(group.count)
    isPublishing = true
    let desk = desk
    Task {
      let results = await desk.publish(group)
      isPublishing = false
      for (publication, (id, result)) in zip(group, results) {
        switch result {
        case .success(let stored): transfers[id]?.handle(.published(stored), self)
        case .failure(let failure):
          transfers[id]?.handle(.failed(failure, received: publication.partial.received), self)
        }
      }
      publishWaiting()
      pump()
    }
  }

  /// The hash has caught up.
  private func resumeTransfers() { for transfer in transfers.values { transfer.resume(self) } }

  // MARK: What libcurl calls

  func received(_ head: ResponseHead, _ id: ItemID, _ request: Int) -> HeadDecision {
    transfers[id]?.received(head, for: request, self) ?? .abort
  }

  func received(_ body: UnsafeRawBufferPointer, _ id: ItemID, _ request: Int) -> Bool {
    transfers[id]?.received(body, for: request, self) ?? false
  }

  func finished(_ result: TransferResult, _ id: ItemID, _ request: Int) {
    if settings.watch.isOffline { goOffline() }
    defer { judgeUndecided() }
    guard let transfer = transfers[id] else { return requestEnded(id) }
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
      do throws(Failure) { try record(transfer.id, state) } catch { storageFailure = storageFailure ?? error }
    }
    if let event = ending.event { tell(event) }
    transfers[transfer.id] = nil
    queue.finished(transfer.id)
    room.release(transfer.id, kept: ending.kept)
    if let storageFailure { stop(storageFailure) }
    pump()
    judgeUndecided()
    if transfers.isEmpty {
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
    requestEnded(transfer.id)
    judgeUndecided()
  }

  /// Once somebody has answered, or nobody is left who could.
  private func judgeUndecided() {
    let isTime = isStopping || !settings.watch.isUnanswered || undecided.count == transfers.count
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

  private func begin(_ download: PlannedDownload) {
    let transfer = ItemTransfer(download, rules: settings.rules)
    transfers[download.task.id] = transfer
    transfer.handle(.started, self)
  }

  private func pump() {
    // The disk sets the pace, too.
    while !isStopping, waiting.count < 2 * PublicationGroup.maximum, let id = queue.next() {
      guard let transfer = transfers[id] else {
        queue.finished(id)
        continue
      }
      transfer.sendRequest(self)
    }
  }
}
