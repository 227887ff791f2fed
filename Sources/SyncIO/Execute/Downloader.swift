// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
import SyncFormats

/// Carries out the downloads of a plan. Runs on the curl thread, so that what libcurl calls is inside its isolation.
package actor Downloader {
  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let loop: CurlLoop
  let settings: DownloadSettings
  let desk: PublishingDesk
  let tell: @Sendable (RunEvent) -> Void
  private var queue: RequestQueue
  private var room: RoomLedger
  private var transfers: [ItemID: ItemTransfer] = [:]
  private var isStopping = false
  private var storageFailure: Failure?
  private var finished: CheckedContinuation<Void, Never>?

  package init(
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
  package func run(_ downloads: [PlannedDownload]) async {
    for download in downloads { room.expect(download.task.id, download.expectedBytes) }
    for download in downloads where !isStopping { begin(download) }
    pump()
    guard !transfers.isEmpty else { return }
    await withCheckedContinuation { finished = $0 }
  }

  /// Pauses what runs, keeping the partials; nothing new begins.
  package func stop() {
    isStopping = true
    queue.removeWaiting()
    for transfer in Array(transfers.values) { transfer.handle(.stopped) }
  }

  // MARK: For transfers

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

  func progressed(_ id: ItemID, received: ByteCount, total: ByteCount?) {
    tell(.progressed(id, received: received, total: total))
  }

  /// The transfer has come to its end: the queue learns of it before anybody else.
  func ended(_ transfer: ItemTransfer, _ ending: TransferEnding) {
    var storageFailure = ending.storageFailure
    if let state = ending.state {
      do throws(Failure) { try desk.record(transfer.id, state) } catch { storageFailure = storageFailure ?? error }
    }
    tell(ending.event)
    transfers[transfer.id] = nil
    queue.finished(transfer.id)
    room.release(transfer.id, kept: ending.kept)
    if let storageFailure { stop(storageFailure) }
    pump()
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

  private func begin(_ download: PlannedDownload) {
    let transfer = ItemTransfer(download, downloader: self)
    transfers[download.task.id] = transfer
    transfer.handle(.started)
  }

  private func pump() {
    guard !isStopping else { return }
    while let id = queue.next() {
      guard let transfer = transfers[id] else {
        queue.finished(id)
        continue
      }
      transfer.sendRequest(self)
    }
  }
}
