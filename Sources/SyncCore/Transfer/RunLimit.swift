// SPDX-License-Identifier: Apache-2.0

/// What a run may use up at most, by which it ends before everything is fetched.
package enum RunLimit: Hashable, Sendable {
  case transfer(ByteCount)
  case duration(Duration)

  /// The run's, when there is nothing worse to tell.
  package var status: ExitStatus {
    switch self {
    case .transfer: .maxTransfer
    case .duration: .maxDuration
    }
  }

  /// The limit that a run has come up to.
  /// - Parameters:
  ///   - received: bytes of all bodies so far.
  ///   - elapsed: since the run began.
  package static func reached(_ policy: DownloadPolicy, received: ByteCount, elapsed: Duration) -> RunLimit? {
    if let most = policy.maxTransfer, received >= most { return .transfer(most) }
    if let longest = policy.maxDuration, elapsed >= longest { return .duration(longest) }
    return nil
  }
}
