// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk

// MARK: - Losses in a power cut

extension ItemTransfer {
  /// The reason why a partial is flushed. The queue counts its bytes only once they are on the disk.
  enum Flush: Sendable {
    /// Progress so far, about once a second.
    case progress(DownloadedRanges, request: Int)
    case end(TransferOutcome, DownloadedRanges?)
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

  /// Ends the transfer without a further write, because the disk is too slow for the end of a stopped run: only durable
  /// bytes count.
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
      // The next request may have truncated the partial.
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

  /// Ends the transfer after a failed write. Nothing is flushed again: only what was durable before counts.
  func giveUp(_ failure: Failure, _ partial: PartialDownload?, _ downloader: isolated Downloader) {
    request = 0
    do throws(Failure) { try dismissCrew(downloader) } catch {
      // The first failure is the one that is reported.
    }
    closeWriter()
    // If no byte counts, the next run had better reclaim the space.
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
