// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

extension TransferError {
  /// The progress of a transfer at the moment when libcurl ended it.
  package enum Moment: Hashable, Sendable {
    case connecting(ConnectPhase, hasProxy: Bool)
    /// The request is sent and the response has not arrived.
    case head
    case body
  }

  /// Translates one of libcurl's codes, depending on the moment.
  /// A code without a meaning of its own here becomes `other`.
  /// - Parameters:
  ///   - detail: libcurl's own short text.
  ///   - errno: The error of the last system call, or 0 if there was none.
  ///   - expected: The announced length of the body.
  package init(
    code: Int32, detail: String, at moment: Moment, errno: Int32 = 0, received: Int64 = 0, expected: Int64? = nil
  ) {
    let end = End(
      code: CURLcode(rawValue: UInt32(truncatingIfNeeded: code)), detail: detail, moment: moment, errno: errno,
      received: received, expected: expected)
    self = end.connectError ?? end.tlsError ?? end.exchangeError ?? .other(code: code, detail: detail)
  }
}

private struct End {
  let code: CURLcode
  let detail: String
  let moment: TransferError.Moment
  let errno: Int32
  let received: Int64
  let expected: Int64?

  private var isConnecting: Bool {
    if case .connecting = moment { true } else { false }
  }

  private var phase: TransferError.ConnectPhase {
    if case .connecting(let phase, _) = moment { phase } else { .connecting }
  }

  /// Until a proxy's tunnel is established, all received bytes come from the proxy.
  private var isProxyAnswering: Bool {
    if case .connecting(_, hasProxy: true) = moment { detail.contains("CONNECT") } else { false }
  }

  var connectError: TransferError? {
    switch code {
    case CURLE_URL_MALFORMAT: .unsupportedURL(detail: detail)
    // libcurl uses this code also for HTTP/0.9 and for HTTP versions that it does not know.
    case CURLE_UNSUPPORTED_PROTOCOL:
      isConnecting ? .unsupportedURL(detail: detail) : .malformedResponse(detail: detail)
    case CURLE_COULDNT_RESOLVE_HOST: .couldNotResolveHost(detail: detail)
    case CURLE_COULDNT_RESOLVE_PROXY: .couldNotResolveProxy(detail: detail)
    case CURLE_COULDNT_CONNECT: .couldNotConnect(errno: errno, detail: detail)
    case CURLE_OPERATION_TIMEDOUT: .connectTimedOut(during: phase)
    case CURLE_PROXY: .proxyFailed(detail: detail)
    case CURLE_RECV_ERROR where isProxyAnswering: .proxyFailed(detail: detail)
    default: nil
    }
  }

  var tlsError: TransferError? {
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      .tls(.verification, detail: detail)
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .tls(.pinMismatch, detail: detail)
    case CURLE_SSL_CONNECT_ERROR where isBroken: receiveError
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .tls(.handshake, detail: detail)
    case CURLE_SSL_CACERT_BADFILE: .tls(.caFile, detail: detail)
    case CURLE_SSL_CLIENTCERT: .tls(.clientCertificate, detail: detail)
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_ENGINE_INITFAILED:
      .tls(.other, detail: detail)
    default: nil
    }
  }

  /// True if the connection ended during the handshake, which does not show who the peer is. Matches libcurl's texts
  /// for errors that are not OpenSSL's, and OpenSSL's own text (SSL_R_UNEXPECTED_EOF_WHILE_READING).
  private var isBroken: Bool {
    ["OpenSSL SSL_connect: ", "Recv failure", "Send failure"].contains { detail.hasPrefix($0) }
      || detail.contains("unexpected eof")
  }

  var exchangeError: TransferError? {
    switch code {
    case CURLE_GOT_NOTHING: .emptyReply
    case CURLE_SEND_ERROR: .sendFailed(errno: errno, detail: detail)
    case CURLE_RECV_ERROR: receiveError
    case CURLE_PARTIAL_FILE: .closedEarly(received: received, expected: expected)
    case CURLE_HTTP2, CURLE_HTTP2_STREAM: .http2(detail: detail)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformedResponse(detail: detail)
    // libcurl reports a header line above its limit of 100 KiB as out of memory.
    case CURLE_OUT_OF_MEMORY: moment == .head ? .headersTooLarge : .outOfMemory
    case CURLE_ABORTED_BY_CALLBACK: .cancelled
    default: nil
    }
  }

  private var receiveError: TransferError {
    errno == ECONNRESET ? .connectionReset : .receiveFailed(errno: errno, detail: detail)
  }
}
