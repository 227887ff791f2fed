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
  /// The request that runs; what comes for an older one is ignored.
  private var request: RequestReceiver?
  private var next: (url: RemoteURL, range: RangeRequest?)?
  private var writer: PartialWriter?
  private var candidate = 0
  private var resumedAt: ByteCount = .zero
  private var fetched: ByteCount = .zero
  private var isUnderWay = false
  private let began = ContinuousClock.now

  init(_ download: PlannedDownload, downloader: isolated Downloader) {
    self.download = download
    self.downloader = downloader
    settings = downloader.settings
    desk = downloader.desk
    let id = download.task.id
    machine = TransferMachine(download.task, rules: settings.rules) { PartialName.make(id: id, url: $0) }
  }

  func handle(_ event: TransferEvent) {
    downloader.assumeIsolated { downloader in
      let actions = machine.handle(event, now: downloader.now(), chance: downloader.chance())
      for action in actions { perform(action, downloader) }
      if case .failed(let failure, _) = event { announce(failure, actions, downloader) }
    }
  }

  private func perform(_ action: TransferAction, _ downloader: isolated Downloader) {
    switch action {
    case .record(let attempt):
      candidate = attempt.candidate
      note(.downloading(attempt), downloader)
    case .recordRetry(let attempt, let at): note(.retrying(attempt, nextAttemptAt: at), downloader)
    case .send(let url, let range):
      next = (url, range)
      downloader.enqueue(self, host: url.host, isUnderWay: isUnderWay)
    case .abandon: request = nil
    case .receive(let partial, let offset, let limit): open(partial, offset: offset, limit: limit, downloader)
    case .discard(let partial):
      writer = nil
      desk.discard(partial)
    case .wait(let duration): _ = downloader.loop.after(duration) { [weak self] in self?.handle(.waited) }
    case .check(let partial): check(partial, downloader)
    case .publish(let partial, let file, let candidate, let confidence):
      publish(partial, file, candidate: candidate, confidence: confidence, downloader)
    case .finish(let outcome): finish(outcome, downloader)
    }
  }

  private func note(_ state: ItemState, _ downloader: isolated Downloader) {
    do throws(Failure) { try desk.record(id, state) } catch { fail(error) }
  }

  /// A failure that arises while actions are carried out waits until they are done.
  private func fail(_ failure: Failure) {
    let received = writer?.length ?? .zero
    downloader.assumeIsolated { downloader in
      _ = downloader.loop.after(.zero) { [weak self] in self?.handle(.failed(failure, received: received)) }
    }
  }

  private func announce(_ failure: Failure, _ actions: [TransferAction], _ downloader: isolated Downloader) {
    for action in actions {
      switch action {
      case .recordRetry(let attempt, _):
        guard case .wait(let wait)? = actions.last else { continue }
        downloader.tell(.retrying(id, failure, attempt: attempt.attempts, wait: wait))
      case .record(let attempt) where attempt.attempts == 1:
        downloader.tell(.switched(id, failure, to: attempt.candidate))
      default: break
      }
    }
  }
}

// MARK: - The request

extension ItemTransfer {
  /// Called when it is this item's turn.
  func sendRequest(_ downloader: isolated Downloader) {
    guard let (url, range) = next else { return downloader.requestEnded(id) }
    next = nil
    isUnderWay = true
    let isNamed = !download.isFromSource && download.task.candidates.contains { $0.candidate.url == url }
    let isOrigin = !download.isFromSource && download.task.candidates.contains { $0.candidate.url.origin == url.origin }
    var request = settings.request(url, isOriginOfManifest: isOrigin, isFromSource: !isNamed)
    if let range {
      request.range = ByteRange(from: range.offset.bytes)
      request.fields += [settings.field("If-Range", range.validator.fieldValue)].compactMap { $0 }
    }
    let receiver = RequestReceiver(url: url, transfer: self)
    self.request = receiver
    _ = downloader.loop.start(request, receiver)
  }

  fileprivate func received(_ head: ResponseHead, by receiver: RequestReceiver) -> HeadDecision {
    guard receiver === request else { return .abort }
    handle(.headReceived(ResponseFacts(head)))
    // Abandoned: a small rest is read past, so that the connection lives on.
    return receiver === request && writer != nil ? .receiveBody : .discard
  }

  fileprivate func received(_ body: RawSpan, by receiver: RequestReceiver) -> Bool {
    guard receiver === request, let writer else { return false }
    do throws(Failure) {
      try writer.append(body)
      if let failure = settings.mustBeMedia ? writer.contentProblem : nil { throw failure }
    } catch {
      request = nil
      fail(error)
      return false
    }
    return grow(writer, receiver)
  }

  /// Sees that a body of unknown length stays within the room that is left.
  private func grow(_ writer: PartialWriter, _ receiver: RequestReceiver) -> Bool {
    downloader.assumeIsolated { downloader in
      if let shortage = downloader.shortage(of: id, growingTo: writer.length - resumedAt) {
        request = nil
        _ = downloader.loop.after(.zero) { [weak self] in self?.handle(.roomRefused(shortage)) }
        return false
      }
      downloader.progressed(id, received: writer.length, total: writer.total)
      return true
    }
  }

  fileprivate func finished(_ result: TransferResult, by receiver: RequestReceiver) {
    downloader.assumeIsolated { $0.requestEnded(id) }
    guard receiver === request else { return }
    request = nil
    do throws(Failure) {
      try writer?.flush()
      if case .completed = result, settings.mustBeMedia, let failure = writer?.finalContentProblem { throw failure }
    } catch { return handle(.failed(error, received: writer?.length ?? .zero)) }
    let received = writer?.length ?? .zero
    switch result {
    case .completed where writer != nil: handle(.bodyEnded(received: received))
    case .completed: break
    case .failed(let error):
      let failure = Failure(error, url: receiver.url, connect: settings.policy.connectTimeout)
      handle(.failed(failure, received: received))
    }
  }
}

/// One request of a transfer, known to libcurl until it has ended, whatever the transfer does meanwhile.
private final class RequestReceiver: TransferReceiver {
  let url: RemoteURL
  private let transfer: ItemTransfer

  init(url: RemoteURL, transfer: ItemTransfer) {
    self.url = url
    self.transfer = transfer
  }

  func receivedHead(_ head: ResponseHead) -> HeadDecision { transfer.received(head, by: self) }
  func receivedBody(_ bytes: RawSpan) -> Bool { transfer.received(bytes, by: self) }
  func finished(_ result: TransferResult) { transfer.finished(result, by: self) }
}

// MARK: - Bytes

extension ItemTransfer {
  private func open(
    _ partial: PartialDownload, offset: ByteCount, limit: ByteCount, _ downloader: isolated Downloader
  ) {
    do throws(Failure) {
      writer = try desk.openPartial(partial, offset: offset, limit: limit, rules: settings.rules)
    } catch {
      request = nil
      return fail(error)
    }
    resumedAt = offset
    // The empty partial stays and keeps the announced size for the next plan.
    if let total = partial.total, let shortage = downloader.shortage(of: id, needing: total - offset) {
      request = nil
      _ = downloader.loop.after(.zero) { [weak self] in self?.handle(.roomRefused(shortage)) }
      return
    }
    downloader.tell(.started(id, candidate: candidate, offset: offset))
  }

  private func check(_ partial: PartialDownload, _ downloader: isolated Downloader) {
    if let writer { fetched += writer.length - resumedAt }
    writer = nil
    let (desk, checksum) = (desk, download.task.checksum)
    Task {
      switch await desk.check(partial, checksum: checksum) {
      case .success(let file): handle(.checked(file))
      case .failure(let failure): handle(.failed(failure, received: partial.received))
      }
    }
  }

  private func publish(
    _ partial: PartialDownload, _ file: CheckedFile, candidate: Int, confidence: StoredFile.Confidence,
    _ downloader: isolated Downloader
  ) {
    let publication = Publication(
      download: download, partial: partial, file: file, candidate: candidate, confidence: confidence)
    let desk = desk
    Task {
      switch await desk.publish(publication) {
      case .success(let stored): handle(.published(stored))
      case .failure(let failure): handle(.failed(failure, received: partial.received))
      }
    }
  }

  private func finish(_ outcome: TransferOutcome, _ downloader: isolated Downloader) {
    request = nil
    var outcome = outcome
    do throws(Failure) { try writer?.flush() } catch { outcome = .stopRun(error, partial: nil) }
    if let writer { fetched += writer.length - resumedAt }
    let ending = TransferEnding(
      outcome, download: download, writtenLength: writer?.length, now: downloader.now(), fetched: fetched,
      resumed: resumedAt, seconds: (ContinuousClock.now - began).inSeconds)
    writer = nil
    downloader.ended(self, ending)
  }
}
