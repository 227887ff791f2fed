// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk
import SyncFormats

/// The transfer of one item: carries out the decisions of its state machine. It belongs to the downloader and is used
/// in its isolation only.
final class ItemTransfer {
  let download: PlannedDownload
  var id: ItemID { download.task.id }

  private var machine: TransferMachine
  /// The number of the current request, counted from 1. Callbacks of older requests are ignored. Zero if none is
  /// active.
  var request = 0
  private(set) var requests = 0
  /// The number of requests that were not redirects.
  private var attempts = 0
  /// The handle of the latest request in the loop.
  private var transfer: TransferID?
  private var isPaused = false
  private var next: (url: RemoteURL, range: RangeRequest?)?
  var url: RemoteURL
  private var trail: CredentialTrail?
  var writer: PartialWriter?
  /// The further requests for the same file, in parallel with the main one.
  var crew: RangeWorkers?
  var furtherRequests = 0
  /// True if further requests left a gap, so no more are made.
  var isSingle = false
  /// True if the fetched file turned out to be in its place already.
  var isAdopted = false
  /// The whole partial, open between its check and its publication.
  private var body: (any OpenFile)?
  private var candidate = 0
  var attempt: Attempt?
  private var resumedAt: ByteCount = .zero
  private var fetched: ByteCount = .zero
  private var isUnderWay = false
  /// True if its request may be sent as soon as it is known.
  private var hasTurn = false
  /// The bytes of the partial that are on the disk and not only in the system's cache. The queue may count only on
  /// these.
  var durable: DownloadedRanges
  var checkpoint = Checkpoint()
  private let began = ContinuousClock.now

  init(
    _ download: PlannedDownload, rules: TransferRules,
    partialName: @escaping @Sendable (ItemID, RemoteURL) -> String
  ) {
    self.download = download
    url = download.task.candidates[0].candidate.url
    durable = download.task.partial?.presence ?? DownloadedRanges(received: .zero)
    let id = download.task.id
    machine = TransferMachine(download.task, rules: rules) { partialName(id, $0) }
  }

  /// The origin of the next request, between two requests.
  var waitsFor: RemoteURL.Origin? { machine.waitsFor }

  func handle(_ event: TransferEvent, _ downloader: isolated Downloader) {
    var context = TransferContext(now: downloader.now(), chance: downloader.chance())
    context.distrustedHosts = downloader.distrustedHosts
    context.repeated = writer?.repeated ?? .zero
    context.overlapLimit = downloader.client.state.budget.overlap
    context.breakers = downloader.client.state.hosts.breakers
    let actions = machine.handle(event, context)
    if case .headReceived = event, case .finish(.deferredByServer(let failure, let until, _))? = actions.last {
      downloader.client.state.trip(url.origin, failure, until: until)
    }
    for action in actions { perform(action, downloader) }
    if let failure = event.failure, actions.goOn { announce(failure, actions, downloader) }
  }

  private func perform(_ action: TransferAction, _ downloader: isolated Downloader) {
    switch action {
    case .record(let attempt):
      candidate = attempt.candidate
      self.attempt = attempt
      if attempt.isWorthRecording { note(.downloading(attempt.counting(durable)), downloader) }
    case .recordRetry(let attempt, let at):
      note(.retrying(attempt.counting(durable), nextAttemptAt: at), downloader)
    // No candidate needs either yet.
    case .resolve(let url): downloader.handle(.resolved(url), for: id, after: .zero)
    case .prepare(_, let file, _): downloader.handle(.prepared(file), for: id, after: .zero)
    case .send(let url, let range):
      next = (url, range)
      if !hasTurn { downloader.enqueue(self, origin: url.origin, isUnderWay: isUnderWay) }
    case .abandon: request = 0
    case .receive(let partial, let offset, let limit, let comparing):
      open(partial, offset: offset, limit: limit, comparing: comparing, downloader)
    case .distrustRanges(let host): downloader.distrustRanges(of: host)
    case .discard(let partial):
      closeWriter()
      downloader.desk.discard(partial)
    case .wait(let duration): downloader.handle(.waited, for: id, after: duration)
    case .check(let partial):
      let digest = writer?.finishDigest()
      body = writer?.file
      closeWriter()
      downloader.check(id, partial, checksum: download.task.checksum, digest)
    case .publish(let partial, let file, let candidate, let confidence):
      downloader.publish(
        Publication(
          download: download, partial: partial, body: body, file: file, candidate: candidate, confidence: confidence,
          attempts: requests))
      body = nil
    case .finish(.stopRun(let failure, let partial)): giveUp(failure, partial, downloader)
    case .finish(let outcome): finish(outcome, downloader)
    }
  }

  func note(_ state: ItemState, _ downloader: isolated Downloader) {
    do throws(Failure) { try downloader.record(download, state) } catch { fail(error, downloader) }
  }

  /// Handles a failure that arises while actions are carried out or inside a callback, after they are done.
  func fail(_ failure: Failure, _ downloader: isolated Downloader) {
    request = 0
    downloader.handle(.failed(failure, received: received), for: id, after: .zero)
  }

  /// The bytes from the beginning without a gap.
  var received: ByteCount { crew?.segments.received ?? writer?.length ?? .zero }

  var presence: DownloadedRanges? {
    crew.map { DownloadedRanges($0.segments) } ?? writer.map { DownloadedRanges(received: $0.length) }
  }

  private func announce(_ failure: Failure, _ actions: [TransferAction], _ downloader: isolated Downloader) {
    for action in actions {
      switch action {
      case .recordRetry(let attempt, _):
        guard case .wait(let wait)? = actions.last else { continue }
        downloader.emit(.retrying(id, failure, attempt: attempt.attempts, wait: wait))
      case .record(let attempt) where attempt.attempts == 1 && attempt.candidate > 0:
        downloader.emit(.switched(id, failure, to: attempt.candidate))
      default: break
      }
    }
  }
}

// MARK: - The request

extension ItemTransfer {
  /// Begins when the item's turn has come. The first request does not wait in line again.
  func start(_ downloader: isolated Downloader) {
    hasTurn = true
    handle(.started, downloader)
    hasTurn = false
  }

  /// Called when it is this item's turn.
  func sendRequest(_ downloader: isolated Downloader) {
    guard let (url, range) = next else { return downloader.requestEnded(.item(id)) }
    next = nil
    self.url = url
    isUnderWay = true
    requests += 1
    if url == download.task.candidates[candidate].candidate.url { attempts += 1 }
    request = requests
    isPaused = false
    transfer = ask(url, range, RequestReceiver(downloader, .item(id), self.request), downloader)
  }

  /// Each candidate starts with its own URL. Every other URL on its way is a redirect.
  func ask(
    _ url: RemoteURL, _ range: RangeRequest?, _ receiver: RequestReceiver, _ downloader: isolated Downloader
  ) -> TransferID {
    let candidates = download.isFromSource ? [] : download.task.candidates.map(\.candidate.url)
    var request = HTTPRequest(
      url: url, isFromSource: !candidates.contains { $0.host == url.host },
      isRedirect: url != download.task.candidates[candidate].candidate.url)
    request.range = range
    var trail = trail ?? downloader.settings.trail(of: download.playlists)
    defer { self.trail = trail }
    return downloader.client.send(request, along: &trail, to: receiver)
  }

  func received(
    _ head: ResponseHead, _ proxyFailure: Failure?, for number: Int, _ downloader: isolated Downloader
  ) -> HeadDecision {
    guard number == request else { return .abort }
    var facts = ResponseFacts(head)
    facts.mask(with: downloader.settings.mask)
    facts.proxyFailure = proxyFailure
    handle(.headReceived(facts), downloader)
    // The request was abandoned. A small rest is read to its end, so that the connection can be reused.
    return number == request && writer != nil ? .receiveBody : .discard
  }

  func received(_ body: UnsafeRawBufferPointer, for number: Int, _ downloader: isolated Downloader) -> Bool {
    guard number == request, let writer else { return false }
    do throws(Failure) {
      guard try writer.append(wanted(of: body, writer)) else {
        request = 0
        downloader.handle(.overlapDiffered, for: id, after: .zero)
        return false
      }
      if downloader.settings.mustBeMedia, let failure = writer.contentProblem(mayBeImage: download.task.mayBeImage) {
        throw failure
      }
    } catch {
      fail(error, downloader)
      return false
    }
    if writer.pausesForHash() { pause(downloader) }
    guard writer.total == nil, let shortage = downloader.shortage(of: id, growingTo: writer.length) else {
      return progressed(writer, downloader)
    }
    request = 0
    downloader.handle(.roomRefused(shortage), for: id, after: .zero)
    return false
  }

  /// - Returns: True if the request may bring more bytes.
  private func progressed(_ writer: PartialWriter, _ downloader: isolated Downloader) -> Bool {
    crew?.advance(to: writer.length)
    downloader.emit(.progressed(id, received: crew?.segments.size ?? writer.length, total: writer.total))
    // The received bytes are kept, and a file that is complete with them is finished.
    if let limit = downloader.exceededLimit, writer.total != writer.length {
      request = 0
      downloader.handle(.limitReached(limit), for: id, after: .zero)
      return false
    }
    keepPace(downloader)
    callCrew(downloader)
    guard let crew, writer.length < crew.segments.total, crew.isFirstDone else { return true }
    request = 0
    endFirst(downloader)
    return false
  }

  private func pause(_ downloader: isolated Downloader) {
    guard let transfer else { return }
    isPaused = true
    downloader.loop.pause(transfer)
  }

  /// Called when the hash has caught up.
  func resume(_ downloader: isolated Downloader) {
    guard isPaused, let transfer else { return }
    isPaused = false
    downloader.loop.resume(transfer)
  }

  func finished(_ failure: Failure?, for number: Int, _ downloader: isolated Downloader) {
    // The slot of an older request was returned when the next one was sent.
    if number == requests { downloader.requestEnded(.item(id)) }
    guard number == request else { return }
    request = 0
    if crew != nil { return finishedFirst(failure, downloader) }
    let received = writer?.length ?? .zero
    do throws(Failure) {
      try writer?.flush()
      if failure == nil, downloader.settings.mustBeMedia,
        let problem = writer?.finalContentProblem(mayBeImage: download.task.mayBeImage)
      {
        throw problem
      }
    } catch { return handle(.failed(error, received: received), downloader) }
    handle(failure.map { .failed($0, received: received) } ?? .bodyEnded(received: received), downloader)
  }
}

// MARK: - Bytes

extension ItemTransfer {
  private func open(
    _ partial: PartialDownload, offset: ByteCount, limit: ByteCount, comparing: ByteCount,
    _ downloader: isolated Downloader
  ) {
    let earlier = crew?.partial.name == partial.name ? presence?.extents : download.task.partial?.extents
    var partial = partial
    if partial.extents != nil, offset > .zero, crew?.partial.name == partial.name { partial.extents = earlier }
    closeWriter()
    durable = DownloadedRanges(
      received: min(durable.received, offset), extents: partial.extents.map { _ in durable.extents ?? [] })
    do throws(Failure) {
      writer = try downloader.desk.openPartial(
        partial, offset: offset, limit: limit, comparing: comparing, rules: downloader.settings.rules,
        pool: downloader.buffers, checksum: download.task.checksum)
    } catch { return fail(error, downloader) }
    resumedAt = partial.presence.size
    checkpoint.restart()
    if partial.extents != nil, let total = partial.total {
      let rules = downloader.settings.rules
      crew = RangeWorkers(
        partial, total: total, limit: isSingle ? 1 : rules.segments, retries: rules.retry.retries,
        pool: downloader.buffers)
    }
    // The empty partial stays and keeps the announced size for the next plan.
    if let total = partial.total, let shortage = downloader.shortage(of: id, needing: total) {
      request = 0
      return downloader.handle(.roomRefused(shortage), for: id, after: .zero)
    }
    downloader.emit(.started(id, candidate: candidate, offset: resumedAt))
  }

  func closeWriter() {
    if let size = presence?.size { fetched += size - resumedAt }
    (writer, crew) = (nil, nil)
  }

  private func finish(_ outcome: TransferOutcome, _ downloader: isolated Downloader) {
    request = 0
    if outcome.isStop, writer?.pace.isSlow == true { return endWithoutWriting(outcome, downloader) }
    var written: DownloadedRanges?
    do throws(Failure) {
      try writer?.flush()
      try dismissCrew(downloader)
      written = presence
    } catch { return giveUp(error, outcome.partial, downloader) }
    closeWriter()
    guard let partial = outcome.partial, (written ?? partial.presence) != durable else {
      return end(outcome, written, downloader)
    }
    downloader.flush(partial, for: id, .end(outcome, written))
  }

  func end(_ outcome: TransferOutcome, _ written: DownloadedRanges?, _ downloader: isolated Downloader) {
    let ending = TransferEnding(
      outcome, download: download, written: written, now: downloader.now(),
      effort: Effort(fetched: fetched, requests: attempts, seconds: (ContinuousClock.now - began).inSeconds),
      resumed: resumedAt,
      inputs: downloader.settings.inputs.mark(
        of: download.item, in: download.playlists, isFromSource: download.isFromSource),
      isAdopted: isAdopted)
    downloader.ended(self, ending)
  }
}

extension Attempt {
  /// True if bytes on the disk, or about to be, let a run after a crash continue.
  fileprivate var isWorthRecording: Bool {
    guard let partial else { return false }
    return partial.received > .zero || partial.total.map { $0 > PartialWriter.smallSize } ?? true
  }

  /// The same attempt, with no more bytes of its partial than are on the disk.
  fileprivate func counting(_ durable: DownloadedRanges) -> Attempt {
    var attempt = self
    attempt.partial = partial?.counting(durable)
    return attempt
  }
}

extension [TransferAction] {
  /// True if something else is tried, now or later.
  fileprivate var goOn: Bool {
    contains { action in
      switch action {
      case .send, .wait: true
      default: false
      }
    }
  }
}

extension TransferEvent {
  /// The failure, for events.
  fileprivate var failure: Failure? {
    switch self {
    case .failed(let failure, _): failure
    case .headReceived(let facts): .http(status: facts.status)
    default: nil
    }
  }
}

extension TransferOutcome {
  /// True if the run is to end, whatever the state of the transfer.
  fileprivate var isStop: Bool {
    switch self {
    case .paused, .deferredByLimit: true
    default: false
    }
  }
}
