// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Synchronization

/// The bytes and time that the run has used of its limits.
final class RunAllowance: Sendable {
  private let policy: DownloadPolicy
  private let bytes = Atomic<Int64>(0)
  private let began: ContinuousClock.Instant

  /// - Parameter began: the start of the run, including everything that it waited for before its first request.
  init(_ policy: DownloadPolicy, began: ContinuousClock.Instant) {
    self.policy = policy
    self.began = began
  }

  /// Counts the bytes of a body, of media or of a source.
  func take(_ count: Int) { bytes.wrappingAdd(Int64(count), ordering: .relaxed) }

  /// The limit that was reached, if any.
  var reached: RunLimit? {
    RunLimit.reached(
      policy, received: ByteCount(bytes.load(ordering: .relaxed)), elapsed: ContinuousClock.now - began)
  }

  /// True if more bytes came than allowed.
  var isExceeded: Bool { policy.maxTransfer.map { bytes.load(ordering: .relaxed) > $0.bytes } ?? false }

  /// The number of bytes that may come again to be compared: less than the limit for all bytes.
  var overlap: ByteCount {
    guard let maxTransfer = policy.maxTransfer else { return PartialDownload.overlap }
    let left = maxTransfer - ByteCount(bytes.load(ordering: .relaxed))
    return min(PartialDownload.overlap, max(ByteCount(1), ByteCount(left.bytes / 2)))
  }

  /// The time left; nil when there is no limit.
  var timeLeft: Duration? { policy.maxDuration.map { $0 - (ContinuousClock.now - began) } }
}
