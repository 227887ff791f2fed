// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// The consequences of the end of a transfer for the queue, the report and the run.
struct TransferEnding {
  /// The state for the queue. Nil if the publication has recorded it.
  var state: TransferState?
  /// The size of the file as stated by a server that did not send it.
  var told: ByteCount?
  /// Nil for an item that was never requested.
  var event: RunEvent?
  /// Nil if the event contains it.
  var effort: Effort?
  /// The bytes that stay, finished or as a partial.
  var kept: ByteCount = .zero
  /// The bytes by which a replaced file was larger.
  var freed: ByteCount = .zero
  var storageFailure: Failure?

  /// - Parameters:
  ///   - written: The bytes of the partial that are there now. Nil if they are those of the outcome.
  ///   - inputs: The inputs of the transfer, for a failure.
  init(
    _ outcome: TransferOutcome, of transfer: Transfer, written: DownloadedRanges?, effort: Effort,
    now: Timestamp,
    inputs: InputMark
  ) {
    let (download, id) = (transfer.download, transfer.download.id)
    let (fetched, resumed, wasAsked) = (transfer.fetched, transfer.resumedAt, effort.requests > 0)
    if wasAsked { self.effort = effort }
    func current(_ partial: PartialDownload?) -> PartialDownload? { partial?.holding(written) }
    kept = current(outcome.partial)?.presence.size ?? .zero
    switch outcome {
    case .completed(let file, _) where transfer.isAdopted:
      kept = file.size
      event = .adopted(id, file, state: .offlinedAndValid)
    case .completed(let file, _):
      // The old file is gone.
      let old = download.replaced?.size ?? .zero
      (self.effort, kept, freed) = (nil, file.size - old, old - file.size)
      event = .completed(
        id,
        Completion(
          file: file, title: download.item.title, fetched: fetched, resumed: resumed, requests: effort.requests,
          seconds: effort.seconds, difference: transfer.machine.task.candidates[file.candidate].difference,
          replaced: download.replaced))
    case .failed(let failed):
      let record = FailureRecord(
        error: ErrorRecord(failed.failure, at: now), isTemporary: failed.isTemporary, candidate: failed.candidate,
        attempts: failed.requests, partial: current(failed.partial), inputs: inputs)
      state = .failed(record)
      event = .failed(
        id, record.error, host: transfer.machine.task.candidates[failed.candidate].candidate.url.namedHost,
        isTemporary: failed.isTemporary, requests: effort.requests, seconds: effort.seconds)
    case .deferredByServer(let failure, let until, let partial):
      state = .queued(
        Pending(partial: current(partial), nextAttemptAt: until, lastError: ErrorRecord(failure, at: now)))
      event = .deferred(id, .askedToWait(until: until))
    case .deferredForRoom(let shortage, let partial):
      // A small file has no partial that could keep the size.
      told = partial?.total
      state = .queued(Pending(partial: current(partial)))
      event = .deferred(id, shortage.reason)
    case .deferredByHost(let host, let partial):
      (state, event) = (.queued(Pending(partial: current(partial))), .deferred(id, .hostLeftAlone(host)))
    case .deferredByLimit(let limit, let partial):
      state = .queued(Pending(partial: current(partial)))
      event = .deferred(id, .limitReached(limit))
    case .paused(let partial):
      state = .queued(Pending(partial: current(partial)))
      event = wasAsked ? .paused(id, kept: current(partial)?.presence.size ?? .zero) : nil
    case .stopRun(let failure, let partial):
      state = .queued(Pending(partial: current(partial), lastError: ErrorRecord(failure, at: now)))
      event = wasAsked ? .paused(id, kept: current(partial)?.presence.size ?? .zero) : nil
      storageFailure = failure
    case .stoppedPublishing(let failure):
      // The record in the journal stays valid.
      kept = fetched + resumed
      event = .paused(id, kept: .zero)
      storageFailure = failure
    }
  }
}

extension TransferEnding {
  /// True if the item failed to connect, perhaps because there is no network.
  var isFailureToConnect: Bool {
    switch event {
    case .failed(_, let error, _, _, _, _): [.network, .dns, .timeout].contains(error.kind)
    case .deferred(_, .hostLeftAlone): true
    default: false
    }
  }

  /// The ending that a stop before the failure would have had.
  var paused: TransferEnding {
    let id: ItemID
    switch event {
    case .failed(let failed, _, _, _, _, _): id = failed
    case .deferred(let deferred, .hostLeftAlone): id = deferred
    default: return self
    }
    var ending = self
    ending.state = .queued(Pending(partial: state?.partial))
    ending.event = .paused(id, kept: state?.partial?.presence.size ?? .zero)
    return ending
  }
}

extension PartialDownload {
  /// - Parameter written: The bytes that are there now. Nil if they are those of the partial.
  fileprivate func holding(_ written: DownloadedRanges?) -> PartialDownload {
    var partial = self
    partial.presence = written ?? presence
    return partial
  }
}

extension ErrorRecord {
  init(_ failure: Failure, at now: Timestamp) {
    self.init(kind: failure.kind, status: failure.status, message: failure.words, at: now)
  }
}
