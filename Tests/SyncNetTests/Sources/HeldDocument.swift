// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncNet
import Synchronization

/// Holds the document of a source, to be compared with what was sent.
final class HeldDocument: SourceIntake {
  private let held = Mutex<[UInt8]>([])
  private let refusal: Failure?

  init(refusal: Failure? = nil) { self.refusal = refusal }

  var bytes: [UInt8] { held.withLock { $0 } }

  func begin(_ head: FetchedDocument) { held.withLock { $0 = [] } }

  func take(_ bytes: [UInt8]) throws(Failure) {
    if let refusal { throw refusal }
    held.withLock { $0 += bytes }
  }
}
