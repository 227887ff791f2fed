// SPDX-License-Identifier: Apache-2.0

/// The reason why a response did not arrive whole. Each `detail` is libcurl's own short text and not fit for scripts.
package enum TransferError: Error, Hashable, Sendable {
  case couldNotResolveHost(detail: String)
  case couldNotResolveProxy(detail: String)
  /// `errno` is 0 if no system call gave a reason.
  case couldNotConnect(errno: Int32, detail: String)
  case connectTimedOut(during: ConnectPhase)
  /// The address policy refused every address that was tried. This is the last one.
  case forbiddenAddress(SocketAddressText)
  case proxyFailed(detail: String)
  case tls(TLSProblem, detail: String)
  case sendFailed(errno: Int32, detail: String)
  case receiveFailed(errno: Int32, detail: String)
  /// The peer reset the connection.
  case connectionReset
  /// The connection closed before any byte of a response.
  case emptyReply
  /// The connection closed inside the header section.
  case headersCutOff
  /// The body ended early. `expected` is nil for a chunked body.
  case closedEarly(received: Int64, expected: Int64?)
  /// More bytes came than `Content-Length` announced.
  case bodyTooLong(announced: Int64)
  /// Bytes arrived before the request that they would answer, or after the end of an earlier body.
  case unaskedBytes
  /// No head, or less than 1 KiB of body, arrived for this time.
  case stalled(after: Duration)
  case http2(detail: String)
  /// The head exceeds the limits of `HeadCollector`.
  case headersTooLarge
  /// The response is not HTTP, or contradicts itself.
  case malformedResponse(detail: String)
  case unsupportedURL(detail: String)
  case abortedByReceiver
  case cancelled
  case outOfMemory
  case other(code: Int32, detail: String)

  package enum ConnectPhase: Hashable, Sendable { case resolving, connecting, securing }

  package enum TLSProblem: Hashable, Sendable {
    /// The certificate is unknown, expired, revoked or belongs to another host.
    case verification
    case pinMismatch
    case handshake
    /// The CA file cannot be read.
    case caFile
    /// The server requires a client certificate.
    case clientCertificate
    case other
  }
}

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
