// SPDX-License-Identifier: Apache-2.0

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
