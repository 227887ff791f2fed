// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncFormats

/// One item on its way: carries out what its machine decides. Lives in the downloader's isolation.
final class ItemTransfer {
  let download: PlannedDownload
  var id: ItemID { download.task.id }

  private unowned let downloader: Downloader
  private let settings: DownloadSettings
  private let desk: PublishingDesk
  private var machine: TransferMachine
  private var request: RequestReceiver?
  private var nextRequest: (url: RemoteURL, range: RangeRequest?)?
  private var writer: PartialWriter?
  private var wait: LoopTimerID?
  private var candidate = 0
  private var clock = ContinuousClock.now
  private var fetched: ByteCount = .zero
  private var resumed: ByteCount = .zero
  private var isUnderWay = false

  init(_ download: PlannedDownload, downloader: isolated Downloader) {
    self.download = download
    self.downloader = downloader
    settings = downloader.settings
    desk = downloader.desk
    let id = download.task.id
    machine = TransferMachine(download.task, rules: settings.rules) { PartialNaming.name(id: id, url: $0) }
  }

  func handle(_ event: TransferEvent) {
    downloader.assumeIsolated { downloader in
      let actions = machine.handle(event, now: downloader.now(), chance: downloader.chance())
      for action in actions { perform(action, downloader) }
    }
  }

  private func perform(_ action: TransferAction, _ downloader: isolated Downloader) {
    switch action {
    case .record(let attempt): record(.downloading(attempt), downloader)
    case .recordRetry(let attempt, let at): record(.retrying(attempt, nextAttemptAt: at), downloader)
    case .send(let url, let range):
      nextRequest = (url, range)
      downloader.enqueue(self, host: url.host, isUnderWay: isUnderWay)
    case .abandon: abandonRequest(downloader)
    case .receive(let partial, let offset, let limit): openPartial(partial, offset: offset, limit: limit)
    case .discard(let partial):
      closeWriter()
      desk.discard(partial)
    case .wait(let duration):
      wait = downloader.loop.after(duration) { [weak self] in self?.handle(.waited) }
    case .check(let partial): check(partial, downloader)
    case .publish(let partial, let file, let candidate, let confidence):
      publish(partial, file, candidate: candidate, confidence: confidence, downloader)
    case .finish(let outcome): finish(outcome, downloader)
    }
  }
}
