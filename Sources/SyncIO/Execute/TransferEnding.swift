// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// What the end of a transfer means for the queue, the report and the run.
struct TransferEnding {
  /// What the queue has to say; nil when publishing has said it.
  var state: ItemState?
  /// How large the file is, as a server said that has not sent it.
  var told: ByteCount?
  /// Nil for an item that was never asked for.
  var event: RunEvent?
  /// Nil where the event has it.
  var effort: Effort?
  /// Bytes that stay, finished or as a partial.
  var kept: ByteCount = .zero
  var storageFailure: Failure?

  init(
    _ outcome: TransferOutcome, download: PlannedDownload, written: Presence?, now: Timestamp,
    effort: Effort, resumed: ByteCount, inputs: InputMark? = nil, isAdopted: Bool = false
  ) {
    let id = download.task.id
    let (fetched, wasAsked) = (effort.fetched, effort.requests > 0)
    if wasAsked { self.effort = effort }
    func current(_ partial: PartialDownload?) -> PartialDownload? {
      partial.map { partial in
        var partial = partial
        partial.presence = written ?? partial.presence
        return partial
      }
    }
    kept = current(outcome.partial)?.presence.size ?? .zero
    switch outcome {
    case .completed(let file, _) where isAdopted:
      kept = file.size
      event = .adopted(id, file)
    case .completed(let file, _):
      // The old file is gone.
      (self.effort, kept) = (nil, file.size - (download.replaced?.size ?? .zero))
      event = .completed(
        id,
        Completion(
          file: file, title: download.item.title, fetched: fetched, resumed: resumed, requests: effort.requests,
          seconds: effort.seconds, difference: download.task.candidates[file.candidate].difference,
          replaced: download.replaced))
    case .failed(let failed):
      let error = ErrorRecord(failed.failure, at: now)
      let partial = current(failed.partial)
      state = .failed(
        FailureRecord(
          error: error, isTemporary: failed.isTemporary, candidate: failed.candidate, attempts: failed.requests,
          partial: partial, inputs: inputs))
      event = .failed(
        id, error, isTemporary: failed.isTemporary, requests: effort.requests, seconds: effort.seconds)
    case .deferredByServer(let failure, let until, let partial):
      let pending = Pending(
        partial: current(partial), nextAttemptAt: until, lastError: ErrorRecord(failure, at: now))
      state = .queued(pending)
      event = .deferred(id, .askedToWait(until: until))
    case .deferredForRoom(let shortage, let partial):
      // Of a small file no partial is made that could keep it.
      told = partial?.total
      state = .queued(Pending(partial: current(partial)))
      event = .deferred(id, shortage.reason)
    case .deferredByHost(let host, let partial):
      state = .queued(Pending(partial: current(partial)))
      event = .deferred(id, .hostLeftAlone(host))
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
      // What the journal says of it stands.
      kept = fetched + resumed
      event = .paused(id, kept: .zero)
      storageFailure = failure
    }
  }
}

extension TransferEnding {
  /// The item failed, perhaps for want of a network.
  var isFailureToConnect: Bool {
    switch event {
    case .failed(_, let error, _, _, _): [.network, .dns, .timeout].contains(error.kind)
    case .deferred(_, .hostLeftAlone): true
    default: false
    }
  }

  /// As if the run had been stopped before the failure.
  var paused: TransferEnding {
    let id: ItemID
    switch event {
    case .failed(let failed, _, _, _, _): id = failed
    case .deferred(let deferred, .hostLeftAlone): id = deferred
    default: return self
    }
    var ending = self
    ending.state = .queued(Pending(partial: state?.partial))
    ending.event = .paused(id, kept: state?.partial?.presence.size ?? .zero)
    return ending
  }
}

extension ErrorRecord {
  init(_ failure: Failure, at now: Timestamp) {
    self.init(kind: failure.kind, status: failure.status, message: failure.words, at: now)
  }
}
