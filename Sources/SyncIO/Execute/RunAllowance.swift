// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Synchronization

/// What the run has used up of what it may: bytes and time.
final class RunAllowance: Sendable {
  private let policy: DownloadPolicy
  private let bytes = Atomic<Int64>(0)
  private let began: ContinuousClock.Instant

  /// - Parameter began: the run, with all that it waited for before it could ask anybody.
  init(_ policy: DownloadPolicy, began: ContinuousClock.Instant) {
    self.policy = policy
    self.began = began
  }

  /// Bytes of a body came, of media or of a source.
  func take(_ count: Int) { bytes.wrappingAdd(Int64(count), ordering: .relaxed) }

  /// The limit that was reached, if one was.
  var reached: RunLimit? {
    RunLimit.reached(
      policy, received: ByteCount(bytes.load(ordering: .relaxed)), elapsed: ContinuousClock.now - began)
  }

  /// More came than may.
  var isExceeded: Bool { policy.maxTransfer.map { bytes.load(ordering: .relaxed) > $0.bytes } ?? false }

  /// So much may come again to be compared: less than what may come in all.
  var overlap: ByteCount {
    guard let maxTransfer = policy.maxTransfer else { return PartialDownload.overlap }
    let left = maxTransfer - ByteCount(bytes.load(ordering: .relaxed))
    return min(PartialDownload.overlap, max(ByteCount(1), ByteCount(left.bytes / 2)))
  }

  /// Until the time is over; nil when it never is.
  var timeLeft: Duration? { policy.maxDuration.map { $0 - (ContinuousClock.now - began) } }
}
