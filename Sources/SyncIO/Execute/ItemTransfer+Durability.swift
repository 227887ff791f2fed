// SPDX-License-Identifier: Apache-2.0
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
    downloader.flush(partial, for: id, .progress(presence, request: requests))
  }

  func flushed(_ purpose: Flush, _ failure: Failure?, _ downloader: isolated Downloader) {
    switch purpose {
    case .progress(let presence, let number):
      checkpoint.isUnderWay = false
      // The next request may have cut the partial shorter.
      guard number == requests, request != 0 || crew?.isWorking == true, var attempt else { return }
      if let failure { return fail(failure, downloader) }
      durable = presence
      attempt.partial?.presence = presence
      note(.downloading(attempt), downloader)
    case .end(let outcome, let written):
      guard let failure else { return end(outcome, written, downloader) }
      end(.stopRun(failure, partial: outcome.partial?.counting(durable)), nil, downloader)
    }
  }
}
