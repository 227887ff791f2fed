// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The way out of a failure that stays until somebody acts.
enum RetryWords {
  /// - Parameter kind: the kind of the failure; nil if it is not known.
  static func wayOut(of kind: FailureKind?, _ id: ItemID, _ invocation: Invocation) -> String {
    let retry = "try again with: \(invocation.item("retry", id))"
    return switch kind {
    case .checksum?:
      "correct its checksum in the manifest, or, if the server had the wrong file, \(retry)"
    case .size?:
      "correct its size in the manifest, or, if the server had the wrong file, \(retry)"
    default: retry
    }
  }
}
