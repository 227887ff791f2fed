// SPDX-License-Identifier: Apache-2.0

import CCurl

extension ActiveTransfer {
  /// Combines libcurl's result code with what the callbacks saw. The code alone is not enough: libcurl also reports OK
  /// for a truncated header section and for more bytes than announced.
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
    return TransferError(
      code: Int32(code.rawValue), detail: handle.detail(of: code),
      at: isConnecting ? .connecting(connectPhase, hasProxy: request.proxy.isProxy) : hasHead ? .body : .head,
      errno: Int32(truncatingIfNeeded: handle.number(CURLINFO_OS_ERRNO)),
      received: isDecoded ? handle.count(CURLINFO_SIZE_DOWNLOAD_T) : bodyBytes, expected: announcedLength)
  }

  private var isConnecting: Bool {
    if case .connecting = phase { true } else { false }
  }

  private var hasHead: Bool {
    if case .receiving = phase { true } else { false }
  }

  private var announcedLength: Int64? {
    if case .receiving(let head) = phase { head.framing.length } else { nil }
  }

  /// The first phase that libcurl has not reported as finished.
  private var connectPhase: TransferError.ConnectPhase {
    if handle.time(CURLINFO_NAMELOOKUP_TIME_T) == .zero { return .resolving }
    // libcurl 7.88 records the connect time only after the handshake, but the local port at once.
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

extension TransferRequest.Proxy {
  fileprivate var isProxy: Bool {
    if case .none = self { false } else { true }
  }
}
