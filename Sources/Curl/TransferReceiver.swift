// SPDX-License-Identifier: Apache-2.0

/// The identity of one transfer of one loop, never reused.
package struct TransferID: Hashable, Sendable {
  let number: UInt64
}

/// The treatment of the body that a head announces.
package enum HeadDecision: Sendable {
  case receiveBody
  /// As `receiveBody`, but with the bytes as they were sent, although the request accepts compression. A libcurl that
  /// cannot change this after the head delivers them decoded: the receiver can tell by the first bytes.
  case receiveAsSent
  /// The head is enough. A small body is read and dropped to keep the connection; a large one is cut off.
  case discard
  /// Ends at once with `TransferError.abortedByReceiver`.
  case abort
}

/// The recipient of one transfer. Every call comes on the loop's thread: at most one `receivedHead`, then any number of
/// `receivedBody`, and in every case exactly one `finished`. The loop may be used inside any of these calls.
package protocol TransferReceiver: AnyObject {
  /// Receives the complete header section of the final response, never that of a 1xx or of a proxy's CONNECT.
  func receivedHead(_ head: ResponseHead) -> HeadDecision
  /// Receives at most 16 KiB of body, never empty, valid during the call.
  /// - Returns: False to end with `TransferError.abortedByReceiver`.
  func receivedBody(_ bytes: RawSpan) -> Bool
  func finished(_ result: TransferResult)
}
