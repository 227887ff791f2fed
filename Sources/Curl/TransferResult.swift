// SPDX-License-Identifier: Apache-2.0

/// How a transfer ended. `completed` says that the response was whole as far as HTTP can tell: not that its status
/// means success, nor that a body whose end was `.close` had no more to come.
package enum TransferResult: Hashable, Sendable {
  case completed(TransferSummary)
  case failed(TransferError)
}

package struct TransferSummary: Hashable, Sendable {
  /// Bytes given to the receiver.
  package let bodyBytes: Int64
  package let bodyEnd: BodyEnd
  /// No connection had to be opened.
  package let isConnectionReused: Bool
  /// From the start until the first byte of the response.
  package let timeToFirstByte: Duration
  package let totalTime: Duration
}

/// What told that the body was over.
package enum BodyEnd: Hashable, Sendable {
  /// A response that has no body: 204, 304, or to HEAD.
  case none
  /// As many bytes as `Content-Length` announced.
  case length
  /// The last chunk.
  case chunked
  /// The end of an HTTP/2 stream.
  case stream
  /// Only that the connection closed: a cut body looks the same (RFC 9112 §8).
  case close
  /// The receiver did not want it.
  case discarded
}
