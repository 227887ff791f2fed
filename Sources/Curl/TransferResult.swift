// SPDX-License-Identifier: Apache-2.0

/// The end of a transfer. `completed` means that the response is whole as far as HTTP can tell. It does not mean that
/// the status is a success, or that a body that ended with `.close` was complete.
package enum TransferResult: Hashable, Sendable {
  case completed(TransferSummary)
  case failed(TransferError)
}

package struct TransferSummary: Hashable, Sendable {
  /// Bytes delivered to the receiver.
  package let bodyBytes: Int64
  package let bodyEnd: BodyEnd
  /// True if no connection had to be opened.
  package let isConnectionReused: Bool
  /// The time from the start to the first byte of the response.
  package let timeToFirstByte: Duration
  package let totalTime: Duration
}

/// The sign that ended the body.
package enum BodyEnd: Hashable, Sendable {
  /// The response has no body: 204, 304, or an answer to HEAD.
  case none
  /// The number of bytes that `Content-Length` announced.
  case length
  /// The last chunk.
  case chunked
  /// The end of an HTTP/2 stream.
  case stream
  /// Only the connection's end. A truncated body looks the same (RFC 9112 §8).
  case close
  /// The receiver did not want it.
  case discarded
}
