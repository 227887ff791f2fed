// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

extension ActiveTransfer {
  /// What libcurl's code means, told together with what was seen on the way: libcurl also says OK of a header section
  /// that was cut off and of more bytes than announced.
  func result(of code: CURLcode) -> TransferResult {
    if let ownFailure { return .failed(ownFailure) }
    switch phase {
    case .discarding: return .completed(summary(bodyEnd: .discarded))
    case .connecting, .awaitingHead:
      return .failed(code == CURLE_OK ? .headersCutOff : error(of: code))
    case .receiving(let head):
      guard code == CURLE_OK else { return .failed(error(of: code)) }
      if hasExcess || handle.sawExcess, case .length(let announced) = head.framing {
        return .failed(.bodyTooLong(announced: announced))
      }
      return .completed(summary(bodyEnd: BodyEnd(head.framing)))
    }
  }

  private func summary(bodyEnd: BodyEnd) -> TransferSummary {
    TransferSummary(
      bodyBytes: bodyBytes, bodyEnd: bodyEnd, isConnectionReused: handle.number(CURLINFO_NUM_CONNECTS) == 0,
      timeToFirstByte: handle.time(CURLINFO_STARTTRANSFER_TIME_T), totalTime: handle.time(CURLINFO_TOTAL_TIME_T))
  }

  private func error(of code: CURLcode) -> TransferError {
    if isConnecting, let address = forbiddenAddress { return .forbiddenAddress(address) }
    let detail = handle.detail(of: code)
    return connectError(code, detail) ?? tlsError(code, detail) ?? exchangeError(code, detail)
      ?? .other(code: Int32(code.rawValue), detail: detail)
  }

  private var isConnecting: Bool {
    if case .connecting = phase { true } else { false }
  }

  private var hasHead: Bool {
    if case .receiving = phase { true } else { false }
  }

  private func connectError(_ code: CURLcode, _ detail: String) -> TransferError? {
    switch code {
    case CURLE_URL_MALFORMAT: .unsupportedURL(detail: detail)
    // libcurl's word also for HTTP/0.9 and for versions of HTTP that it does not know.
    case CURLE_UNSUPPORTED_PROTOCOL:
      isConnecting ? .unsupportedURL(detail: detail) : .malformedResponse(detail: detail)
    case CURLE_COULDNT_RESOLVE_HOST: .couldNotResolveHost(detail: detail)
    case CURLE_COULDNT_RESOLVE_PROXY: .couldNotResolveProxy(detail: detail)
    case CURLE_COULDNT_CONNECT: .couldNotConnect(errno: systemError, detail: detail)
    case CURLE_OPERATION_TIMEDOUT: .connectTimedOut(during: connectPhase)
    case CURLE_PROXY: .proxyFailed(detail: detail)
    default: nil
    }
  }

  private func tlsError(_ code: CURLcode, _ detail: String) -> TransferError? {
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      .tls(.verification, detail: detail)
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .tls(.pinMismatch, detail: detail)
    case CURLE_SSL_CONNECT_ERROR where isBroken(detail): receiveError(detail)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .tls(.handshake, detail: detail)
    case CURLE_SSL_CACERT_BADFILE: .tls(.caFile, detail: detail)
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED:
      .tls(.other, detail: detail)
    default: nil
    }
  }

  /// The connection ended in the handshake, which says nothing of who is there: libcurl's words for what is no error of
  /// OpenSSL's, and OpenSSL's own (SSL_R_UNEXPECTED_EOF_WHILE_READING).
  private func isBroken(_ detail: String) -> Bool {
    ["OpenSSL SSL_connect: ", "Recv failure", "Send failure"].contains { detail.hasPrefix($0) }
      || detail.contains("unexpected eof")
  }

  private func exchangeError(_ code: CURLcode, _ detail: String) -> TransferError? {
    switch code {
    case CURLE_GOT_NOTHING: .emptyReply
    case CURLE_SEND_ERROR: .sendFailed(errno: systemError, detail: detail)
    case CURLE_RECV_ERROR: receiveError(detail)
    case CURLE_PARTIAL_FILE: .closedEarly(received: bodyBytes, expected: announcedLength)
    case CURLE_HTTP2, CURLE_HTTP2_STREAM: .http2(detail: detail)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformedResponse(detail: detail)
    // A header line over libcurl's 100 KiB is reported as a lack of memory.
    case CURLE_OUT_OF_MEMORY: isConnecting || hasHead ? .outOfMemory : .headersTooLarge
    default: nil
    }
  }

  private var announcedLength: Int64? {
    if case .receiving(let head) = phase { head.framing.length } else { nil }
  }

  private func receiveError(_ detail: String) -> TransferError {
    systemError == ECONNRESET ? .connectionReset : .receiveFailed(errno: systemError, detail: detail)
  }

  private var systemError: Int32 { Int32(truncatingIfNeeded: handle.number(CURLINFO_OS_ERRNO)) }

  /// The first of the phases whose end libcurl has not seen.
  private var connectPhase: TransferError.ConnectPhase {
    if handle.time(CURLINFO_NAMELOOKUP_TIME_T) == .zero { return .resolving }
    // libcurl 7.88 notes the time of connecting only when the handshake is over, but the port at once.
    return handle.number(CURLINFO_LOCAL_PORT) == 0 ? .connecting : .securing
  }
}

extension BodyEnd {
  fileprivate init(_ framing: BodyFraming) {
    self =
      switch framing {
      case .none: .none
      case .length: .length
      case .chunked: .chunked
      case .stream: .stream
      case .untilClose: .close
      }
  }
}
