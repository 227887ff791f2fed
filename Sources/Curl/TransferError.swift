// SPDX-License-Identifier: Apache-2.0

/// Why a response did not arrive whole: facts. Every `detail` is libcurl's own short text, not fit for scripts.
package enum TransferError: Error, Hashable, Sendable {
  case couldNotResolveHost(detail: String)
  case couldNotResolveProxy(detail: String)
  /// `errno` is 0 when no system call told more.
  case couldNotConnect(errno: Int32, detail: String)
  case connectTimedOut(during: ConnectPhase)
  /// The address policy refused every address tried; this is the last.
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
  /// The body ended early. `expected` is nil for a chunked one.
  case closedEarly(received: Int64, expected: Int64?)
  /// More bytes came than `Content-Length` announced.
  case bodyTooLong(announced: Int64)
  /// Bytes came before the request that they would answer, or behind an earlier body.
  case unaskedBytes
  /// No byte for so long.
  case stalled(after: Duration)
  case http2(detail: String)
  /// Over the limits of `HeadCollector`.
  case headersTooLarge
  /// Not HTTP, or HTTP that contradicts itself.
  case malformedResponse(detail: String)
  case unsupportedURL(detail: String)
  case abortedByReceiver
  case cancelled
  case outOfMemory
  case other(code: Int32, detail: String)

  package enum ConnectPhase: Hashable, Sendable { case resolving, connecting, securing }

  package enum TLSProblem: Hashable, Sendable {
    /// The certificate is unknown, expired, revoked or another host's.
    case verification
    case pinMismatch
    case handshake
    /// The CA file cannot be read.
    case caFile
    /// The server wants a certificate of the client.
    case clientCertificate
    case other
  }
}
