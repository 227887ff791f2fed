// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk

/// The way of every event: the machine decides, and the downloader performs.
extension Downloader {
  /// Hands an event to the machine of a transfer and performs the resulting actions. Does nothing for a transfer that
  /// has ended.
  func apply(_ event: TransferEvent, to id: ItemID) {
    guard transfers.contains(id) else { return }
    let state = client.state
    var context = TransferContext(now: settings.clock.now(), chance: state.chance())
    context.distrustedHosts = distrustedHosts
    context.overlapLimit = state.budget.overlap
    context.breakers = state.hosts.breakers
    guard let actions = transfers[id]?.handle(event, context) else { return }
    if case .headReceived = event, case .finish(.deferredByServer(let failure, let until, _))? = actions.last,
      let url = transfers[id]?.url
    {
      state.trip(url.origin, failure, until: until)
    }
    for action in actions { perform(action, of: id) }
    if let failure = event.failure, actions.goOn { announce(failure, actions, of: id) }
  }

  /// Applies an event later: after the present one, or after a delay.
  func post(_ event: TransferEvent, to id: ItemID, after delay: Duration = .zero) {
    after(delay) { $0.apply(event, to: id) }
  }

  /// Ends the main request because of an event that arises while actions are performed or inside a callback.
  func leave(_ id: ItemID, because event: TransferEvent) {
    transfers[id]?.request = 0
    post(event, to: id)
  }

  func fail(_ id: ItemID, _ failure: Failure) {
    leave(id, because: .failed(failure, received: transfers[id]?.received ?? .zero))
  }

  private func perform(_ action: TransferAction, of id: ItemID) {
    switch action {
    case .record(let attempt):
      transfers[id]?.attempt = attempt
      guard attempt.isWorthRecording, let durable = transfers[id]?.durable else { return }
      note(.downloading(attempt.counting(durable)), of: id)
    case .recordRetry(let attempt, let at):
      guard let durable = transfers[id]?.durable else { return }
      note(.retrying(attempt.counting(durable), nextAttemptAt: at), of: id)
    case .resolve(let url), .search(let url): resolve(url, of: id)
    case .prepare(let partial, let file, .license): awaitLicense(file, partial, of: id)
    case .prepare(let partial, let file, .seal): seal(file, partial, of: id)
    case .prepare(let partial, let file, _): tag(file, partial, of: id)
    case .send(let url, let range):
      transfers[id]?.next = (url, range)
      if id != starting { enqueue(id, url.origin) }
    case .abandon:
      transfers[id]?.request = 0
      transfers[id]?.resolution?.stream?.answer(false)
    case .receive(let partial, let offset, let limit, let comparing):
      open(partial, at: offset, limit: limit, comparing: comparing, of: id)
    case .distrustRanges(let host): distrustedHosts.insert(host)
    case .discard(let partial):
      transfers[id]?.close()
      publisher.discard(partial)
    case .wait(let duration): post(.waited, to: id, after: duration)
    case .check(let partial, let expected, let counting):
      check(partial, expected.map { DurationMeasuring(declared: $0, isCounting: counting) }, of: id)
    case .warnOfDuration(let declared, let actual):
      guard let title = transfers[id]?.download.item.title else { return }
      emit(.warned(.durationDiffers(title: title, declared: declared, actual: actual)))
    case .publish(let partial, let file, let candidate, let confidence):
      publish(partial, file, candidate: candidate, confidence, of: id)
    case .finish(.stopRun(let failure, let partial)): giveUp(failure, partial, of: id)
    case .finish(let outcome): finish(outcome, of: id)
    }
  }

  func note(_ transfer: TransferState, of id: ItemID) {
    guard let download = transfers[id]?.download else { return }
    do throws(Failure) { try record(transfer, of: download) } catch { fail(id, error) }
  }

  func enqueue(_ id: ItemID, _ origin: RemoteURL.Origin) {
    guard let transfer = transfers[id] else { return }
    if let limit { return post(.limitReached(limit), to: id) }
    queue.add(
      .item(id), origin: origin, priority: transfer.download.priority,
      isUnderWay: transfer.requests > 0 || transfer.resolution != nil)
    pump()
  }

  private func announce(_ failure: Failure, _ actions: [TransferAction], of id: ItemID) {
    for action in actions {
      switch action {
      case .recordRetry(let attempt, _):
        guard case .wait(let wait)? = actions.last else { continue }
        emit(.retrying(id, failure, attempt: attempt.attempts, wait: wait))
      case .record(let attempt) where attempt.attempts == 1 && attempt.candidate > 0:
        emit(.switched(id, failure, to: attempt.candidate))
      default: break
      }
    }
  }

  private func open(
    _ partial: PartialDownload, at offset: ByteCount, limit: ByteCount, comparing: ByteCount, of id: ItemID
  ) {
    guard let partial = transfers[id]?.makeRoom(for: partial, at: offset) else { return }
    do throws(Failure) {
      let writer = try publisher.openPartial(
        partial, BodyBounds(offset: offset, comparing: comparing, limit: limit), rules: settings.rules, pool: buffers,
        checksum: transfers[id]?.download.task.checksum)
      transfers[id]?.receive(partial, into: writer, settings.rules, buffers, at: client.state.time)
    } catch { return fail(id, error) }
    // The empty partial stays and keeps the announced size for the next plan.
    if let total = partial.total, let shortage = room.need(id, total) {
      return leave(id, because: .roomRefused(shortage))
    }
    emit(.started(id, candidate: transfers[id]?.candidate ?? 0, offset: partial.presence.size))
  }
}

extension [TransferAction] {
  /// True if something else is tried, now or later.
  fileprivate var goOn: Bool {
    contains { action in
      switch action {
      case .send, .resolve, .search, .wait: true
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
