// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

// MARK: - The end of a transfer

extension Downloader {
  /// Writes what is still to be written, flushes it and ends the transfer.
  func finish(_ outcome: TransferOutcome, of id: ItemID) {
    transfers[id]?.request = 0
    let isSlow = outcome.isStop && transfers[id]?.writer?.pace.isSlow == true
    if isSlow || transfers[id]?.isInMemory == true { return finishWithoutWriting(outcome, of: id) }
    do throws(Failure) { cancel(try transfers[id]?.writeAll()) } catch {
      return giveUp(error, outcome.partial, of: id)
    }
    let written = transfers[id]?.close()
    guard let partial = outcome.partial, (written ?? partial.presence) != transfers[id]?.durable else {
      return end(outcome, written, of: id)
    }
    Task {
      if let failure = await publisher.flush(partial) { return giveUp(failure, partial, of: id) }
      end(outcome, written, of: id)
    }
  }

  /// Ends the transfer without a further write: the disk is too slow for the end of a stopped run, or a small body is
  /// just being written. Only durable bytes count.
  private func finishWithoutWriting(_ outcome: TransferOutcome, of id: ItemID) {
    cancel(transfers[id]?.workers?.dismissWithoutWriting())
    transfers[id]?.close()
    end(outcome, transfers[id]?.durable, of: id)
  }

  /// Ends the transfer after a failed write. Nothing is flushed again: only what was durable before counts.
  func giveUp(_ failure: Failure, _ partial: PartialDownload?, of id: ItemID) {
    transfers[id]?.request = 0
    do throws(Failure) { cancel(try transfers[id]?.dismissWorkers()) } catch {
      // The first failure is the one that is reported.
    }
    transfers[id]?.close()
    end(.stopRun(failure, partial: transfers[id]?.durablePart(of: partial)), nil, of: id)
  }

  private func end(_ outcome: TransferOutcome, _ written: DownloadedRanges?, of id: ItemID) {
    guard let transfer = transfers[id] else { return }
    let download = transfer.download
    let inputs = settings.inputs.mark(
      of: download.item, in: download.playlists, isFromSource: download.isFromSource)
    let ending = TransferEnding(
      outcome, of: transfer, written: written, effort: transfer.effort(at: client.state.time),
      now: settings.clock.now(),
      inputs: inputs)
    guard ending.isFailureToConnect, client.state.isUnanswered else { return conclude(id, ending) }
    // Until any host has answered, the item's host cannot be blamed.
    undecided.append((id, ending))
    requestEnded(.item(id))
    judgeUndecided()
  }

  /// Removes a transfer from the table. The queue file is updated before anybody else is told.
  private func conclude(_ id: ItemID, _ ending: TransferEnding) {
    guard let download = transfers[id]?.download else { return }
    var storageFailure = ending.storageFailure
    if let state = ending.state {
      do throws(Failure) { try record(state, of: download, told: ending.told) } catch {
        storageFailure = storageFailure ?? error
      }
    }
    if let effort = ending.effort { emit(.spent(id, effort)) }
    if let event = ending.event { emit(event) }
    transfers[id]?.resolution?.task?.cancel()
    transfers[id] = nil
    queue.finished(.item(id))
    room.release(id, kept: ending.kept, freed: ending.freed)
    if let storageFailure { stop(storageFailure) }
    publications.ended(id)
    publishWaiting()
    pump()
    judgeUndecided()
    endIfOver()
  }

  /// Decides about held failures once a host has answered or no request is left that could be answered.
  func judgeUndecided() {
    guard !undecided.isEmpty else { return }
    let isTime =
      isStopping || !client.state.isUnanswered || undecided.count == transfers.count + waitingTurns.count
    guard isTime else { return }
    let isOffline = isStopping || client.state.isOfflineAfterRetries
    if isOffline { goOffline() }
    let endings = undecided
    undecided = []
    for (id, ending) in endings { conclude(id, isOffline ? ending.paused : ending) }
  }
}

// MARK: - The end of the run

extension Downloader {
  private static let publishingPatience = Duration.milliseconds(500)

  /// Stops the run after a signal. Complete files still go into the library if the disk is quick enough.
  package func stopSoon() {
    lastPublication = client.state.time + Self.publishingPatience
    stop()
  }

  /// Stops the run without a network. This is not a failure of any item: whatever was begun waits for a run with a
  /// network.
  func goOffline() {
    guard !isStopping else { return }
    client.state.announceOffline()
    stop()
  }

  /// Stops the run because nothing can be written any more. The first reason counts.
  func stop(_ failure: Failure) {
    guard storageFailure == nil else { return }
    storageFailure = failure
    emit(.storageFailed(failure))
    stop()
  }

  /// Pauses all active transfers, with their partials kept. Nothing new begins.
  private func stop() {
    isStopping = true
    if let attachments { Task { await attachments.cancel() } }
    queue.removeWaiting()
    publications.releaseAll()
    publishWaiting()
    endAll(.stopped)
  }

  /// The limit that forbids any further byte of a body that is coming in.
  var exceededLimit: RunLimit? {
    if let limit { return limit }
    return client.state.budget.isExceeded ? client.state.reachedLimit : nil
  }

  /// Ends the run's requests once a limit is reached: no new one is sent, and running transfers are deferred to a later
  /// run.
  func keepLimits() {
    guard limit == nil, let reached = client.state.reachedLimit else { return }
    limit = reached
    queue.removeWaiting()
    // The last bytes that came in are handled first: they may have completed a file.
    after(.zero) { $0.endAll(.limitReached(reached)) }
  }

  private func endAll(_ event: TransferEvent) {
    for id in Array(transfers.ids) { apply(event, to: id) }
    dismissWaiting(event)
    judgeUndecided()
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
