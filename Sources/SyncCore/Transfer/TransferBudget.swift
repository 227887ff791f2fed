// SPDX-License-Identifier: Apache-2.0

/// The bytes and the time that a run may use, and the bytes that it has used.
package struct TransferBudget: Sendable {
  @Boxed private var policy: DownloadPolicy
  /// The bytes of all bodies, of media and of sources.
  private var received = ByteCount.zero

  package init(_ policy: DownloadPolicy) { self.policy = policy }

  package mutating func take(_ bytes: ByteCount) { received += bytes }

  /// The limit that was reached, if any.
  /// - Parameter elapsed: The time since the start of the run.
  package func reached(after elapsed: Duration) -> RunLimit? {
    RunLimit.reached(policy, received: received, elapsed: elapsed)
  }

  /// True if more bytes came than allowed.
  package var isExceeded: Bool { policy.maxTransfer.map { received > $0 } ?? false }

  /// The number of bytes that may come again to be compared: less than the limit for all bytes.
  package var overlap: ByteCount {
    guard let maxTransfer = policy.maxTransfer else { return PartialDownload.overlap }
    let left = maxTransfer - received
    return min(PartialDownload.overlap, max(ByteCount(1), ByteCount(left.bytes / 2)))
  }

  /// The time left. Nil when there is no limit.
  package func timeLeft(after elapsed: Duration) -> Duration? { policy.maxDuration.map { $0 - elapsed } }
}

/// A limit of a run, which ends the run before everything is fetched.
package enum RunLimit: Hashable, Sendable {
  case transfer(ByteCount, setBy: LimitOrigin = .manifest)
  case duration(Duration, setBy: LimitOrigin = .manifest)

  /// The exit status of the run if nothing worse happened.
  package var status: ExitStatus {
    switch self {
    case .transfer: .maxTransfer
    case .duration: .maxDuration
    }
  }

  /// Returns the limit that a run has reached, if any.
  /// - Parameters:
  ///   - received: The bytes of all bodies so far.
  ///   - elapsed: The time since the start of the run.
  package static func reached(_ policy: DownloadPolicy, received: ByteCount, elapsed: Duration) -> RunLimit? {
    if let most = policy.maxTransfer, received >= most {
      return .transfer(most, setBy: policy.maxTransferOrigin)
    }
    if let longest = policy.maxDuration, elapsed >= longest {
      return .duration(longest, setBy: policy.maxDurationOrigin)
    }
    return nil
  }
}
