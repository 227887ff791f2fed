// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SyncCore
import Synchronization

/// The hash of pieces that come one after the other, computed on a thread of its own: a hash takes longer than sealing.
final class PieceDigest: Sendable {
  /// The pieces that may wait to be hashed.
  private static let patience = 4

  private let queue = DispatchQueue(label: "syncjob.digest")
  private let room = DispatchSemaphore(value: patience)
  private let digest = Mutex(RunningDigest())

  /// Waits if the hash has fallen behind.
  func append(_ piece: [UInt8]) {
    room.wait()
    queue.async { [self] in
      digest.withLock { digest in piece.withUnsafeBytes { digest.update($0) } }
      room.signal()
    }
  }

  /// Waits for the last piece.
  func finish() -> SHA256Digest {
    queue.sync {}
    return digest.withLock { $0.finishHash() }
  }
}
