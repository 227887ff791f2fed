// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore

// MARK: - What a power cut may cost

extension ItemTransfer {
  /// Why a partial is flushed. The queue counts on its bytes only once they are on the disk.
  enum Flush: Sendable {
    /// So much, about once a second.
    case progress(Presence, request: Int)
    case end(TransferOutcome, Presence?)
  }

  func keepPace(_ downloader: isolated Downloader) {
    guard let partial = attempt?.partial, presence?.size ?? .zero > durable.size, checkpoint.isDue() else { return }
    do throws(Failure) {
      try writer?.flush(isLast: false)
      if let file = writer?.file { try crew?.flush(into: file) }
    } catch { return fail(error, downloader) }
    guard let presence else { return }
    checkpoint.isUnderWay = true
    writer?.beginFlush()
    downloader.flush(partial, for: id, .progress(presence, request: requests))
  }

  /// The disk is too slow for the end of a run that is stopped: nothing is written any more, and what is durable counts.
  func endWithoutWriting(_ outcome: TransferOutcome, _ downloader: isolated Downloader) {
    for request in crew?.dismissWithoutWriting() ?? [] { downloader.loop.cancel(request) }
    closeWriter()
    end(outcome, durable, downloader)
  }

  func flushed(_ purpose: Flush, _ failure: Failure?, _ downloader: isolated Downloader) {
    switch purpose {
    case .progress(let presence, let number):
      checkpoint.isUnderWay = false
      writer?.endFlush()
      // The next request may have cut the partial shorter.
      guard number == requests, request != 0 || crew?.isWorking == true, var attempt else { return }
      if let failure { return fail(failure, downloader) }
      durable = presence
      attempt.partial?.presence = presence
      note(.downloading(attempt), downloader)
    case .end(let outcome, let written):
      guard let failure else { return end(outcome, written, downloader) }
      giveUp(failure, outcome.partial, downloader)
    }
  }

  /// Nothing can be written any more. Nothing is flushed again either: what was durable before counts, and no more.
  func giveUp(_ failure: Failure, _ partial: PartialDownload?, _ downloader: isolated Downloader) {
    request = 0
    do throws(Failure) { try dismissCrew(downloader) } catch {
      // The first failure is the one that is told.
    }
    closeWriter()
    // Without a byte that counts, the next run had better take the room back.
    let kept =
      durable.size == .zero
      ? nil
      : partial.map { partial in
        var kept = partial
        kept.received = durable.received
        kept.extents = partial.extents.map { _ in durable.extents ?? [] }
        return kept
      }
    end(.stopRun(failure, partial: kept), nil, downloader)
  }
}
