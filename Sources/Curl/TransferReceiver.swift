// SPDX-License-Identifier: Apache-2.0

/// Names one transfer of one loop; never used twice.
package struct TransferID: Hashable, Sendable {
  let number: UInt64
}

/// What to do with the body that a head announces.
package enum HeadDecision: Sendable {
  case receiveBody
  /// The head said enough. A small body is read past, so that the connection lives on; a large one is cut.
  case discard
  /// End at once with `TransferError.abortedByReceiver`.
  case abort
}

/// Where one transfer goes. Every call comes on the loop's thread: at most one `receivedHead`, then any number of
/// `receivedBody`, then exactly one `finished`, whatever happens. The loop may be used from inside any of them.
package protocol TransferReceiver: AnyObject {
  /// The whole header section of the final response arrived: never of a 1xx or of a proxy's CONNECT.
  func receivedHead(_ head: ResponseHead) -> HeadDecision
  /// At most 16 KiB of body, never empty, valid during the call.
  /// - Returns: false to end with `TransferError.abortedByReceiver`.
  func receivedBody(_ bytes: RawSpan) -> Bool
  func finished(_ result: TransferResult)
}
